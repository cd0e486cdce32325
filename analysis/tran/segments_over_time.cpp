// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/segments_over_time.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/segments.hpp"
#include "support/lists.hpp"
#include "support/parallel.hpp"

namespace gridiron {

SegmentMeter::SegmentMeter(const IrReport& dc, const Topology& topology, int64_t scenarios)
    : dc_(dc), network_(topology.grid.network), scenarios_(scenarios) {
  for_each_edge(*dc.circuit, [&](int64_t resistor, int64_t edge) {
    if (!dc.segments.has(resistor)) return;
    const int32_t part = topology.parts.part[grid_end(*dc.circuit, resistor)];
    resistor_.push_back(resistor);
    edge_.push_back(edge);
    turned_conductance_.push_back(topology.nets.inverted[part] ? -network_.conductance[edge]
                                                               : network_.conductance[edge]);
  });
}

void SegmentMeter::add(int64_t j, const Potentials& deviation, double weight, double step) {
  if (j == 0) seconds_ += weight;
  sums_.resize(resistor_.size() * static_cast<size_t>(scenarios_));
  CurrentOverTime* const sums = sums_.data() + static_cast<size_t>(j) * resistor_.size();
  parallel_each(std::ssize(resistor_), [&](int64_t s) {
    const double change = deviation[network_.a[edge_[s]]] - deviation[network_.b[edge_[s]]];
    const double amperes = dc_.segments.current_a[resistor_[s]] + turned_conductance_[s] * change;
    sums[s].take(amperes, weight, 0, step);
  });
}

void SegmentMeter::add_errors(const StepErrors& errors, const Merge& merge, int64_t j, bool has_curves) {
  const auto local = errors.local_weights();
  const auto curve = has_curves ? errors.curvature_weights() : std::nullopt;
  if (!local && !curve) return;
  error_.resize(resistor_.size());
  const auto states = errors.states(j);
  parallel_each(std::ssize(resistor_), [&](int64_t s) {
    const int32_t a = merge.group[network_.a[edge_[s]]], b = merge.group[network_.b[edge_[s]]];
    double v[4];
    for (size_t k = 0; k < 4; ++k)
      v[k] = (a < merge.unknowns ? states[k][a] : 0.0) - (b < merge.unknowns ? states[k][b] : 0.0);
    double volts = 0;
    if (local) volts = std::min(std::abs(local->sum(v[0], v[1], v[2], v[3])), std::abs(v[0] - v[1]));
    if (curve) volts = std::max(volts, std::abs(curve->sum(v[0], v[1], v[2], v[3])));
    error_[s] = std::max(error_[s], std::abs(turned_conductance_[s]) * volts);
  });
}

std::vector<double> SegmentMeter::errors() const {
  if (error_.empty()) return {};
  std::vector<double> errors(dc_.segments.current_a.size(), 0.0);
  for (size_t s = 0; s < error_.size(); ++s) errors[resistor_[s]] = error_[s];
  return errors;
}

SegmentTables SegmentMeter::tables(const Merge& merge) const {
  SegmentTables tables{{}, {}, turned_conductance_, {}};
  const auto place = [&](NodeId n) { return merge.group[n] < merge.unknowns ? merge.group[n] : -1; };
  for (size_t s = 0; s < edge_.size(); ++s) {
    tables.a.push_back(place(network_.a[edge_[s]]));
    tables.b.push_back(place(network_.b[edge_[s]]));
    tables.at_rest_a.push_back(dc_.segments.current_a[resistor_[s]]);
  }
  return tables;
}

void SegmentMeter::take(std::vector<CurrentOverTime> segments, double seconds) {
  sums_ = std::move(segments);
  seconds_ = seconds;
}

SegmentsOverTime SegmentMeter::take(std::optional<double> recovery) const {
  SegmentsOverTime table;
  for (std::vector<double>* column : {&table.average_a, &table.rms_a, &table.peak_a, &table.wearing_a})
    if (recovery || column != &table.wearing_a) column->assign(dc_.segments.current_a.size(), NAN);
  const auto keep = [](double value, double& largest) {
    if (!(std::abs(value) <= std::abs(largest))) largest = value;
  };
  for (size_t k = 0; k < sums_.size(); ++k) {
    const int64_t resistor = resistor_[k % resistor_.size()];
    keep(sums_[k].amperes / seconds_, table.average_a[resistor]);
    keep(std::sqrt(sums_[k].squares / seconds_), table.rms_a[resistor]);
    keep(sums_[k].peak, table.peak_a[resistor]);
    if (!recovery) continue;
    const double forward = sums_[k].forward, backward = std::max(forward - sums_[k].amperes, 0.0);
    const double wearing = std::max(forward, backward) - *recovery * std::min(forward, backward);
    keep(wearing / seconds_, table.wearing_a[resistor]);
  }
  return table;
}

void judge_segments(TranReport& report, const Topology& topology, std::span<const double> errors_a,
                    const EmLimitsOverTime& limits) {
  IrReport& worst = report.worst;
  const Elements& resistors = worst.circuit->resistors;
  const auto show = [&](const std::vector<double>& amperes) {
    worst.segments.current_a = amperes;
    worst.segment_layers = layer_results(segments_by_layer(*worst.circuit, worst.nodes, worst.segments));
  };
  for (size_t i = 0; i < worst.segments.power_w.size(); ++i)
    worst.segments.power_w[i] = resistors.value[i] * report.segments.rms_a[i] * report.segments.rms_a[i];
  std::vector<EmLimit> all;
  const auto judge = [&](const char* quantity, const std::vector<EmLimit>& of, const std::vector<double>& amperes) {
    const bool is_open = report.accuracy.missed_since_s < report.stop_s;
    std::vector<double> at_most = amperes;
    for (size_t i = 0; i < at_most.size(); ++i)
      at_most[i] = (std::abs(at_most[i]) + (errors_a.empty() ? 0.0 : errors_a[i])) *
                   (is_open ? 1.0 : 1 + report.accuracy.missed_share);
    show(at_most);
    const std::vector<EmLimitResult> with_errors = check_em_limits(worst, topology, of);
    show(amperes);
    std::vector<EmLimitResult> results = check_em_limits(worst, topology, of);
    for (size_t k = 0; k < results.size(); ++k) {
      EmLimitResult& result = results[k];
      result.quantity = quantity;
      result.is_open =
          is_open || (!result.undecided && !result.exceeded && (with_errors[k].exceeded || with_errors[k].undecided));
      result.undecided |= result.is_open && !result.exceeded;
      worst.em_limits.push_back(std::move(result));
    }
    append(all, of);
    append(worst.unlimited_layers, unlimited_layers(worst, of, quantity));
  };
  judge("average", limits.average, report.segments.average_a);
  judge("rms", limits.rms, report.segments.rms_a);
  judge("peak", limits.peak, report.segments.peak_a);
  append(worst.findings, tell_em_limits(worst, all));
}

void judge_by_rules(TranReport& report, const Topology& topology, std::span<const double> errors_a,
                    const EmSettings& settings) {
  EmOverTime over_time{std::move(report.segments.wearing_a), report.segments.rms_a, errors_a};
  report.segments.wearing_a.clear();
  over_time.is_open = report.accuracy.missed_since_s < report.stop_s;
  if (!over_time.is_open) over_time.missed_share = report.accuracy.missed_share;
  report.worst.em = judge_em(report.worst, topology, settings, report.worst.findings, std::move(over_time));
}

}  // namespace gridiron
