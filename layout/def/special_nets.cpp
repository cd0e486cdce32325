// SPDX-License-Identifier: Apache-2.0
// SPECIALNETS: the nets of the power grid, with what they connect and their wires.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "layout/def/def_file.hpp"
#include "layout/def/sections.hpp"
#include "layout/def/wires.hpp"

namespace gridiron::layout {
namespace {

constexpr std::array<std::string_view, 9> kNetBorders = {"- ",        "NEW ",    "+ ROUTED ",  "+ FIXED ", "+ COVER ",
                                                         "+ SHIELD ", "+ RECT ", "+ POLYGON ", "+ VIA "};
constexpr std::array<std::string_view, 13> kPassedOverOfNets = {"SOURCE", "FIXEDBUMP", "ORIGINAL", "PATTERN", "ESTCAP",
                                                                "WEIGHT", "PROPERTY",  "SPACING",  "WIDTH",   "SHAPE",
                                                                "MASK",   "STYLE",     "SHIELDNET"};

/// Nets of a part of the section. The first may go on with that of the part before, and the last may be unfinished.
struct NetPart {
  std::vector<SpecialNet> nets;
  bool continues = false, unfinished = false;
};

class NetReader {
 public:
  NetReader(Tokens& tokens, const WireNames& names, Expansion& expansion, NetPart& part)
      : tokens_(tokens), wires_(tokens, names, expansion), part_(part) {}

  void read_up_to(size_t end, bool is_first) {
    part_.continues = !is_first && (tokens_.is("NEW") || tokens_.is('+'));
    if (part_.continues) {
      part_.nets.emplace_back();
      in_wire_ = true;
      part_.unfinished = !read_statements(end);
    }
    while (!part_.unfinished && tokens_.is('-') && tokens_.offset() < end) {
      begin_net();
      part_.unfinished = !read_statements(end);
    }
  }

 private:
  /// `- name ( component pin ) …`
  void begin_net() {
    tokens_.take();
    SpecialNet& net = part_.nets.emplace_back();
    net.place = {0, tokens_.offset()};
    net.name = plain_name(tokens_.name("the name of a net"));
    in_wire_ = false;
    while (!tokens_.at_end() && tokens_.peek()[0] == '(') {
      tokens_.open("a pin");
      std::string instance = plain_name(tokens_.name("a component, PIN or *"));
      std::string pin = plain_name(tokens_.name("the name of a pin"));
      if (tokens_.accept('+')) tokens_.expect("SYNTHESIZED", "a pin of a net");
      tokens_.close("')' behind the pin of a net");
      net.connections.push_back({std::move(instance), std::move(pin)});
    }
  }

  /// What follows, up to the end of the net, or false: up to a border at or behind `end`.
  bool read_statements(size_t end) {
    for (;;) {
      if (tokens_.is("NEW") && !in_wire_)
        tokens_.fail(tokens_.offset(), "NEW before the first wire; begin with + ROUTED");
      const size_t where = tokens_.offset();
      if (tokens_.accept(';')) {
        part_.nets.back().end_at = where;
        return true;
      }
      if (tokens_.offset() >= end) return false;
      if (tokens_.accept("NEW"))
        wires_.read_path(part_.nets.back());
      else if (tokens_.accept('+'))
        read_option(part_.nets.back());
      else
        tokens_.fail_expected(fmt::format("'+', NEW or ';' in net {}", part_.nets.back().name));
    }
  }

  void read_option(SpecialNet& net) {
    const size_t where = tokens_.offset();
    const std::string_view keyword = tokens_.take();
    in_wire_ = false;
    if (keyword == "ROUTED" || keyword == "FIXED" || keyword == "COVER" || keyword == "SHIELD") {
      if (keyword == "SHIELD") tokens_.name("the net that is shielded");
      if (tokens_.is('+')) return;  // of a shape that follows
      wires_.read_path(net);
      in_wire_ = true;
    } else if (keyword == "RECT") {
      wires_.read_rect(net);
    } else if (keyword == "POLYGON") {
      wires_.read_polygon(net);
    } else if (keyword == "VIA") {
      wires_.read_vias(net);
    } else if (keyword == "USE") {
      net.use = use_of(tokens_.name("the USE of a net"));
    } else if (keyword == "VOLTAGE") {
      net.volts = tokens_.number("a number of millivolts") / 1000;
    } else if (std::ranges::find(kPassedOverOfNets, keyword) != kPassedOverOfNets.end()) {
      skip_option(tokens_, "SPECIALNETS");
    } else {
      tokens_.seek(where);
      tokens_.fail_unknown("SPECIALNETS");
    }
  }

  Tokens& tokens_;
  WireReader wires_;
  NetPart& part_;
  bool in_wire_ = false;  ///< a path may go on with NEW
};

template <class T>
void append(std::vector<T>& all, std::vector<T>&& some) {
  if (all.empty())
    all = std::move(some);
  else
    all.insert(all.end(), std::make_move_iterator(some.begin()), std::make_move_iterator(some.end()));
}

/// What more is said of a net.
void join(SpecialNet& net, SpecialNet&& more) {
  if (more.use != Use::other) net.use = more.use;
  if (more.volts != 0) net.volts = more.volts;
  append(net.connections, std::move(more.connections));
  append(net.boxes, std::move(more.boxes));
  append(net.straps, std::move(more.straps));
  append(net.polygons, std::move(more.polygons));
  append(net.vias, std::move(more.vias));
  append(net.width_at, std::move(more.width_at));
  if (more.end_at > 0) net.end_at = more.end_at;
}

}  // namespace

void DefFile::read_special_nets() {
  const std::string_view text = tokens.source().text();
  const size_t begin = tokens.offset();
  const WireNames names{library, vias, styles, keeps_places};
  auto parts = read_in_parts(
      tokens, borders(text, begin, find_section_end(text, begin, "SPECIALNETS"), limits.piece, kNetBorders),
      limits.vias,
      [&names, begin](Tokens& own, size_t end, Expansion& expansion) {
        NetPart part;
        NetReader(own, names, expansion, part).read_up_to(end, own.offset() == begin);
        return part;
      },
      [](const NetPart& part, const NetPart& next) { return part.unfinished == next.continues; });
  int32_t last = -1;
  for (NetPart& part : parts)
    for (SpecialNet& net : part.nets) {
      if (!(part.continues && &net == &part.nets.front())) {
        const auto [known, is_new] = chip.net_index.emplace(net.name, static_cast<int32_t>(chip.nets.size()));
        last = known->second;
        if (is_new) {
          chip.nets.push_back(std::move(net));
          continue;
        }
      }
      join(chip.nets[static_cast<size_t>(last)], std::move(net));
    }
}

}  // namespace gridiron::layout
