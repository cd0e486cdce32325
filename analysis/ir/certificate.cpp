// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/certificate.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engines/weak_parts.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Adds the currents of edges [begin, end) to those of their nodes that lie in [first, last).
template <class Sum>
void add_currents(const MergedNetwork& network, std::int64_t begin, std::int64_t end, FineVoltages voltage,
                  std::int32_t first, std::int32_t last, std::span<Sum> sum) {
  for (std::int64_t e = begin; e < end; ++e) {
    const std::int32_t i = network.a[e], j = network.b[e];
    const bool has_i = i >= first && i < last, has_j = j >= first && j < last;
    if (!has_i && !has_j) continue;
    const FineVoltages::Difference volts = voltage.difference(i, j);
    if (has_i) sum[i].add_current(network.conductance[e], volts);
    if (has_j) sum[j].add_current(-network.conductance[e], volts);
  }
}

constexpr std::int64_t kEdgesPerReach = 4096;

/// What storing voltages, and the pads that they hold currents through, as doubles costs.
double rounding_of(double largest_volts) { return 8 * std::numeric_limits<double>::epsilon() * largest_volts; }

}  // namespace

void add_unrounded(std::span<const double> x, std::span<double> value, std::span<double> rest) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double small = rest[i] + x[i], sum = value[i] + small;
    const double part = sum - value[i];
    rest[i] = (value[i] - (sum - part)) + (small - part);
    value[i] = sum;
  }
}

ErrorBound::ErrorBound(const MergedNetwork& network, std::vector<std::int32_t> system, std::int32_t systems,
                       DataError data_error)
    : network_(&network),
      system_(std::move(system)),
      system_w_(systems, 0.0),
      system_margin_(systems, kInfinity),
      data_error_(data_error) {
  reach_.resize((network.edges() + kEdgesPerReach - 1) / kEdgesPerReach);
  parallel_ranges(
      network.edges(),
      [&](std::int64_t begin, std::int64_t end) {
        Reach reach{network.nodes, -1};
        for (std::int64_t e = begin; e < end; ++e) {
          reach.lowest = std::min({reach.lowest, network.a[e], network.b[e]});
          reach.highest = std::max({reach.highest, network.a[e], network.b[e]});
        }
        reach_[begin / kEdgesPerReach] = reach;
      },
      kEdgesPerReach);
}

template <class Sum, class TakeSum>
void ErrorBound::apply(FineVoltages voltage, TakeSum take) const {
  const std::vector<double>& pad = network_->pad;
  const std::int64_t nodes = network_->nodes, edges = network_->edges();
  std::vector<Sum> sum(nodes);
  const std::int64_t threads = omp_in_parallel() ? 1 : omp_get_max_threads();
  parallel_tasks(threads, [&](std::int64_t t) {
    const auto first = static_cast<std::int32_t>(nodes * t / threads),
               last = static_cast<std::int32_t>(nodes * (t + 1) / threads);
    for (std::int32_t i = first; i < last; ++i)
      if (pad[i] != 0) sum[i].add_current(pad[i], voltage.at(i));
    for (std::size_t r = 0; r < reach_.size(); ++r) {
      if (reach_[r].highest < first || reach_[r].lowest >= last) continue;
      const std::int64_t begin = static_cast<std::int64_t>(r) * kEdgesPerReach;
      add_currents<Sum>(*network_, begin, std::min(edges, begin + kEdgesPerReach), voltage, first, last, sum);
    }
    for (std::int32_t i = first; i < last; ++i) take(i, sum[i]);
  });
}

template <class Sum>
std::vector<double> ErrorBound::at_least(FineVoltages voltage) const {
  std::vector<double> current(network_->nodes);
  apply<Sum>(voltage, [&](std::int32_t i, const Sum& sum) { current[i] = sum.value() - sum.rounding(); });
  return current;
}

bool ErrorBound::set_barrier(FineVoltages w) {
  levels_.reset();
  return (w.rest.empty() && check_barrier(w.value, at_least<RoughSum>(w))) ||
         check_barrier(w.value, at_least<FineSum>(w));
}

