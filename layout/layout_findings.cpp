// SPDX-License-Identifier: Apache-2.0
#include "layout/layout_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <string>
#include <utility>

#include "support/nearest_names.hpp"
#include "support/parallel_arrays.hpp"
#include "support/plural.hpp"

namespace gridiron::layout {
namespace {

std::string extent_of(const Chip& chip, const Box& box) {
  const double dbu = chip.dbu_per_um;
  return fmt::format("({:.3f}, {:.3f}) to ({:.3f}, {:.3f}) um", box.x0 / dbu, box.y0 / dbu, box.x1 / dbu, box.y1 / dbu);
}

class LayoutFindings {
 public:
  LayoutFindings(const Layout& layout, const Powers& powers) : layout_(layout), powers_(powers) {}

  std::vector<ReadFinding> take() {
    add_shorts();
    for (size_t i = 0; i < layout_.grids.size(); ++i) {
      const NetGrid& grid = layout_.grids[i];
      std::ranges::move(open_findings(*layout_.library, chip(), grid.net, grid.network, layout_.opens[i]),
                        std::back_inserter(findings_));
      add_crossings(grid, layout_.crossings[i]);
      add_moved(layout_.grids[i]);
    }
    add_unplaced();
    add_powers();
    add_lost_powers();
    add_shared_powers();
    return std::move(findings_);
  }

 private:
  const Chip& chip() const { return *layout_.chip; }
  const std::string& name(const NetGrid& grid) const { return chip().nets[grid.net].name; }
  std::string place(const NetGrid& grid) const { return chip().describe(chip().nets[grid.net].place); }
  const std::string& layer(int32_t index) const { return layout_.library->layers[index].name; }
  std::string at(const Box& box) const { return extent_of(chip(), box); }
  void warn(const char* code, std::string message, std::string place) {
    findings_.push_back({true, code, std::move(message), std::move(place)});
  }

  /// One for each pair of nets.
  void add_shorts() {
    const std::vector<Short>& shorts = layout_.shorts;
    for (size_t first = 0, last = 0; first < shorts.size(); first = last) {
      const Short& s = shorts[first];
      while (last < shorts.size() && shorts[last].a == s.a && shorts[last].b == s.b) ++last;
      const SpecialNet &a = chip().nets[s.a], &b = chip().nets[s.b];
      warn("short",
           fmt::format("{} between nets {} and {}; the first is on {} at {}",
                       counted(static_cast<int64_t>(last - first), "short"), a.name, b.name, layer(s.layer), at(s.box)),
           chip().describe(a.place));
    }
  }

  void add_crossings(const NetGrid& grid, const std::vector<Crossings>& crossings) {
    for (const Crossings& c : crossings)
      findings_.push_back(
          {false, "crossing-without-via",
           fmt::format("{} of straps of net {} on {} and {} without a via, of {} in all; the first is at {}",
                       counted(std::ssize(c.without_via), "crossing"), name(grid), layer(c.bottom), layer(c.top), c.all,
                       at(c.without_via.front())),
           place(grid)});
  }

  void add_moved(const NetGrid& grid) {
    const std::vector<SourceSites::Moved>& moved = grid.sources.moved;
    if (moved.empty()) return;
    const Point to = grid.network.node_place[moved.front().node];
    warn("source-without-metal",
         fmt::format("{} of net {} without metal of the highest layer below it; the nearest node is used: that at {} "
                     "moves to ({:.3f}, {:.3f}) um",
                     counted(std::ssize(moved), "source"), name(grid), at(moved.front().box), to.x / chip().dbu_per_um,
                     to.y / chip().dbu_per_um),
         place(grid));
  }

  void add_unplaced() {
    const Components& all = chip().components;
    const auto first = std::ranges::find(all.placed, uint8_t{0});
    if (first == all.placed.end()) return;
    const auto index = first - all.placed.begin();
    findings_.push_back(
        {false, "unplaced-component",
         fmt::format("{} without a place left out; the first is {}",
                     counted(std::count(first, all.placed.end(), uint8_t{0}), "component"), all.name[index]),
         chip().describe({0, all.offset[index]})});
  }

