// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/instances.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// One half of a load pair.
struct Half {
  std::string_view stem;
  std::int64_t source;
  bool is_power;
};

/// The names of all current sources, one after the other in a text per range of them.
class SourceNames {
 public:
  explicit SourceNames(const Circuit& circuit) {
    const std::int64_t sources = circuit.current_sources.size();
    texts_.resize(static_cast<std::size_t>((sources + kGrain - 1) / kGrain));
    assign_in_parallel(end_, sources);
    parallel_ranges(
        sources,
        [&](std::int64_t begin, std::int64_t end) {
          std::string& text = texts_[begin / kGrain];
          for (std::int64_t i = begin; i < end; ++i) {
            text += circuit.element_name(kCurrentSource, i);
            end_[i] = text.size();
          }
        },
        kGrain);
  }

  std::string_view operator[](std::int64_t i) const {
    const std::size_t begin = i % kGrain == 0 ? 0 : end_[i - 1];
    return std::string_view(texts_[i / kGrain]).substr(begin, end_[i] - begin);
  }

 private:
  static constexpr std::int64_t kGrain = 1 << 12;
  std::vector<std::string> texts_;
  std::vector<std::size_t> end_;  ///< of a name in its text
};

NodeId far_end(const Sources& sources, std::int64_t i) { return sources.a[i] == kGround ? sources.b[i] : sources.a[i]; }

}  // namespace

std::vector<InstancePins> find_instance_pins(const Circuit& circuit) {
  const Sources& sources = circuit.current_sources;
  std::vector<InstancePins> pins;
  const auto add_pair = [&](std::int64_t v, std::int64_t g) {
    pins.push_back({far_end(sources, v), far_end(sources, g), v, true, g});
  };
  const auto add_single = [&](std::int64_t i) { pins.push_back({far_end(sources, i), kGround, i, false}); };
  // `…_v` and `…_g` are usually adjacent; the rest are matched through a sorted list of unpaired halves.
  const SourceNames names(circuit);
  std::vector<Half> open;
  for (std::int64_t i = 0; i < sources.size(); ++i) {
    const NodeId a = sources.a[i], b = sources.b[i];
    if (a != kGround && b != kGround) {
      pins.push_back({a, b, i, false});
      continue;
    }
    std::string_view name = names[i];
    const char side = name.size() < 3 || name[name.size() - 2] != '_' ? ' ' : static_cast<char>(name.back() | 0x20);
    if (side != 'v' && side != 'g') {
      add_single(i);
      continue;
    }
    name.remove_suffix(2);
    const bool is_power = side == 'v';
    if (!open.empty() && open.back().stem == name && open.back().is_power != is_power) {
      const std::int64_t j = open.back().source;
      add_pair(is_power ? i : j, is_power ? j : i);
      open.pop_back();
    } else {
      open.push_back({name, i, is_power});
    }
  }
  std::stable_sort(open.begin(), open.end(), [](const Half& a, const Half& b) { return a.stem < b.stem; });
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (i + 1 == open.size() || open[i].stem != open[i + 1].stem || open[i].is_power == open[i + 1].is_power) {
      add_single(open[i].source);
      continue;
    }
    const std::size_t v = open[i].is_power ? i : i + 1, g = open[i].is_power ? i + 1 : i;
    add_pair(open[v].source, open[g].source);
    ++i;
  }
  return pins;
}

std::optional<InstanceResult> instance_at(const InstancePins& pins, std::span<const double> amperes,
                                          const NodeTable& nodes, std::span<const NetResult> nets) {
  NodeId power = pins.power, ground = pins.ground;
  if (nodes.net[power] < 0 || nodes.net[power] == nodes.net[ground]) return std::nullopt;
  if (nodes.net[ground] < 0 && !pins.is_one_ended()) return std::nullopt;
  if (!pins.is_pair && nets[nodes.net[power]].is_ground) std::swap(power, ground);
  const double drop = power == kGround ? 0 : nodes.drop_v[power], bounce = ground == kGround ? 0 : nodes.drop_v[ground];
  return InstanceResult{power,       ground,      drop, bounce, drop + bounce, std::abs(amperes[pins.source]),
                        pins.source, pins.is_pair};
}

std::vector<InstanceResult> instances_at(std::span<const InstancePins> pins, std::span<const double> amperes,
                                         const NodeTable& nodes, std::span<const NetResult> nets) {
  return parallel_list<InstanceResult>(static_cast<std::int64_t>(pins.size()), [&](std::int64_t k, auto& list) {
    if (const auto instance = instance_at(pins[k], amperes, nodes, nets)) list.push_back(*instance);
  });
}

SinkName instance_name(const Circuit& circuit, const InstanceResult& instance) {
  std::string name = circuit.element_name(kCurrentSource, instance.source);
  if (instance.is_pair) name.resize(name.size() - 2);
  const bool is_on_one_net = instance.power == kGround || instance.ground == kGround;
  SinkName sink = is_on_one_net ? sink_name(circuit, instance.source) : SinkName{};
  return sink.instance.empty() ? SinkName{std::move(name), ""} : sink;
}

void sort_instances(std::vector<InstanceResult>& instances) {
  const auto count = static_cast<std::int64_t>(instances.size());
  std::vector<std::pair<double, std::int64_t>> order(instances.size());  // far smaller than what it orders
  parallel_each(count, [&](std::int64_t i) { order[i] = {-instances[i].combined_v, i}; });
  parallel_sort(order, std::less<>());
  std::vector<InstanceResult> sorted(instances.size());
  parallel_each(count, [&](std::int64_t i) { sorted[i] = instances[order[i].second]; });
  instances = std::move(sorted);
}

}  // namespace gridiron
