// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/em/judge_em.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "analysis/results/em/em_findings.hpp"
#include "analysis/results/em/em_sections.hpp"
#include "analysis/results/loose_bound.hpp"
#include "analysis/results/segments.hpp"
#include "analysis/results/stress/stress_findings.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

/// Of one of the equal resistors, `copies`, that this one stands for.
double current_of(const IrReport& report, const EmReport& em, EmKind kind, int64_t resistor, double copies) {
  const std::vector<double>& amperes = kind == EmKind::average && !em.average_a.empty() ? em.average_a
                                       : kind == EmKind::rms && !em.rms_a.empty()       ? em.rms_a
                                                                                        : report.segments.current_a;
  return std::abs(amperes[resistor]) / copies;
}

class EmJudge {
 public:
  EmJudge(const IrReport& report, const Topology& topology, const ActiveEmRules& active, const EmOverTime& over_time,
          EmReport& em)
      : report_(report),
        topology_(topology),
        active_(active),
        over_time_(over_time),
        em_(em),
        terminals_(*report.circuit),
        error_v_(report.certificate.error_for_limits()) {
    const auto has_length = [](const ActiveEmRule& rule) { return !rule.length_um.is_all(); };
    if (std::ranges::any_of(active.rules, has_length)) lengths_ = metal_lengths(report);
  }

  EmAtPlaces judge_all(std::span<const EmShort> shorts) {
    const int64_t resistors = report_.circuit->resistors.size();
    assign_in_parallel(em_.rule, resistors, int32_t{-1});
    assign_in_parallel(em_.verdict, resistors, EmVerdict::none);
    std::vector<EmAtPlaces> of_range(static_cast<size_t>(resistors / kEdgeGrain + 1));
    for_ranges_of_edges(*report_.circuit, [&](int64_t begin, int64_t end, int64_t edge) {
      judge_range(begin, end, edge, of_range[begin / kEdgeGrain]);
    });
    EmAtPlaces all;
    for (const EmAtPlaces& some : of_range)
      for (const auto& [place, part] : some) all[place].take(part);
    count_shorts(shorts, all);
    return all;
  }

 private:
  /// Those under rules are not judged.
  void count_shorts(std::span<const EmShort> shorts, EmAtPlaces& places) {
    EmRuleFinder rules(report_, active_);
    for (const EmShort& metal : shorts) {
      const bool is_resistor = metal.kind == kResistor;
      const LayerPair layers = metal.layers;
      const int32_t cut =
          is_resistor ? em_section(report_, em_.layer_width_um, metal.element, layers).cut : EmSection().cut;
      if (!rules.of(layers, cut).is_on_layer) continue;
      EmAtPlace& at = places[{report_.nodes.net[metal.end], layers}];
      ++at.segments, ++at.unknown, ++at.shorts;
      if (is_resistor) em_.verdict[metal.element] = EmVerdict::unknown;
    }
  }

  void judge_range(int64_t begin, int64_t end, int64_t edge, EmAtPlaces& places) {
    EmRuleFinder rules(report_, active_);
    auto last = places.end();  // neighbours in the deck are mostly on one layer
    const Elements& resistors = report_.circuit->resistors;
    for (int64_t i = begin; i < end; ++i) {
      if (!is_edge(resistors, i)) continue;
      const double siemens = topology_.grid.network.conductance[edge++];
      if (!report_.segments.has(i)) continue;
      const NodeId a = resistors.a[i], b = resistors.b[i];
      const SegmentPlace place{report_.nodes.net[a == kGround ? b : a], layers_between(report_.nodes.layer, a, b)};
      if (place.layers.layer < 0) continue;
      if (last == places.end() || last->first != place) last = places.try_emplace(place).first;
      judge(i, place.layers, siemens, rules, last->second);
    }
  }

  void judge(int64_t i, LayerPair layers, double siemens, EmRuleFinder& finder, EmAtPlace& at) {
    const EmSection section = em_section(report_, em_.layer_width_um, i, layers);
    const EmRuleFinder::Rules& rules = finder.of(layers, section.cut);
    if (is_link(i, section)) return;
    ++at.segments;
    if (!rules.is_on_layer) {
      ++at.unruled;
      return;
    }
    const double copies = report_.circuit->copies_of(i);
    const double error_a = over_time_.error_a.empty() ? 0 : over_time_.error_a[i] / copies;
    const double factor = 1 + over_time_.missed_share, bound_a = 2 * std::abs(siemens) * error_v_ / copies;
    bool is_known = rules.is_known;
    double worst = -1, at_most = 0, certified = 0;
    unsigned wanted = 0, met = 0;  // kinds of which there are rules, and one for this segment
    for (const int32_t k : rules.rules) {
      const ActiveEmRule& rule = active_.rules[k];
      const EmAmount of = em_amount(rule, section);
      wanted |= 1U << static_cast<unsigned>(rule.kind);
      if (rule.unit == EmUnit::per_um && !is_for(rule, i, section.width_um, is_known)) continue;
      met |= 1U << static_cast<unsigned>(rule.kind);
      const double limit_a = of.amount * rule.limit_at(of.size);
      if (!(limit_a > 0)) {
        is_known = false;
        continue;
      }
      const double amperes = current_of(report_, em_, rule.kind, i, copies);
      const double ratio = amperes / limit_a;
      certified = std::max(certified, (amperes + bound_a) / limit_a);
      at_most = std::max(at_most, ((amperes + error_a) * factor + bound_a) / limit_a);
      if (ratio > worst) worst = ratio, em_.rule[i] = k;
    }
    if (worst >= 0) at.ratio.take({worst, i});
    at.at_most = std::max(at.at_most, at_most);
    at.certified = std::max(at.certified, certified);
    count(i, worst, at_most, is_known && wanted == met, at);
  }

