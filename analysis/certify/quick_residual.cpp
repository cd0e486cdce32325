// SPDX-License-Identifier: Apache-2.0
#include "analysis/certify/quick_residual.hpp"

#include <algorithm>
#include <utility>

#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr int64_t kGrain = 1 << 13;   ///< rows that one thread takes at once; so few are not worth a second one
constexpr double kOfSums = 1 + 1e-8;  ///< what rounding takes from sums of squares, and from what is made of them

/// Epsilons by which a row's Σ g (v_i − v_j) can be off, in units of its conductance times the largest voltage: two for
/// the conductances themselves (kConductanceRounding), over both voltages, half of one for every term in the sum that
/// is its diagonal, and half of one for every product and every partial sum, over both voltages again (Higham, Accuracy
/// and Stability of Numerical Algorithms, 3.1).
double epsilons(int64_t entries) { return 8 + 2 * static_cast<double>(entries); }

}  // namespace

QuickResidual::QuickResidual(const MergedNetwork& network, std::span<const double> weight,
                             std::span<const double> given) {
  const auto node_at = [&](int64_t end) { return (end % 2 == 0 ? network.a : network.b)[end / 2]; };
  const ItemsByNode<int64_t> ends(2 * network.edges(), network.nodes, node_at);
  const auto length = [&](int64_t i) { return ends.start[i + 1] - ends.start[i]; };
  order_rows(parallel_list<int32_t>(network.nodes,
                                    [&](int64_t i, auto& list) {
                                      if (weight[i] >= 0) list.push_back(static_cast<int32_t>(i));
                                    }),
             length);
  for (std::vector<double>* column : {&diagonal_, &weight_}) make_room_in_parallel(*column, std::ssize(node_));
  parallel_tasks(std::ssize(rows_), [&](int64_t part) {
    const Rows& rows = rows_[part];
    int64_t entry = rows.first_entry;
    for (int64_t row = rows.first; row < rows.last; ++row) {
      const int32_t i = node_[row];
      weight_[row] = weight[i];
      diagonal_[row] = network.pad[i];
      for (int64_t k = ends.start[i]; k < ends.start[i + 1]; ++k, ++entry) {
        other_[entry] = node_at(ends.item[k] ^ 1);
        conductance_[entry] = network.conductance[ends.item[k] / 2];
        diagonal_[row] += conductance_[entry];
      }
    }
  });
  find_rounding(length, given);
}

/// By length, otherwise as given.
template <class Length>
void QuickResidual::order_rows(const std::vector<int32_t>& nodes, Length length) {
  std::vector<int64_t> first;  // row of every length
  for (const int32_t i : nodes) {
    first.resize(std::max(first.size(), static_cast<size_t>(length(i)) + 1), 0);
    ++first[length(i)];
  }
  int64_t row = 0, entry = 0;
  for (size_t entries = 0; entries < first.size(); ++entries) {
    const int64_t end = row + first[entries];
    first[entries] = row;
    for (; row < end; row = rows_.back().last) {
      const int64_t last = std::min(end, row + kGrain);
      rows_.push_back({row, last, entry, static_cast<int32_t>(entries)});
      entry += (last - row) * static_cast<int64_t>(entries);
    }
  }
  make_room_in_parallel(node_, row);
  make_room_in_parallel(other_, entry);
  make_room_in_parallel(conductance_, entry);
  for (const int32_t i : nodes) node_[first[length(i)]++] = i;
}

template <class Length>
void QuickResidual::find_rounding(Length length, std::span<const double> given) {
  struct Largest {
    double value = 0, weighted = 0, squares = 0;
    void add(double rounding, double weight) {
      value = std::max(value, rounding);
      weighted = std::max(weighted, weight * rounding);
      squares += rounding * rounding;
    }
    void take(const Largest& other) {
      value = std::max(value, other.value);
      weighted = std::max(weighted, other.weighted);
      squares += other.squares;
    }
  };
  using Both = std::pair<Largest, Largest>;
  const auto [of_rows, of_given] = joined_ranges<Both>(
      std::ssize(node_),
      [&](int64_t begin, int64_t end) {
        Both both;
        for (int64_t row = begin; row < end; ++row) {
          const int32_t i = node_[row];
          both.first.add(kOfSums * epsilons(length(i)) * kEpsilon * diagonal_[row], weight_[row]);
          if (!given.empty()) both.second.add(kOfSums * kEpsilon * std::abs(given[i]), weight_[row]);
        }
        return both;
      },
      [](Both& all, const Both& some) { all.first.take(some.first), all.second.take(some.second); });
  rounding_ = of_rows.value, weighted_rounding_ = of_rows.weighted, rounding_norm_ = std::sqrt(of_rows.squares);
  given_ = of_given.value, weighted_given_ = of_given.weighted, given_norm_ = std::sqrt(of_given.squares);
}

/// kEntries: of every row, or −1 where it is known only when this runs.
template <int kEntries>
void QuickResidual::add(const Rows& rows, const double* volts, const double* injection, ResidualSums& sums) const {
  const int32_t entries = kEntries < 0 ? rows.entries : kEntries;
  const int32_t* other = other_.data() + rows.first_entry;
  const double* conductance = conductance_.data() + rows.first_entry;
  constexpr int64_t kTogether = 256;  // rows, whose sums are then taken up several at a time
  double out[kTogether], current[kTogether], of_node[kTogether];
  ResidualSums s = sums;
  for (int64_t begin = rows.first; begin < rows.last; begin += kTogether) {
    const int64_t n = std::min(kTogether, rows.last - begin);
    for (int64_t r = 0; r < n; ++r) {
      const int32_t i = node_[begin + r];
      of_node[r] = volts[i];
      current[r] = injection[i];
      double sum = diagonal_[begin + r] * volts[i];
      for (int32_t k = 0; k < entries; ++k) sum -= conductance[k] * volts[other[k]];
      other += entries, conductance += entries;
      out[r] = sum;
    }
    s.add_all(n, out, current, of_node, weight_.data() + begin);
  }
  sums = s;
}

QuickResidual::Size QuickResidual::measure(std::span<const double> volts, std::span<const double> injection) const {
  std::vector<ResidualSums> parts(rows_.size());
  const auto measure_part = [&](int64_t part) {
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
    for (int64_t part = 0; part < std::ssize(rows_); ++part) measure_part(part);
  ResidualSums all;
  for (const ResidualSums& part : parts) all.take(part);
  return size_of(all);
}

QuickResidual::Size QuickResidual::size_of(const ResidualSums& all) const {
  if (!std::isfinite(all.squares)) return {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
  return {kOfSums * (all.largest + rounding_ * all.volts + given_),
          kOfSums * (all.weighted + weighted_rounding_ * all.volts + weighted_given_),
          kOfSums * (std::sqrt(all.squares) + rounding_norm_ * all.volts + given_norm_),
          std::sqrt(all.injection_squares), all.volts};
}

QuickResidual::Table QuickResidual::table() const {
  Table table{{}, node_, other_, diagonal_, weight_, conductance_};
  table.first.reserve(node_.size() + 1);
  for (const Rows& rows : rows_)
    for (int64_t row = rows.first; row < rows.last; ++row)
      table.first.push_back(rows.first_entry + (row - rows.first) * rows.entries);
  table.first.push_back(std::ssize(other_));
  return table;
}

}  // namespace gridiron
