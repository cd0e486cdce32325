// SPDX-License-Identifier: Apache-2.0
#include "analysis/ir/quick_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr std::int64_t kGrain = 1 << 13;  ///< rows that one thread takes at once; so few are not worth a second one
constexpr double kOfSums = 1 + 1e-8;      ///< what rounding takes from sums of squares, and from what is made of them

/// Epsilons by which a row's Σ g (v_i − v_j) can be off, in units of its conductance times the largest voltage: two for
/// the conductances themselves (kConductanceRounding), over both voltages, half of one for every term in the sum that
/// is its diagonal, and half of one for every product and every partial sum, over both voltages again (Higham, Accuracy
/// and Stability of Numerical Algorithms, 3.1).
double epsilons(std::int64_t entries) { return 8 + 2 * static_cast<double>(entries); }

}  // namespace

QuickResidual::QuickResidual(const MergedNetwork& network, std::span<const double> weight,
                             std::span<const double> given) {
  std::vector<std::int32_t> length(static_cast<std::size_t>(network.nodes), 0);
  for (std::int64_t e = 0; e < network.edges(); ++e) ++length[network.a[e]], ++length[network.b[e]];
  for (std::int32_t i = 0; i < network.nodes; ++i)
    if (weight[i] >= 0) node_.push_back(i);
  std::stable_sort(node_.begin(), node_.end(), [&](std::int32_t i, std::int32_t j) { return length[i] < length[j]; });

  std::vector<std::int64_t> at(static_cast<std::size_t>(network.nodes), -1);
  std::int64_t entries = 0;
  for (std::size_t k = 0; k < node_.size(); ++k) {
    const std::int32_t i = node_[k];
    const auto row = static_cast<std::int64_t>(k);
    if (rows_.empty() || rows_.back().entries != length[i] || rows_.back().last - rows_.back().first >= kGrain)
      rows_.push_back({row, row, entries, length[i]});
    rows_.back().last = row + 1;
    at[i] = std::exchange(entries, entries + length[i]);
    weight_.push_back(weight[i]);
  }
  other_.resize(static_cast<std::size_t>(entries));
  conductance_.resize(other_.size());
  std::vector<double> total = network.pad;
  for (std::int64_t e = 0; e < network.edges(); ++e)
    for (const auto& [from, to] : {std::pair(network.a[e], network.b[e]), std::pair(network.b[e], network.a[e])}) {
      if (at[from] < 0) continue;
      other_[at[from]] = to;
      conductance_[at[from]++] = network.conductance[e];
      total[from] += network.conductance[e];
    }
  for (const std::int32_t i : node_) {
    diagonal_.push_back(total[i]);
    const double rounding = kOfSums * epsilons(length[i]) * kEpsilon * total[i];
    const double of_given = given.empty() ? 0.0 : kOfSums * kEpsilon * std::abs(given[i]);
    rounding_ = std::max(rounding_, rounding);
    weighted_rounding_ = std::max(weighted_rounding_, weight[i] * rounding);
    rounding_norm_ = std::hypot(rounding_norm_, rounding);
    given_ = std::max(given_, of_given);
    weighted_given_ = std::max(weighted_given_, weight[i] * of_given);
    given_norm_ = std::hypot(given_norm_, of_given);
  }
}

/// kEntries: of every row, or −1 where it is known only when this runs.
template <int kEntries>
void QuickResidual::add(const Rows& rows, const double* volts, const double* injection, ResidualSums& sums) const {
  const std::int32_t entries = kEntries < 0 ? rows.entries : kEntries;
  const std::int32_t* other = other_.data() + rows.first_entry;
  const double* conductance = conductance_.data() + rows.first_entry;
  ResidualSums s = sums;
  for (std::int64_t row = rows.first; row < rows.last; ++row) {
    const std::int32_t i = node_[row];
    double out = diagonal_[row] * volts[i];
    for (std::int32_t k = 0; k < entries; ++k) out -= conductance[k] * volts[other[k]];
    other += entries, conductance += entries;
    s.add(out, injection[i], volts[i], weight_[row]);
  }
  sums = s;
}

QuickResidual::Size QuickResidual::measure(std::span<const double> volts, std::span<const double> injection) const {
  std::vector<ResidualSums> parts(rows_.size());
  const auto measure_part = [&](std::int64_t part) {
    const Rows& rows = rows_[part];
    const auto add_rows = [&]<int kEntries>() { add<kEntries>(rows, volts.data(), injection.data(), parts[part]); };
    switch (rows.entries) {
      case 1:
        return add_rows.template operator()<1>();
      case 2:
        return add_rows.template operator()<2>();
      case 3:
        return add_rows.template operator()<3>();
      case 4:
        return add_rows.template operator()<4>();
      case 5:
        return add_rows.template operator()<5>();
      case 6:
        return add_rows.template operator()<6>();
      default:
        return add_rows.template operator()<-1>();
    }
  };
  if (std::ssize(node_) > kGrain)
    parallel_tasks(std::ssize(rows_), measure_part);
  else
    for (std::int64_t part = 0; part < std::ssize(rows_); ++part) measure_part(part);
  ResidualSums all;
  for (const ResidualSums& part : parts) all.take(part);
  return size_of(all);
}

QuickResidual::Size QuickResidual::size_of(const ResidualSums& all) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (!std::isfinite(all.squares)) return {kInfinity, kInfinity, kInfinity, kInfinity, kInfinity};
  return {kOfSums * (all.largest + rounding_ * all.volts + given_),
          kOfSums * (all.weighted + weighted_rounding_ * all.volts + weighted_given_),
          kOfSums * (std::sqrt(all.squares) + rounding_norm_ * all.volts + given_norm_),
          std::sqrt(all.injection_squares), all.volts};
}

QuickResidual::Table QuickResidual::table() const {
  Table table{{}, node_, other_, diagonal_, weight_, conductance_};
  table.first.reserve(node_.size() + 1);
  for (const Rows& rows : rows_)
    for (std::int64_t row = rows.first; row < rows.last; ++row)
      table.first.push_back(rows.first_entry + (row - rows.first) * rows.entries);
  table.first.push_back(std::ssize(other_));
  return table;
}

}  // namespace gridiron
