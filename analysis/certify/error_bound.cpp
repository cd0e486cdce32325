// SPDX-License-Identifier: Apache-2.0
#include "analysis/certify/error_bound.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "analysis/model/system.hpp"
#include "linalg/weak_parts.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// Adds the currents of edges [begin, end) to those of their nodes that lie in [first, last): sum[0] is of node
/// `first`.
template <class Sum>
void add_currents(const MergedNetwork& network, int64_t begin, int64_t end, FineVoltages voltage, int32_t first,
                  int32_t last, std::span<Sum> sum) {
  for (int64_t e = begin; e < end; ++e) {
    const int32_t i = network.a[e], j = network.b[e];
    const bool has_i = i >= first && i < last, has_j = j >= first && j < last;
    if (!has_i && !has_j) continue;
    const auto current = Sum::current(network.conductance[e], voltage.difference(i, j));
    if (has_i) sum[i - first].add_current(current);
    if (has_j) sum[j - first].add_current(-current);
  }
}

constexpr int64_t kEdgesTogether = 2048;

/// What storing voltages, and the pads that they hold currents through, as doubles costs.
double rounding_of(double largest_volts) { return 8 * std::numeric_limits<double>::epsilon() * largest_volts; }

}  // namespace

void add_unrounded(std::span<const double> x, std::span<double> value, std::span<double> rest) {
  parallel_each(std::ssize(x), [&](int64_t i) {
    const double small = rest[i] + x[i], sum = value[i] + small;
    const double part = sum - value[i];
    rest[i] = (value[i] - (sum - part)) + (small - part);
    value[i] = sum;
  });
}

ErrorBound::ErrorBound(const MergedNetwork& network, std::span<const int32_t> system, int32_t systems,
                       DataError data_error, std::shared_ptr<const Shares> shares)
    : network_(&network),
      system_(system),
      system_w_(systems, 0.0),
      system_margin_(systems, INFINITY),
      data_error_(data_error),
      shares_(std::move(shares)) {
  zones_.resize((network.edges() + kEdgesTogether - 1) / kEdgesTogether);
  parallel_ranges(
      network.edges(),
      [&](int64_t begin, int64_t end) {
        uint64_t zones = 0;
        const auto add_end = [&, first = 0,
                              last = 0](int32_t node) mutable {  // mostly in the zone of the one before
          if (node >= first && node < last) return;
          const int64_t zone = zone_of(node);
          first = static_cast<int32_t>(first_of_zone(zone));
          last = static_cast<int32_t>(first_of_zone(zone + 1));
          zones |= uint64_t{1} << zone;
        };
        auto add_a = add_end, add_b = add_end;
        for (int64_t e = begin; e < end; ++e) {
          add_a(network.a[e]);
          add_b(network.b[e]);
        }
        zones_[begin / kEdgesTogether] = zones;
      },
      kEdgesTogether);
}

template <class Sum, class TakeSum>
void ErrorBound::apply(FineVoltages voltage, TakeSum take) const {
  const std::vector<double>& pad = network_->pad;
  const int64_t edges = network_->edges();
  constexpr int64_t kLeastOwners = 8;  // so that their sums take little memory
  const int64_t owners = std::clamp<int64_t>(omp_get_max_threads(), kLeastOwners, kZones);
  parallel_tasks(owners, [&](int64_t t) {
    const int64_t first_zone = kZones * t / owners, zones = kZones * (t + 1) / owners - first_zone;
    const auto first = static_cast<int32_t>(first_of_zone(first_zone)),
               last = static_cast<int32_t>(first_of_zone(first_zone + zones));
    const uint64_t own = (~uint64_t{0} >> (kZones - zones)) << first_zone;
    std::vector<Sum> sum(last - first);
    for (int32_t i = first; i < last; ++i)
      if (pad[i] != 0) sum[i - first].add_current(Sum::current(pad[i], voltage.at(i)));
    for (size_t k = 0; k < zones_.size(); ++k) {
      if ((zones_[k] & own) == 0) continue;
      const int64_t begin = static_cast<int64_t>(k) * kEdgesTogether;
      add_currents<Sum>(*network_, begin, std::min(edges, begin + kEdgesTogether), voltage, first, last, sum);
    }
    for (int32_t i = first; i < last; ++i) take(i, sum[i - first]);
  });
}

