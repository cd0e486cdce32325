// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/instances.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string_view>
#include <tuple>
#include <utility>

#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// One half of a load pair.
struct Half {
  std::string_view stem;
  int64_t source;
  bool is_power;

  bool completes(const Half& other) const { return stem == other.stem && is_power != other.is_power; }
};

/// The names of all current sources: views of the deck's text, or, within subcircuits and without a text, of texts that
/// are put together.
class SourceNames {
 public:
  explicit SourceNames(const Circuit& circuit) : circuit_(circuit) {
    if (circuit.instances[kCurrentSource].empty() && !circuit.made_names) return;
    full_.resize(circuit.current_sources.size());
    parallel_each(std::ssize(full_), [&](int64_t i) { full_[i] = circuit.element_name(kCurrentSource, i); });
  }

  std::string_view operator[](int64_t i) const {
    return full_.empty() ? circuit_.card_name(kCurrentSource, i).view() : std::string_view(full_[i]);
  }

  /// If source i has the name of one.
  std::optional<Half> half(int64_t i) const {
    std::string_view name = (*this)[i];
    const char side = name.size() < 3 || name[name.size() - 2] != '_' ? ' ' : static_cast<char>(name.back() | 0x20);
    if (side != 'v' && side != 'g') return std::nullopt;
    name.remove_suffix(2);
    return Half{name, i, side == 'v'};
  }

 private:
  const Circuit& circuit_;
  std::vector<std::string> full_;
};

NodeId far_end(const Sources& sources, int64_t i) { return sources.a[i] == kGround ? sources.b[i] : sources.a[i]; }

InstancePins pair_of(const Sources& sources, const Half& one, const Half& other) {
  const int64_t v = one.is_power ? one.source : other.source, g = one.is_power ? other.source : one.source;
  return {far_end(sources, v), far_end(sources, g), v, true, g};
}
InstancePins single_of(const Sources& sources, int64_t i) { return {far_end(sources, i), kGround, i, false}; }

/// The pins of halves that are not beside each other.
std::vector<InstancePins> match(const Sources& sources, std::vector<Half> open) {
  std::vector<InstancePins> pins;
  parallel_sort(open,
                [](const Half& a, const Half& b) { return std::tie(a.stem, a.source) < std::tie(b.stem, b.source); });
  for (size_t i = 0; i < open.size(); ++i) {
    if (i + 1 == open.size() || !open[i + 1].completes(open[i])) {
      pins.push_back(single_of(sources, open[i].source));
      continue;
    }
    pins.push_back(pair_of(sources, open[i], open[i + 1]));
    ++i;
  }
  return pins;
}

/// A terminal of an instance of a layout.
struct PlacedTerminal {
  int64_t instance, source;
  bool is_ground;
};

/// By instance, and then in the order of nets.
std::vector<PlacedTerminal> placed_terminals(const Circuit& circuit) {
  std::vector<PlacedTerminal> terminals;
  make_room_in_parallel(terminals, circuit.current_sources.size());
  for (const Placement::Net& net : circuit.placement->nets)
    parallel_each(net.last_sink - net.first_sink, [&](int64_t i) {
      const int64_t source = net.first_sink + i;
      terminals[source] = {circuit.made_names->sink(source).number, source, net.is_ground};
    });
  parallel_sort(terminals, [](const PlacedTerminal& a, const PlacedTerminal& b) {
    return std::tie(a.instance, a.source) < std::tie(b.instance, b.source);
  });
  return terminals;
}

std::vector<InstancePins> find_placed_pins(const Circuit& circuit) {
  const Sources& sources = circuit.current_sources;
  const std::vector<PlacedTerminal> terminals = placed_terminals(circuit);
  std::vector<InstancePins> pins;
  std::vector<int64_t> power, ground;  // of one instance
  for (size_t i = 0; i < terminals.size();) {
    power.clear();
    ground.clear();
    for (const int64_t instance = terminals[i].instance; i < terminals.size() && terminals[i].instance == instance; ++i)
      (terminals[i].is_ground ? ground : power).push_back(terminals[i].source);
    for (size_t k = 0; k < std::max(power.size(), ground.size()); ++k) {
      if (k < power.size() && k < ground.size())
        pins.push_back({far_end(sources, power[k]), far_end(sources, ground[k]), power[k], true, ground[k], true});
      else
        pins.push_back(single_of(sources, k < power.size() ? power[k] : ground[k]));
    }
  }
  return pins;
}

}  // namespace

