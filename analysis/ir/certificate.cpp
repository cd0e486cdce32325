// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/certificate.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// What a conductance may be off by, as a share of it: the resistance is rounded when it is read, scaled ("4.7k") and
/// multiplied ("m=3"), and so is its inverse.
constexpr double kConductanceRounding = 2 * std::numeric_limits<double>::epsilon();

/// A current summed in double precision, with a bound on what rounding has changed of it so far (Higham, Accuracy and
/// Stability of Numerical Algorithms, 4.3): half an epsilon of every partial sum, and four of every term, for its
/// conductance, its difference of voltages and their product.
struct RoughSum {
  double sum = 0, in_half_epsilons = 0;

  void add_product(double a, double b) { add(a * b); }
  void add_current(double conductance, double difference, double) { add(conductance * difference); }
  double rounding() const { return 0.51 * std::numeric_limits<double>::epsilon() * in_half_epsilons; }
  double value() const { return sum; }

 private:
  void add(double x) {
    sum += x;
    in_half_epsilons += std::abs(sum) + 8 * std::abs(x);
  }
};

/// Unevaluated sum of two doubles, 106 bits (Dekker 1971, Knuth's two-sum), and the sum of magnitudes.
struct FineSum {
  double hi = 0, lo = 0, gross = 0;

  void add_product(double a, double b) {
    const double p = a * b;
    add(p);
    lo += std::fma(a, b, -p);
  }
  void add_current(double conductance, double difference, double rest) {
    const double current = conductance * difference;
    add(current);
    lo += std::fma(conductance, difference, -current) + conductance * rest;
  }
  double rounding() const { return kConductanceRounding * gross; }
  double value() const { return hi + lo; }

 private:
  void add(double x) {
    gross += std::abs(x);
    const double sum = hi + x;
    const double part = sum - hi;
    lo += (hi - (sum - part)) + (x - part);
    hi = sum;
  }
};

/// Adds the currents of edges [begin, end) to those of their nodes that lie in [first, last).
template <class Sum>
void add_currents(const MergedNetwork& network, std::int64_t begin, std::int64_t end, FineVoltages voltage,
                  std::int32_t first, std::int32_t last, std::span<Sum> sum) {
  const std::span<const double> v = voltage.value, low = voltage.rest;
  for (std::int64_t e = begin; e < end; ++e) {
    const std::int32_t i = network.a[e], j = network.b[e];
    const bool has_i = i >= first && i < last, has_j = j >= first && j < last;
    if (!has_i && !has_j) continue;
    const double difference = v[i] - v[j];
    const double part = v[i] - difference;  // two-diff: difference + rest = v[i] − v[j] exactly
    double rest = (v[i] - (difference + part)) + (part - v[j]);
    if (!low.empty()) rest += low[i] - low[j];
    const double g = network.conductance[e];
    if (has_i) sum[i].add_current(g, difference, rest);
    if (has_j) sum[j].add_current(g, -difference, -rest);
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
  const std::span<const double> v = voltage.value, low = voltage.rest;
  const std::int64_t nodes = network_->nodes, edges = network_->edges();
  std::vector<Sum> sum(nodes);
  const std::int64_t threads = omp_in_parallel() ? 1 : omp_get_max_threads();
  parallel_tasks(threads, [&](std::int64_t t) {
    const auto first = static_cast<std::int32_t>(nodes * t / threads),
               last = static_cast<std::int32_t>(nodes * (t + 1) / threads);
    for (std::int32_t i = first; i < last; ++i) {
      if (pad[i] != 0) sum[i].add_product(pad[i], v[i]);
      if (pad[i] != 0 && !low.empty()) sum[i].add_product(pad[i], low[i]);
    }
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
  return (w.rest.empty() && set_barrier(w.value, at_least<RoughSum>(w))) || set_barrier(w.value, at_least<FineSum>(w));
}

bool ErrorBound::set_barrier(std::span<const double> w, std::span<const double> gw) {
  std::fill(system_w_.begin(), system_w_.end(), 0.0);
  std::fill(system_margin_.begin(), system_margin_.end(), kInfinity);
  double margin = 1;
  max_w_ = 0;
  for (std::int32_t i = 0; i < network_->nodes; ++i) {
    const std::int32_t s = system_[i];
    if (s < 0) continue;
    if (!(w[i] >= 0) || !(gw[i] > 0)) return delta_ = 1, false;
    system_w_[s] = std::max(system_w_[s], w[i]);
    system_margin_[s] = std::min(system_margin_[s], gw[i]);
    margin = std::min(margin, gw[i]);
    max_w_ = std::max(max_w_, w[i]);
  }
  delta_ = 1 - margin;
  return true;
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
    const double given = data_error_.given_currents.empty() ? 0.0 : data_error_.given_currents[i];
    r[i] = std::abs((injection[i] - sum.hi) - sum.lo) + sum.rounding() +
           std::numeric_limits<double>::epsilon() * std::abs(injection[i] - given);
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
  for (std::size_t s = 0; s < system_r.size(); ++s) {
    result.max_residual_a = std::max(result.max_residual_a, system_r[s]);
    if (system_r[s] > 0)
      result.max_error_v = std::max(result.max_error_v, system_w_[s] * system_r[s] / system_margin_[s]);
  }
  result.rounding_v = rounding_of(largest) + data_error_.volts;
  result.max_error_v += result.rounding_v;
  return result;
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
