// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/distributed/processes.hpp"
#include "engines/communicator.hpp"
#include "support/lists.hpp"

namespace gridiron {

/// Rows of nodes, with their names, on their way to the processes that write them. A Row has the `serial` of its node
/// in the deck, and room for `name_bytes`.
template <class Row>
class NamedRows {
 public:
  explicit NamedRows(const Communicator& all) : all_(all), to_(all.count()), names_(all.count()) {}

  void send(ptrdiff_t process, Row row, std::string_view name) {
    row.name_bytes = static_cast<uint32_t>(name.size());
    to_[process].push_back(row);
    append(names_[process], name);
  }

  /// What has come for this process, in the order of the deck. Called by all once each has sent its rows; the names
  /// live as long as this object.
  std::vector<std::pair<Row, std::string_view>> received() {
    names_ = all_.all_to_all(std::move(names_));
    const auto from = distributed::all_to_all(all_, std::move(to_));
    std::vector<std::pair<Row, std::string_view>> rows;
    for (size_t process = 0; process < from.size(); ++process) {
      const char* name = names_[process].data();
      for (const Row& row : from[process]) {
        rows.emplace_back(row, std::string_view(name, row.name_bytes));
        name += row.name_bytes;
      }
    }
    std::ranges::sort(rows, {}, [](const auto& row) { return row.first.serial; });
    return rows;
  }

 private:
  const Communicator& all_;
  std::vector<std::vector<Row>> to_;
  std::vector<Communicator::Bytes> names_;
};

}  // namespace gridiron