  void add_powers() {
    if (powers_.unknown() > 0) {
      const int64_t more = powers_.unknown() - std::ssize(powers_.first_unknown());
      warn("power-of-no-instance",
           fmt::format("{} with a power not in the layout: {}{}", counted(powers_.unknown(), "name"),
                       first_names(powers_.first_unknown()), more > 0 ? fmt::format(" and {} more", more) : ""),
           powers_.unknown_place());
    }
    add_negative_powers();
    if (powers_.repeated() > 0)
      warn("power-twice",
           fmt::format("{} more of instances that the same file has before, whose last one counts: {}",
                       counted(powers_.repeated(), "power"), first_names(powers_.first_repeated())),
           powers_.repeated_place());
    if (layout_.unpowered_components > 0)
      findings_.push_back({false, "no-power",
                           fmt::format("{} without a power, which so draws nothing; the first is {}",
                                       counted(layout_.unpowered_components, "component"), first_unpowered()),
                           chip().texts[0]->path()});
  }

  void add_negative_powers() {
    const std::vector<int32_t> found = components_that([&](int64_t c) { return powers_.feeds(c); });
    if (found.empty()) return;
    warn("negative-power",
         fmt::format("{} with a power below zero, which makes the drop of others smaller: {}",
                     counted(std::ssize(found), "component"), first_names(names_of(found))),
         chip().describe({0, chip().components.offset[found.front()]}));
  }

  /// Without this a design that is not placed, or whose nets connect no pins, has no drop and nobody notices.
  void add_lost_powers() {
    if (!powers_.any()) return;
    const int64_t components = chip().components.size();
    std::vector<Use> whole;
    for (const Use use : {Use::power, Use::ground})
      if (is_read_as_a_whole(use)) whole.push_back(use);
    std::vector<uint8_t> on_nets;  // a bit for each of these uses
    assign_in_parallel(on_nets, components);
    for (size_t k = 0; k < whole.size(); ++k)
      for (const NetGrid& grid : layout_.grids)
        if (chip().nets[grid.net].use == whole[k]) mark_components(grid, static_cast<uint8_t>(1U << k), on_nets);
    const auto all = static_cast<uint8_t>((1U << whole.size()) - 1);
    const std::vector<int32_t> lost = components_that(
        [&](int64_t c) { return (!chip().components.placed[c] || on_nets[c] != all) && powers_.draws(c); });
    if (lost.empty()) return;
    warn("lost-power",
         fmt::format("the power of {} is lost on some net (not placed, or no pin is connected there): {}",
                     counted(std::ssize(lost), "component"), first_names(names_of(lost))),
         chip().describe({0, chip().components.offset[lost.front()]}));
  }

  /// No file tells how the power of an instance is divided among its supplies.
  void add_shared_powers() {
    if (!powers_.any()) return;
    std::vector<uint8_t> on_nets, on_this, on_several;
    for (const NetGrid& grid : layout_.grids) {
      if (chip().nets[grid.net].use != Use::power) continue;
      const bool is_first = on_nets.empty();
      assign_in_parallel(on_this, chip().components.size());
      mark_components(grid, 1, on_this);
      if (is_first) {
        on_nets.swap(on_this);
        continue;
      }
      if (on_several.empty()) assign_in_parallel(on_several, chip().components.size());
      parallel_each(chip().components.size(), [&](int64_t c) {
        on_several[c] |= on_nets[c] & on_this[c];
        on_nets[c] |= on_this[c];
      });
    }
    if (on_several.empty()) return;
    const auto shared = components_that([&](int64_t c) { return on_several[c] && powers_.draws(c); });
    if (shared.empty()) return;
    findings_.push_back({false, "power-on-several-nets",
                         fmt::format("{} with pins on several power nets, each of which carries all of its power: {}",
                                     counted(std::ssize(shared), "component"), first_names(names_of(shared))),
                         chip().describe({0, chip().components.offset[shared.front()]})});
  }

  /// Components with a terminal on a net.
  static void mark_components(const NetGrid& grid, uint8_t mark, std::vector<uint8_t>& marks) {
    const std::vector<int32_t>& component = grid.network.terminal_component;
    parallel_each(std::ssize(component), [&](int64_t t) {
      if (t == 0 || component[t] != component[t - 1])
        std::atomic_ref(marks[component[t]]).fetch_or(mark, std::memory_order_relaxed);
    });
  }