  void count(int64_t i, double ratio, double at_most, bool is_known, EmAtPlace& at) {
    EmVerdict& verdict = em_.verdict[i];
    if (ratio > em_.share)
      verdict = EmVerdict::violated, ++at.violated;
    else if (!is_known)
      verdict = EmVerdict::unknown, ++at.unknown;
    else if (!(at_most <= em_.share))
      verdict = EmVerdict::undecided, ++at.undecided;
    else
      verdict = EmVerdict::kept;
    if (verdict == EmVerdict::unknown && at.first_unknown < 0) at.first_unknown = i;
  }

  /// Whether a rule of wires is for one of this width, and metal of its length. Where that is not known, nor is the
  /// segment.
  bool is_for(const ActiveEmRule& rule, int64_t i, double width_um, bool& is_known) const {
    if (!(width_um > 0)) return is_known = false;
    if (!rule.width_um.has(width_um)) return false;
    if (rule.length_um.is_all()) return true;
    const std::optional<bool> is_in = lengths_.is_in(rule.length_um, grid_end(*report_.circuit, i));
    if (!is_in) return is_known = false;
    return *is_in;
  }

  /// No metal, but what ties a terminal or a source to it.
  bool is_link(int64_t i, const EmSection& section) const {
    if (section.cuts > 0) return false;
    const Placement* placement = report_.circuit->placement.get();
    if (placement && i < std::ssize(placement->width) && placement->width[i] > 0) return false;
    return terminals_.has_link(i);
  }

  const IrReport& report_;
  const Topology& topology_;
  const ActiveEmRules& active_;
  const EmOverTime& over_time_;
  EmReport& em_;
  TerminalNodes terminals_;
  double error_v_;
  MetalLengths lengths_;  ///< empty where no rule is by length
};

EmRuleLimit limit_of(const IrReport& report, const EmReport& em, double share, const EmAtPlace& all, bool is_open) {
  EmRuleLimit limit;
  limit.limit = share;
  limit.value = std::max(all.ratio.value, 0.0);
  limit.bound = std::max(all.at_most - limit.value, 0.0);
  limit.failed = em.violated;
  limit.unknown = em.unknown;
  limit.exceeded = em.violated > 0;
  limit.is_estimated = report.certificate.is_estimated;
  limit.is_open = is_open || (all.certified <= share && !(all.at_most <= share));
  limit.undecided = !limit.exceeded && (limit.is_open || em.undecided > 0 || em.segments == 0);
  return limit;
}

}  // namespace

EmReport judge_em(const IrReport& report, const Topology& topology, const EmSettings& settings,
                  std::vector<Finding>& findings, EmOverTime over_time) {
  require_metal_layers(report, settings.layers);
  EmReport em;
  RuledLayers layers{*report.circuit, report.layer_names, {}};
  for (const SegmentLayerResult& layer : report.segment_layers)
    if (std::ranges::find(layers.of_segments, layer.layers) == layers.of_segments.end())
      layers.of_segments.push_back(layer.layers);
  const NodeTable& nodes = report.nodes;
  const std::vector<EmShort> shorts =
      shorts_of_metal(*report.circuit, nodes.layer, nodes.x_um, nodes.y_um,
                      [&](NodeId n) { return nodes.state[n] == NodeState::solved && nodes.net[n] >= 0; });
  add_layers(shorts, layers.of_segments);
  ActiveEmRules active = active_em_rules(settings, layers);
  append(findings, active.findings);
  append_absent_layers(report, settings.layers, "em-width-absent", findings);
  em.layer_width_um = table_widths(report.layer_names, settings.layers);
  em.average_a = std::move(over_time.average_a);
  em.rms_a = std::move(over_time.rms_a);
  em.temperature_c = settings.temperature_c;
  em.frequency_hz = settings.frequency_hz;
  em.share = settings.limit.value_or(1);
  const EmAtPlaces places = EmJudge(report, topology, active, over_time, em).judge_all(shorts);
  em.rules = std::move(active.rules);
  EmAtPlace all;
  for (const auto& [place, at] : places) {
    all.take(at);
    if (at.segments == at.unruled) continue;
    EmLayerResult& layer = em.layers.emplace_back();
    layer.net = place.net, layer.layers = place.layers;
    layer.segments = at.segments - at.unruled, layer.violated = at.violated, layer.undecided = at.undecided;
    layer.unknown = at.unknown;
    if (!(at.ratio.value >= 0)) continue;
    layer.worst = at.ratio.at;
    layer.ratio = at.ratio.value, layer.bound = std::max(at.at_most - at.ratio.value, 0.0);
    layer.row = em_row(report, em, layer.worst);
    layer.rule = em.rules[layer.row.rule].name;
  }
  em.segments = all.segments - all.unruled, em.violated = all.violated, em.undecided = all.undecided;
  em.unknown = all.unknown;
  append_em_findings(report, places, findings);
  if (settings.limit) em.limit = limit_of(report, em, *settings.limit, all, over_time.is_open);
  return em;
}