bool ErrorBound::set_barrier(FineVoltages w, WeakLevels levels) {
  levels_ = std::move(levels);
  has_weak_part_.assign(system_w_.size(), false);
  for (std::int32_t i = 0; i < network_->nodes; ++i)
    if (levels_->part(i) >= 0) has_weak_part_[system_[i]] = true;
  if (!check_barrier(w.value, at_least<FineSum>(w))) return levels_.reset(), false;
  double held = 0;
  for (std::size_t s = 0; s < system_w_.size(); ++s)
    if (has_weak_part_[s]) held = std::max(held, system_w_[s] / system_margin_[s]);
  const double amplification = levels_->amplification(held);
  if (!std::isfinite(amplification)) return levels_.reset(), false;
  for (std::size_t s = 0; s < system_w_.size(); ++s)
    if (has_weak_part_[s]) system_w_[s] *= amplification;
  max_w_ = *std::max_element(system_w_.begin(), system_w_.end());
  return true;
}

bool ErrorBound::check_barrier(std::span<const double> w, std::span<const double> gw) {
  std::fill(system_w_.begin(), system_w_.end(), 0.0);
  std::fill(system_margin_.begin(), system_margin_.end(), kInfinity);
  double margin = 1;
  max_w_ = 0;
  for (std::int32_t i = 0; i < network_->nodes; ++i) {
    const std::int32_t s = system_[i];
    if (s < 0) continue;
    if (!(w[i] >= 0)) return delta_ = 1, false;
    system_w_[s] = std::max(system_w_[s], w[i]);
    max_w_ = std::max(max_w_, w[i]);
    if (levels_ && levels_->is_anchor(i)) continue;
    if (!(gw[i] > 0)) return delta_ = 1, false;
    system_margin_[s] = std::min(system_margin_[s], gw[i]);
    margin = std::min(margin, gw[i]);
  }
  delta_ = 1 - margin;
  return true;
}

/// A level that hangs on a tiny current makes w large in comparison to what a typical node could build up itself. The
/// typical conductance is the median of a sample: a few huge ones must not decide.
std::optional<WeakLevels> ErrorBound::levels_for(std::span<const double> w) const {
  constexpr std::int64_t kSample = 1001;
  const std::int64_t edges = network_->edges(), stride = std::max<std::int64_t>(1, edges / kSample);
  std::vector<double> sample;
  for (std::int64_t e = 0; e < edges; e += stride) sample.push_back(network_->conductance[e]);
  if (sample.empty()) return std::nullopt;
  const auto median = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::nth_element(sample.begin(), median, sample.end());
  const double of_node = *median * 2 * static_cast<double>(edges) / network_->nodes;
  if (!(*std::max_element(w.begin(), w.end()) * of_node * weak::kTie > 1)) return std::nullopt;
  return WeakLevels::find(*network_, system_);
}

void ErrorBound::settle(std::span<const double> injection, std::span<double> value, std::span<double> rest) const {
  constexpr int kSteps = 2;  // the second for what rounding leaves of the first
  for (int step = 0; levels_ && step < kSteps; ++step) {
    const std::vector<double> shift = levels_->shifts(levels_->sums({value, rest}, injection));
    std::vector<double> x(value.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::int32_t part = levels_->part(static_cast<std::int32_t>(i));
      x[i] = part < 0 ? 0.0 : shift[part];
    }
    add_unrounded(x, value, rest);
  }
}

double ErrorBound::level_error(FineVoltages voltage, std::span<const double> injection) const {
  if (!levels_) return 0;
  WeakLevels::Sums sums = levels_->sums(voltage, injection);
  for (std::size_t k = 0; k < sums.value.size(); ++k) sums.rounding[k] += std::abs(sums.value[k]);
  for (std::int32_t i = 0; i < network_->nodes; ++i)
    if (levels_->part(i) >= 0) sums.rounding[levels_->part(i)] += rounding_of_injection(i, injection);
  return levels_->bound(sums.rounding);
}

/// Of the sum of the loads; what else is injected is covered by data_error_.volts.
double ErrorBound::rounding_of_injection(std::int32_t i, std::span<const double> injection) const {
  const double given = data_error_.given_currents.empty() ? 0.0 : data_error_.given_currents[i];
  return std::numeric_limits<double>::epsilon() * std::abs(injection[i] - given);
}

double ErrorBound::residual_for(double tolerance) const {
  double residual = kInfinity;
  for (std::size_t s = 0; s < system_w_.size(); ++s)
    if (system_w_[s] > 0) residual = std::min(residual, tolerance * system_margin_[s] / system_w_[s]);
  return residual;
}