std::vector<InstancePins> find_instance_pins(const Circuit& circuit) {
  if (circuit.placement && circuit.made_names) return find_placed_pins(circuit);
  constexpr int64_t kGrain = 1 << 12;
  const Sources& sources = circuit.current_sources;
  const SourceNames names(circuit);
  struct Found {
    std::vector<std::vector<InstancePins>> pins;
    std::vector<Half> open;
  };
  const auto is_one_ended = [&](int64_t i) { return sources.a[i] == kGround || sources.b[i] == kGround; };
  const auto half_at = [&](int64_t i) { return is_one_ended(i) ? names.half(i) : std::nullopt; };
  // `…_v` and `…_g` are usually adjacent, and then in one range; the rest are matched in a sorted list of halves.
  const auto begins_at = [&](int64_t i) {
    if (i <= 0 || i >= sources.size()) return std::clamp<int64_t>(i, 0, sources.size());
    const auto before = half_at(i - 1), half = half_at(i);
    return before && half && half->completes(*before) ? i + 1 : i;
  };
  Found found = joined_ranges<Found>(
      sources.size(),
      [&](int64_t begin, int64_t end) {
        std::vector<InstancePins> pins;
        std::vector<Half> open;
        for (int64_t i = begins_at(begin); i < begins_at(end); ++i) {
          const auto half = half_at(i);
          if (!is_one_ended(i)) {
            pins.push_back({sources.a[i], sources.b[i], i, false});
          } else if (!half) {
            pins.push_back(single_of(sources, i));
          } else if (!open.empty() && half->completes(open.back())) {
            pins.push_back(pair_of(sources, *half, open.back()));
            open.pop_back();
          } else {
            open.push_back(*half);
          }
        }
        Found some;
        some.pins.push_back(std::move(pins));
        some.open = std::move(open);
        return some;
      },
      [](Found& all, Found& some) {
        append(all.pins, std::move(some.pins));
        append(all.open, some.open);
      },
      kGrain);
  found.pins.push_back(match(sources, std::move(found.open)));
  return concatenated(std::move(found.pins));
}

std::optional<InstanceResult> instance_at(const InstancePins& pins, std::span<const double> amperes,
                                          const NodeTable& nodes, std::span<const NetResult> nets) {
  NodeId power = pins.power, ground = pins.ground;
  if (pins.may_be_halved && (nodes.net[power] < 0) != (nodes.net[ground] < 0)) {
    const bool has_power = nodes.net[power] >= 0;
    return instance_at({has_power ? power : ground, kGround, has_power ? pins.source : pins.twin, false}, amperes,
                       nodes, nets);
  }
  if (nodes.net[power] < 0 || nodes.net[power] == nodes.net[ground]) return std::nullopt;
  if (nodes.net[ground] < 0 && !pins.is_one_ended()) return std::nullopt;
  if (!pins.is_pair && nets[nodes.net[power]].is_ground) std::swap(power, ground);
  const double drop = power == kGround ? 0 : nodes.drop_v[power], bounce = ground == kGround ? 0 : nodes.drop_v[ground];
  return InstanceResult{power,       ground,      drop, bounce, drop + bounce, std::abs(amperes[pins.source]),
                        pins.source, pins.is_pair};
}

std::vector<InstanceResult> instances_at(std::span<const InstancePins> pins, std::span<const double> amperes,
                                         const NodeTable& nodes, std::span<const NetResult> nets) {
  return parallel_list<InstanceResult>(std::ssize(pins), [&](int64_t k, auto& list) {
    if (const auto instance = instance_at(pins[k], amperes, nodes, nets)) list.push_back(*instance);
  });
}

SinkName instance_name(const Circuit& circuit, const InstanceResult& instance) {
  if (circuit.made_names) {
    SinkName sink = sink_name(circuit, instance.source);
    if (instance.is_pair) sink.terminal.clear();
    return sink;
  }
  std::string name = circuit.element_name(kCurrentSource, instance.source);
  if (instance.is_pair) name.resize(name.size() - 2);
  const bool is_on_one_net = instance.power == kGround || instance.ground == kGround;
  SinkName sink = is_on_one_net      ? sink_name(circuit, instance.source)
                  : instance.is_pair ? SinkName{}
                                     : pin_name(circuit, instance.source);
  return sink.instance.empty() ? SinkName{std::move(name), ""} : sink;
}

std::string_view instance_cell(const Circuit& circuit, const InstanceResult& instance) {
  return circuit.made_names ? circuit.made_names->sink(instance.source).cell : std::string_view();
}

void sort_instances(std::vector<InstanceResult>& instances) {
  const auto count = std::ssize(instances);
  std::vector<std::pair<double, int64_t>> order;  // far smaller than what it orders
  make_room_in_parallel(order, count);
  parallel_each(count, [&](int64_t i) { order[i] = {-instances[i].combined_v, i}; });
  parallel_sort(order, std::less<>());
  std::vector<InstanceResult> sorted;
  make_room_in_parallel(sorted, count);
  parallel_each(count, [&](int64_t i) { sorted[i] = instances[order[i].second]; });
  instances = std::move(sorted);
}

}  // namespace gridiron