EmRow em_row(const IrReport& report, const EmReport& em, int64_t resistor) {
  EmRow row;
  row.rule = em.rule[resistor];
  const LayerPair layers = layers_of(report, resistor);
  const EmSection section = em_section(report, em.layer_width_um, resistor, layers);
  row.width_um = section.width_um;
  row.cuts = section.cuts;
  const double copies = report.circuit->copies_of(resistor);
  row.average_a = current_of(report, em, EmKind::average, resistor, copies);
  row.rms_a = current_of(report, em, EmKind::rms, resistor, copies);
  row.peak_a = current_of(report, em, EmKind::peak, resistor, copies);
  if (row.rule < 0) return row;
  const ActiveEmRule& rule = em.rules[row.rule];
  const EmAmount of = em_amount(rule, section);
  row.limit = rule.limit_at(of.size);
  row.value = current_of(report, em, rule.kind, resistor, copies) / of.amount;
  row.ratio = row.value / row.limit;
  return row;
}

std::vector<int64_t> em_worst_first(const IrReport& report, const EmReport& em, size_t most) {
  struct Entry {
    double ratio;
    int64_t resistor;
  };
  const auto is_worse = [](const Entry& a, const Entry& b) {
    return a.ratio != b.ratio ? a.ratio > b.ratio : a.resistor < b.resistor;
  };
  std::vector<Entry> entries = parallel_list<Entry>(std::ssize(em.rule), [&](int64_t i, auto& list) {
    if (em.rule[i] >= 0) list.push_back({em_row(report, em, i).ratio, i});
  });
  if (entries.size() > most) {
    std::nth_element(entries.begin(), entries.begin() + static_cast<ptrdiff_t>(most), entries.end(), is_worse);
    entries.resize(most);
  }
  parallel_sort(entries, is_worse);
  std::vector<int64_t> rows;
  resize_untouched(rows, entries.size());
  parallel_each(std::ssize(entries), [&](int64_t k) { rows[k] = entries[k].resistor; });
  return rows;
}

std::string describe(const EmRuleLimit& limit, const IrReport& report, const EmReport& em) {
  if (em.segments == 0) return "electromigration: no segment is judged";
  const auto worst = std::ranges::max_element(em.layers, {}, &EmLayerResult::ratio);
  const std::string value = worst == em.layers.end() || worst->worst < 0
                                ? "electromigration: no segment"
                                : fmt::format("electromigration: {:.4g} % of {} in {}", 100 * limit.value, worst->rule,
                                              report.circuit->element_name(kResistor, worst->worst));
  const std::string limit_text = fmt::format("{:.4g} %", 100 * limit.limit);
  if (limit.exceeded)
    return fmt::format("{} exceeds {}{}{}", value, limit_text,
                       by_less_than(100 * (limit.value - limit.limit), 100 * limit.bound, "%",
                                    limit.is_estimated ? "estimated error" : "certified error"),
                       limit.failed > 1 ? fmt::format(", one of {} segments that do", limit.failed) : "");
  if (limit.is_open)
    return fmt::format("{} is within {}, but by less than what steps in time may miss", value, limit_text);
  if (limit.undecided && limit.is_estimated)
    return fmt::format("{} is within {}, but {}", value, limit_text,
                       std::isfinite(limit.bound)
                           ? fmt::format("its error of {:.2g} %, an estimate, leaves it open", 100 * limit.bound)
                           : fmt::format("errors are estimated only; accept that by {}", field("accept_estimate")));
  if (limit.undecided)
    return fmt::format("{} is within {}, but {}", value, limit_text, certified_only_to(100 * limit.bound, "%"));
  return fmt::format("{} is within {}", value, limit_text);
}

std::string unknown_ratio(const EmRuleLimit& limit, const EmReport& em) {
  if (em.segments == 0) return "no rule is for metal that has segments; see the findings";
  if (limit.unknown == 0) return "";
  return fmt::format(
      "electromigration: {} cannot be judged, as currents, widths, cuts or lengths are not known, or no rule is "
      "for them; see the findings",
      counted(limit.unknown, "segment"));
}

}  // namespace gridiron