template <class Value>
std::vector<double> ErrorBound::most_of_systems(double least, Value value) const {
  std::vector<double> most(system_w_.size(), least);
  parallel_ranges(network_->nodes, [&](int64_t begin, int64_t end) {
    // Neighbouring nodes mostly share their system: it is told of the largest of a run.
    int32_t system = -1;
    double of_run = least;
    const auto end_run = [&] {
      if (system < 0) return;
      std::atomic_ref shared(most[system]);
      double before = shared.load(std::memory_order_relaxed);
      while (of_run > before && !shared.compare_exchange_weak(before, of_run, std::memory_order_relaxed))
        ;
    };
    for (int64_t i = begin; i < end; ++i) {
      if (system_[i] != system) {
        end_run();
        system = system_[i];
        of_run = least;
      }
      if (system >= 0) of_run = std::max(of_run, value(i));
    }
    end_run();
  });
  if (shares_) shares_->largest(most);
  return most;
}

template <class Take>
void ErrorBound::take_undecided(FineVoltages voltage, double known, Take take) const {
  constexpr double kRounding = kConductanceRounding * (1 + 1e-8);  // with that of the products here
  for (const auto& [a, b, siemens, volts] : network_->opposed) {
    const FineVoltages::Difference ahead = b < 0 ? voltage.at(a) : voltage.difference(a, b);
    const double amperes = kRounding * siemens * (std::abs(ahead.high - known * volts) + std::abs(ahead.low));
    take(a, amperes);
    if (b >= 0) take(b, amperes);
  }
}

template <class Sum>
std::vector<double> ErrorBound::at_least(FineVoltages voltage) const {
  std::vector<double> current;
  make_room_in_parallel(current, network_->nodes);
  apply<Sum>(voltage, [&](int32_t i, const Sum& sum) { current[i] = sum.value() - sum.rounding(); });
  take_undecided(voltage, 0, [&](int32_t i, double amperes) { current[i] -= amperes; });
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
  for (int32_t i = 0; i < network_->nodes; ++i)
    if (levels_->part(i) >= 0) has_weak_part_[system_[i]] = true;
  if (!check_barrier(w.value, at_least<FineSum>(w))) return levels_.reset(), false;
  double held = 0;
  for (size_t s = 0; s < system_w_.size(); ++s)
    if (has_weak_part_[s]) held = std::max(held, system_w_[s] / system_margin_[s]);
  const double amplification = levels_->amplification(held);
  if (!std::isfinite(amplification)) return levels_.reset(), false;
  for (size_t s = 0; s < system_w_.size(); ++s)
    if (has_weak_part_[s]) system_w_[s] *= amplification;
  max_w_ = *std::ranges::max_element(system_w_);
  return true;
}

bool ErrorBound::check_barrier(std::span<const double> w, std::span<const double> gw) {
  const auto is_held = [&](int64_t i) { return levels_ && levels_->is_anchor(static_cast<int32_t>(i)); };
  const bool is_barrier = holds_for_all(
      network_->nodes, [&](int64_t i) { return system_[i] < 0 || (w[i] >= 0 && (is_held(i) || gw[i] > 0)); });
  delta_ = 1;
  if (largest_of_all(is_barrier ? 0.0 : 1.0) > 0) return false;
  system_w_ = most_of_systems(0, [&](int64_t i) { return w[i]; });
  system_margin_ = most_of_systems(-INFINITY, [&](int64_t i) { return is_held(i) ? -INFINITY : -gw[i]; });
  for (double& margin : system_margin_) margin = -margin;
  max_w_ = system_w_.empty() ? 0 : *std::ranges::max_element(system_w_);
  delta_ = 1 - std::accumulate(system_margin_.begin(), system_margin_.end(), 1.0,
                               [](double least, double margin) { return std::min(least, margin); });
  return true;
}