  template <class F>
  std::vector<int32_t> components_that(F&& f) const {
    return parallel_list<int32_t>(chip().components.size(), [&](int64_t c, auto& list) {
      if (f(c)) list.push_back(static_cast<int32_t>(c));
    });
  }

  /// Of the first, and how many more there are, first_names() makes a text.
  std::vector<std::string> names_of(const std::vector<int32_t>& components) const {
    std::vector<std::string> names;
    for (const int32_t c : components) names.emplace_back(chip().components.name[c]);
    return names;
  }

  /// Whether there are nets of this use, and all that have wires are read: a terminal elsewhere is then nowhere.
  bool is_read_as_a_whole(Use use) const {
    bool any = false;
    for (size_t n = 0; n < chip().nets.size(); ++n) {
      if (chip().nets[n].use != use || !chip().nets[n].has_shapes()) continue;
      any = true;
      const auto is_this = [n](const NetGrid& grid) { return grid.net == static_cast<int32_t>(n); };
      if (std::ranges::none_of(layout_.grids, is_this)) return false;
    }
    return any;
  }

  std::string first_unpowered() const {
    for (const NetGrid& grid : layout_.grids)
      for (const int32_t c : grid.network.terminal_component)
        if (!powers_.is_known(c)) return std::string(chip().components.name[c]);
    return "";
  }

  const Layout& layout_;
  const Powers& powers_;
  std::vector<ReadFinding> findings_;
};

}  // namespace

int64_t count_unpowered(const std::vector<NetGrid>& grids, const Powers& powers, int64_t components) {
  if (!powers.any()) return 0;
  std::vector<uint8_t> is_unpowered;
  assign_in_parallel(is_unpowered, components);
  for (const NetGrid& grid : grids)
    parallel_each(std::ssize(grid.network.terminal_component), [&](int64_t t) {
      const int32_t c = grid.network.terminal_component[t];
      if (!powers.is_known(c)) std::atomic_ref(is_unpowered[c]).store(1, std::memory_order_relaxed);
    });
  return parallel_sum<int64_t>(components, [&](int64_t c) { return int64_t{is_unpowered[c]}; });
}

std::vector<ReadFinding> open_findings(const Library& library, const Chip& chip, int32_t net, const Network& network,
                                       const Opens& opens) {
  std::vector<ReadFinding> findings;
  const auto warn = [&](const char* code, std::string message, TextPlace place) {
    findings.push_back({true, code, std::move(message), chip.describe(place)});
  };
  const auto layer = [&](int32_t index) { return library.layers[index].name; };
  const std::string& name = chip.nets[net].name;
  if (!opens.shapes.empty()) {
    const Opens::Shape& first = opens.shapes.front();
    warn("open-shape",
         fmt::format("{} of net {} not connected to its highest layer; the first is on {} at {}",
                     counted(std::ssize(opens.shapes), "shape"), name, layer(first.layer), extent_of(chip, first.box)),
         chip.nets[net].place);
  }
  if (!opens.terminals.empty()) {
    std::vector<std::string> names;
    for (const Opens::Terminal& t : opens.terminals)
      names.push_back(
          fmt::format("{}/{}", chip.components.name[t.component], network.pin_names[network.terminal_pin[t.terminal]]));
    warn("open-terminal",
         fmt::format("{} of net {} not connected to its highest layer: {}",
                     counted(std::ssize(opens.terminals), "terminal"), name, first_names(names)),
         {0, chip.components.offset[opens.terminals.front().component]});
  }
  if (!opens.pins.empty()) {
    const Opens::Pin& first = opens.pins.front();
    warn("open-pin",
         fmt::format("{} of pins of the block on net {} not connected to its highest layer; the first is of {} on {} "
                     "at {}",
                     counted(std::ssize(opens.pins), "shape"), name, chip.pins[first.pin].name, layer(first.layer),
                     extent_of(chip, first.box)),
         chip.pins[first.pin].place);
  }
  return findings;
}

std::vector<ReadFinding> layout_findings(const Layout& layout, const Powers& powers) {
  return LayoutFindings(layout, powers).take();
}

}  // namespace gridiron::layout