std::vector<double> ErrorBound::residual(FineVoltages voltage, std::span<const double> injection) const {
  std::vector<double> r(network_->nodes);
  apply<FineSum>(voltage, [&](std::int32_t i, const FineSum& sum) {
    r[i] = system_[i] < 0 ? 0.0 : (injection[i] - sum.hi) - sum.lo;
  });
  return r;
}

std::vector<double> ErrorBound::residual_magnitude(FineVoltages voltage, std::span<const double> injection) const {
  std::vector<double> r(network_->nodes);
  apply<FineSum>(voltage, [&](std::int32_t i, const FineSum& sum) {
    r[i] = std::abs((injection[i] - sum.hi) - sum.lo) + sum.rounding() + rounding_of_injection(i, injection);
  });
  return r;
}

ErrorBound::Result ErrorBound::bound(FineVoltages voltage, std::span<const double> injection) const {
  const std::vector<double> r = residual_magnitude(voltage, injection);
  std::vector<double> system_r(system_w_.size(), 0.0);
  double largest = 0;
  Result result{0, 0, 0};
  for (std::int32_t i = 0; i < network_->nodes; ++i) {
    const std::int32_t s = system_[i];
    if (s < 0) continue;
    if (!std::isfinite(r[i]) || !std::isfinite(voltage.value[i])) return {kInfinity, kInfinity, kInfinity};
    system_r[s] = std::max(system_r[s], r[i]);
    largest = std::max(largest, std::abs(voltage.value[i]));
  }
  const double level = level_error(voltage, injection);
  for (std::size_t s = 0; s < system_r.size(); ++s) {
    result.max_residual_a = std::max(result.max_residual_a, system_r[s]);
    const bool has_level = levels_ && has_weak_part_[s];
    const double r_held = system_r[s] + (has_level ? 2 * levels_->strongest_tie() * level : 0.0);
    if (r_held > 0)
      result.max_error_v =
          std::max(result.max_error_v, system_w_[s] * r_held / system_margin_[s] + (has_level ? level : 0.0));
  }
  result.rounding_v = rounding_of(largest) + data_error_.volts;
  result.max_error_v += result.rounding_v;
  return result;
}

void ErrorBound::prepare_quick_bounds() {
  if (quick_) return;
  std::vector<double> weight(system_.size(), -1.0);
  for (std::size_t i = 0; i < system_.size(); ++i)
    if (system_[i] >= 0) weight[i] = system_w_[system_[i]] / system_margin_[system_[i]];
  quick_.emplace(*network_, weight, data_error_.given_currents);
}

ErrorBound::QuickResult ErrorBound::quick_bound(std::span<const double> voltage,
                                                std::span<const double> injection) const {
  if (levels_) return {{kInfinity, kInfinity, kInfinity}, kInfinity, kInfinity};
  const QuickResidual::Size r = quick_->measure(voltage, injection);
  const double rounding = rounding_of(r.largest_v) + data_error_.volts;
  return {{r.largest_weighted + rounding, rounding, r.largest_a}, r.norm_a, r.injection_a};
}

std::vector<double> ErrorBound::residual_majorant(FineVoltages voltage, std::span<const double> injection) const {
  std::vector<double> r = residual_magnitude(voltage, injection);
  double largest = 0;
  for (std::int32_t i = 0; i < network_->nodes; ++i) largest = std::max(largest, r[i] = system_[i] < 0 ? 0.0 : r[i]);
  // A small floor keeps the loose solve from falling below the zeros of r.
  for (double& value : r) value += kMajorantFloor * largest;
  return r;
}

double ErrorBound::sharp_bound(std::span<const double> w, std::span<const double> majorant,
                               FineVoltages voltage) const {
  const std::vector<double> gw = at_least<FineSum>(w);
  double scale = 1, largest_w = 0, largest_v = 0;
  for (std::int32_t i = 0; i < network_->nodes; ++i) {
    if (system_[i] < 0) continue;
    if (!(w[i] >= 0) || !std::isfinite(voltage.value[i])) return kInfinity;
    if (majorant[i] == 0 ? !(gw[i] >= 0) : !(gw[i] > 0)) return kInfinity;
    if (majorant[i] > 0) scale = std::max(scale, majorant[i] / gw[i]);
    largest_w = std::max(largest_w, w[i]);
    largest_v = std::max(largest_v, std::abs(voltage.value[i]));
  }
  return scale * largest_w * (1 + 1e-12) + rounding_of(largest_v) + data_error_.volts;
}

}  // namespace gridiron