/// A level that hangs on a tiny current makes w large in comparison to what a typical node could build up itself. The
/// typical conductance is the median of a sample: a few huge ones must not decide.
std::optional<WeakLevels> ErrorBound::levels_for(std::span<const double> w) const {
  if (shares_ || !network_->opposed.empty()) return std::nullopt;
  constexpr int64_t kSample = 1001;
  const int64_t edges = network_->edges(), stride = std::max<int64_t>(1, edges / kSample);
  std::vector<double> sample;
  for (int64_t e = 0; e < edges; e += stride) sample.push_back(network_->conductance[e]);
  if (sample.empty()) return std::nullopt;
  const auto median = sample.begin() + sample.size() / 2;
  std::nth_element(sample.begin(), median, sample.end());
  const double of_node = *median * 2 * static_cast<double>(edges) / network_->nodes;
  const double largest = parallel_max(network_->nodes, [&](int64_t i) { return w[i]; });
  if (!(largest * of_node * weak::kTie > 1)) return std::nullopt;
  return WeakLevels::find(*network_, system_);
}

void ErrorBound::settle(const FineInjection& injection, std::span<double> value, std::span<double> rest) const {
  constexpr int kSteps = 2;  // the second for what rounding leaves of the first
  for (int step = 0; levels_ && step < kSteps; ++step) {
    const std::vector<double> shift = levels_->shifts(levels_->sums({value, rest}, injection));
    std::vector<double> x;
    assign_in_parallel(x, std::ssize(value));
    parallel_each(std::ssize(x), [&](int64_t i) {
      const int32_t part = levels_->part(static_cast<int32_t>(i));
      if (part >= 0) x[i] = shift[part];
    });
    add_unrounded(x, value, rest);
  }
}

double ErrorBound::level_error(FineVoltages voltage, const FineInjection& injection) const {
  if (!levels_) return 0;
  WeakLevels::Sums sums = levels_->sums(voltage, injection);
  for (size_t k = 0; k < sums.value.size(); ++k) sums.rounding[k] += std::abs(sums.value[k]);
  for (int32_t i = 0; i < network_->nodes; ++i)
    if (levels_->part(i) >= 0) sums.rounding[levels_->part(i)] += rounding_of_injection(i, injection);
  return levels_->bound(sums.rounding);
}

/// Of the sum of the loads; what else is injected is covered by data_error_.volts.
double ErrorBound::rounding_of_injection(int32_t i, const FineInjection& injection) const {
  const double given = data_error_.given_currents.empty() ? 0.0 : data_error_.given_currents[i];
  return injection.rounding_at(i, given);
}

double ErrorBound::residual_for(double tolerance) const {
  double residual = INFINITY;
  for (size_t s = 0; s < system_w_.size(); ++s)
    if (system_w_[s] > 0) residual = std::min(residual, tolerance * system_margin_[s] / system_w_[s]);
  return residual;
}

std::vector<double> ErrorBound::residual(FineVoltages voltage, const FineInjection& injection) const {
  std::vector<double> r;
  make_room_in_parallel(r, network_->nodes);
  apply<FineSum>(voltage, [&](int32_t i, const FineSum& sum) {
    r[i] = system_[i] < 0 ? 0.0 : (injection.value[i] - sum.hi) - (sum.lo - injection.rest_at(i));
  });
  return r;
}

std::vector<double> ErrorBound::residual_magnitude(FineVoltages voltage, const FineInjection& injection) const {
  std::vector<double> r;
  make_room_in_parallel(r, network_->nodes);
  apply<FineSum>(voltage, [&](int32_t i, const FineSum& sum) {
    FineSum less = sum;
    less.lo -= injection.rest_at(i);
    r[i] = less.most_residual(injection.value[i], rounding_of_injection(i, injection));
  });
  take_undecided(voltage, 1, [&](int32_t i, double amperes) { r[i] += amperes; });
  return r;
}

