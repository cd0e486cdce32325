// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/markers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "analysis/results/stress/lifetime_limit.hpp"
#include "reports/tables/row_writer.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace gridiron {
namespace {

struct KindText {
  const char *name, *about;
};

KindText text_of(Marker::Kind kind) {
  switch (kind) {
    case Marker::Kind::over_limit:
      return {"Drop over limit", "nodes whose drop exceeds a limit on the worst drop"};
    case Marker::Kind::hot_spot:
      return {"Hot spot", "places that drop more than all around them, of nets without a limit"};
    case Marker::Kind::over_em_limit:
      return {"Current over limit", "segments whose current exceeds an electromigration limit"};
    case Marker::Kind::over_em_rule:
      return {"Electromigration", "segments whose current exceeds a rule of electromigration"};
    case Marker::Kind::over_stress:
      return {"Stress over limit", "metal trees whose stress exceeds its limit, or else the critical stress"};
    case Marker::Kind::void_nucleation:
      return {"Void", "where electromigration nucleates voids"};
    case Marker::Kind::failing_segment:
      return {"Failing segment", "segments that fail as voids grow"};
    case Marker::Kind::overvoltage:
      return {"Overvoltage", "nodes beyond their nominal voltage"};
    case Marker::Kind::unconnected_load:
      return {"Unconnected instance", "loads that no path connects to a source"};
    case Marker::Kind::unconnected_shape:
      return {"Unconnected shape", "wires that no path connects to a source"};
    case Marker::Kind::open_shape:
      return {"Open shape", "metal that is not connected to the highest layer of its net"};
    case Marker::Kind::open_terminal:
      return {"Open terminal", "terminals of instances that are not connected to the highest layer of their net"};
    case Marker::Kind::open_pin:
      return {"Open pin", "pins of the block that are not connected to the highest layer of their net"};
    case Marker::Kind::touching_nets:
      return {"Short", "metal of two nets that touches"};
  }
  return {"", ""};
}

/// Categories in the order of their first markers: kind, net, layer.
using Layers = std::vector<std::string>;
using LayersOfNets = std::vector<std::pair<std::string, Layers>>;

auto& entry(auto& pairs, const auto& key) {
  const auto found = std::ranges::find_if(pairs, [&](const auto& pair) { return pair.first == key; });
  return found == pairs.end() ? pairs.emplace_back(key, decltype(pairs[0].second){}).second : found->second;
}

std::string name_or(std::string_view name, const char* none) { return name.empty() ? none : printable(name); }
std::string net_name(const Marker& marker) { return name_or(marker.net, "(no net)"); }
std::string layer_name(const Marker& marker) { return name_or(marker.layer, "(no layer)"); }

/// A word between single quotes, as KLayout reads paths and texts.
std::string quoted_word(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

/// "the worst 10 000 of 12 345 of net vdd are shown".
std::string cut_text(const ShownMarkers& cut) {
  return fmt::format("{} of {}{}{}{}{} are shown", grouped(cut.shown), grouped(cut.of),
                     cut.net.empty() ? "" : " of net ", printable(cut.net), cut.layer.empty() ? "" : " layer ",
                     printable(cut.layer));
}

std::string about(Marker::Kind kind, const Markers& markers) {
  std::string text = text_of(kind).about;
  for (const ShownMarkers& cut : markers.cut)
    if (cut.kind == kind) text += "; " + cut_text(cut);
  return text;
}

/// What is left out without any marker to say so, after a description.
std::string cut_wholly(const Markers& markers) {
  std::string text;
  for (const ShownMarkers& cut : markers.cut)
    if (std::ranges::none_of(markers.list, [&](const Marker& marker) { return marker.kind == cut.kind; }))
      text += fmt::format("; {}: {}", text_of(cut.kind).about, cut_text(cut));
  return text;
}

/// The first marker of a kind tells how many there are.
std::string comment_of(const Markers& markers, size_t row) {
  const Marker& marker = markers.list[row];
  std::string text = describe(marker);
  if (row > 0 && markers.list[row - 1].kind == marker.kind && markers.list[row - 1].net == marker.net) return text;
  for (const ShownMarkers& cut : markers.cut)
    if (cut.kind == marker.kind && (cut.net.empty() || cut.net == marker.net)) text += " (" + cut_text(cut) + ")";
  return text;
}

std::string categories(const Markers& markers) {
  std::vector<std::pair<Marker::Kind, LayersOfNets>> kinds;
  for (const Marker& marker : markers.list) {
    Layers& layers = entry(entry(kinds, marker.kind), net_name(marker));
    if (std::ranges::find(layers, layer_name(marker)) == layers.end()) layers.push_back(layer_name(marker));
  }
  std::string out;
  const auto open = [&](std::string_view name, std::string_view about) {
    out += fmt::format("<category><name>{}</name><description>{}</description><categories>\n", html_text(name),
                       html_text(about));
  };
  for (const auto& [kind, nets] : kinds) {
    open(text_of(kind).name, about(kind, markers));
    for (const auto& [net, layers] : nets) {
      open(net, "");
      for (const std::string& layer : layers) {
        open(layer, "");
        out += "</categories></category>\n";
      }
      out += "</categories></category>\n";
    }
    out += "</categories></category>\n";
  }
  return out;
}

}  // namespace

std::string describe(const Marker& marker) {
  std::string node = printable(marker.node);
  switch (marker.kind) {
    case Marker::Kind::over_limit:
      return fmt::format("{}: drop of {}, limit {}", node, volts(marker.value), volts(marker.limit));
    case Marker::Kind::hot_spot:
      return fmt::format("{}: drop of {}", node, volts(marker.value));
    case Marker::Kind::over_em_limit:
      return fmt::format("segment at {}: {}, limit {}", node, amperes(marker.value), amperes(marker.limit));
    case Marker::Kind::over_em_rule:
      return fmt::format("segment at {}: {:.4g} % of its rule, limit {:.4g} %", node, 100 * marker.value,
                         100 * marker.limit);
    case Marker::Kind::over_stress:
      return fmt::format("{}: stress of {:.4g} MPa, limit {:.4g} MPa", node, 1e-6 * marker.value, 1e-6 * marker.limit);
    case Marker::Kind::void_nucleation:
      return fmt::format("{}: a void nucleates at {}", node, lifetime_text(marker.value));
    case Marker::Kind::failing_segment:
      return fmt::format("segment at {}: fails at {}", node, lifetime_text(marker.value));
    case Marker::Kind::overvoltage:
      return fmt::format("{}: {} beyond the nominal voltage", node, volts(marker.value));
    case Marker::Kind::unconnected_load:
      return marker.value == 0
                 ? fmt::format("{}: no path connects it to a source", node)
                 : fmt::format("{}: a load of {} that no path connects to a source", node, amperes(marker.value));
    case Marker::Kind::unconnected_shape:
      return fmt::format("{}: no path leads to a source", node);
    case Marker::Kind::open_shape:
    case Marker::Kind::open_terminal:
    case Marker::Kind::open_pin:
      return fmt::format("{}{}not connected to the highest layer of the net", node, node.empty() ? "" : ": ");
    case Marker::Kind::touching_nets:
      return fmt::format("metal of {} and {} touches", printable(marker.net), printable(marker.other_net));
  }
  return node;
}

void write_lyrdb(const Markers& markers, const std::string& netlist, const OutputPath& path) {
  const std::string cell = html_text(name_or(markers.cell.empty() ? netlist : markers.cell, "top"));
  OutputFile file(path);
  file.write(fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<report-database>\n"
      "<description>IR drop of {4}{3}</description>\n<original-file/>\n<generator>Gridiron {1}</generator>\n"
      "<top-cell>{0}</top-cell>\n<tags/>\n<categories>\n{2}</categories>\n"
      "<cells><cell><name>{0}</name><variant/><layout-name/><references/></cell></cells>\n<items>\n",
      cell, GRIDIRON_VERSION, categories(markers), html_text(cut_wholly(markers)), html_text(name_or(netlist, "top"))));
  write_rows(file, std::ssize(markers.list), [&](int64_t row, std::string& out) {
    const Marker& m = markers.list[row];
    const std::string category =
        quoted_word(text_of(m.kind).name) + "." + quoted_word(net_name(m)) + "." + quoted_word(layer_name(m));
    out += fmt::format(
        "<item><tags/><category>{}</category><cell>{}</cell><visited>false</visited><multiplicity>1</multiplicity>"
        "<comment/><image/><values><value>box: ({:.4f},{:.4f};{:.4f},{:.4f})</value><value>text: {}</value></values>"
        "</item>\n",
        html_text(category), cell, m.left_um, m.bottom_um, m.right_um, m.top_um, html_text(quoted_word(describe(m))));
  });
  file.write("</items>\n</report-database>\n");
  file.commit();
}

void write_drc(const Markers& markers, const OutputPath& path) {
  OutputFile file(path);
  write_rows(file, std::ssize(markers.list), [&](int64_t row, std::string& out) {
    const Marker& m = markers.list[row];
    out += fmt::format(
        "violation type: {}\n  srcs:{}{}{}{}\n  comment: {}\n  bbox = ({:.4f}, {:.4f}) - ({:.4f}, {:.4f}) on Layer "
        "{}\n",
        text_of(m.kind).name, m.net.empty() ? "" : " net:", printable(m.net),
        m.other_net.empty() ? "" : " net:", printable(m.other_net), comment_of(markers, static_cast<size_t>(row)),
        m.left_um, m.bottom_um, m.right_um, m.top_um, m.layer.empty() ? "-" : printable(m.layer));
  });
  file.commit();
}

}  // namespace gridiron
