// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/shared_solution.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "reports/tables/shared_file.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/voltage_digits.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;
using distributed::LocalCircuit;

/// A row on its way to the process that writes it.
struct SolutionRow {
  std::int64_t serial;
  double volts;
  std::uint32_t name_bytes;
  bool floats;
};

/// The rows that this process writes, in order.
class Rows {
 public:
  Rows(const Communicator& all, const LocalCircuit& local, const NodeTable& nodes, int digits)
      : is_first_(all.rank() == 0), digits_(digits) {
    const auto ranks = static_cast<std::size_t>(all.count());
    std::vector<std::vector<SolutionRow>> to(ranks);
    std::vector<Communicator::Bytes> names(ranks);
    for (NodeId n = 1; n <= local.own; ++n) {
      const auto& first = local.first_of_part;
      const auto p = static_cast<std::size_t>(std::ranges::upper_bound(first, local.serial[n]) - first.begin() - 1);
      const SpelledName spelled = local.circuit.node_name(n);
      const std::string_view name = spelled;
      to[p].push_back({local.serial[n], nodes.voltage_v[n], static_cast<std::uint32_t>(name.size()),
                       nodes.state[n] == NodeState::floating});
      names[p].insert(names[p].end(), name.begin(), name.end());
    }
    names_ = all.all_to_all(std::move(names));
    for (const auto& from : distributed::all_to_all(all, std::move(to)))
      rows_.insert(rows_.end(), from.begin(), from.end());
    name_of_.reserve(rows_.size());
    std::size_t bytes = 0, p = 0;
    for (const SolutionRow& row : rows_) {
      while (bytes == names_[p].size()) bytes = 0, ++p;
      name_of_.emplace_back(names_[p].data() + bytes, row.name_bytes);
      bytes += row.name_bytes;
    }
    order_.resize(rows_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::sort(order_, [&](std::size_t a, std::size_t b) { return rows_[a].serial < rows_[b].serial; });
  }

  /// Calls take(text) with a few MB at a time.
  template <class Take>
  void for_each_block(Take take) const {
    constexpr std::size_t kBlock = std::size_t{4} << 20;
    std::string text;
    if (is_first_) {
      text += "0 ";
      append_volts(text, 0);
      text += '\n';
    }
    for (const std::size_t k : order_) {
      text += name_of_[k];
      text += ' ';
      if (rows_[k].floats)
        text += "floating";
      else
        append_volts(text, rows_[k].volts, digits_);
      text += '\n';
      if (text.size() < kBlock) continue;
      take(text);
      text.clear();
    }
    take(text);
  }

 private:
  bool is_first_;
  int digits_;
  std::vector<SolutionRow> rows_;
  std::vector<Communicator::Bytes> names_;
  std::vector<std::string_view> name_of_;
  std::vector<std::size_t> order_;
};

}  // namespace

void write_shared_solution(const Communicator& all, const distributed::SharedIr& result, const OutputPath& path) {
  const Rows rows(all, *result.grid.local, result.nodes, voltage_digits(result.report));
  write_shared_file(all, path, [&](const TakeText& take) { rows.for_each_block(take); });
}

}  // namespace gridiron