ErrorBound::Result ErrorBound::bound(FineVoltages voltage, const FineInjection& injection) const {
  const std::vector<double> r = residual_magnitude(voltage, injection);
  const bool is_finite = holds_for_all(network_->nodes, [&](int64_t i) {
    return system_[i] < 0 || (std::isfinite(r[i]) && std::isfinite(voltage.value[i]));
  });
  if (largest_of_all(is_finite ? 0.0 : 1.0) > 0) return {INFINITY, INFINITY, INFINITY};
  const std::vector<double> system_r = most_of_systems(0, [&](int64_t i) { return r[i]; });
  const double largest = largest_of_all(
      parallel_max(network_->nodes, [&](int64_t i) { return system_[i] < 0 ? 0.0 : std::abs(voltage.value[i]); }));
  Result result{0, 0, 0};
  const double level = level_error(voltage, injection);
  for (size_t s = 0; s < system_r.size(); ++s) {
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

ErrorBound::Result ErrorBound::bound(const FineResidual& residual) const {
  if (!residual.is_finite()) return {INFINITY, INFINITY, INFINITY};
  constexpr double kOfWeights = 1 + 4 * std::numeric_limits<double>::epsilon();  // their rounding, and of the product
  const double rounding = rounding_of(residual.largest_v) + data_error_.volts;
  return {kOfWeights * residual.largest_weighted + rounding, rounding, residual.largest_a};
}

std::vector<double> ErrorBound::weights() const {
  std::vector<double> weight;
  assign_in_parallel(weight, std::ssize(system_), -1.0);
  parallel_each(std::ssize(system_), [&](int64_t i) {
    if (system_[i] >= 0) weight[i] = system_w_[system_[i]] / system_margin_[system_[i]];
  });
  return weight;
}

void ErrorBound::prepare_quick_bounds() {
  if (!quick_) quick_.emplace(*network_, weights(), data_error_.given_currents);
}

ErrorBound::QuickResult ErrorBound::quick_bound(std::span<const double> voltage,
                                                std::span<const double> injection) const {
  return quick_bound(quick_->measure(voltage, injection));
}

ErrorBound::QuickResult ErrorBound::quick_bound(const QuickResidual::Size& r) const {
  if (!is_plain()) return {{INFINITY, INFINITY, INFINITY}, INFINITY, INFINITY};
  const double rounding = rounding_of(r.largest_v) + data_error_.volts;
  return {{r.largest_weighted + rounding, rounding, r.largest_a}, r.norm_a, r.injection_a};
}

std::vector<double> ErrorBound::residual_majorant(FineVoltages voltage, const FineInjection& injection) const {
  std::vector<double> r = residual_magnitude(voltage, injection);
  const double largest =
      largest_of_all(parallel_max(network_->nodes, [&](int64_t i) { return system_[i] < 0 ? 0.0 : r[i]; }));
  // A small floor keeps the loose solve from falling below the zeros of r.
  parallel_each(network_->nodes, [&](int64_t i) { r[i] = (system_[i] < 0 ? 0.0 : r[i]) + kMajorantFloor * largest; });
  return r;
}

double ErrorBound::sharp_bound(std::span<const double> w, std::span<const double> majorant,
                               FineVoltages voltage) const {
  const std::vector<double> gw = at_least<FineSum>(w);
  const bool is_barrier = holds_for_all(network_->nodes, [&](int64_t i) {
    if (system_[i] < 0) return true;
    return w[i] >= 0 && std::isfinite(voltage.value[i]) && std::isfinite(majorant[i]) &&
           (majorant[i] == 0 ? gw[i] >= 0 : gw[i] > 0);
  });
  if (largest_of_all(is_barrier ? 0.0 : 1.0) > 0) return INFINITY;
  const auto largest = [&](auto value) {
    return largest_of_all(parallel_max(network_->nodes, [&](int64_t i) { return system_[i] < 0 ? 0.0 : value(i); }));
  };
  const double scale = std::max(1.0, largest([&](int64_t i) { return majorant[i] > 0 ? majorant[i] / gw[i] : 0.0; }));
  const double largest_w = largest([&](int64_t i) { return w[i]; });
  const double largest_v = largest([&](int64_t i) { return std::abs(voltage.value[i]); });
  return scale * largest_w * (1 + 1e-12) + rounding_of(largest_v) + data_error_.volts;
}

ErrorBound error_bound(const System& system) {
  return ErrorBound(system.network(), system.connected_system(), system.topology().parts.systems, system.data_error(),
                    system.shares());
}

}  // namespace gridiron
