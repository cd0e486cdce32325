// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/distributed/processes.hpp"
#include "netlist/name_table.hpp"

namespace gridiron::distributed {

/// Which process a name belongs to. Every process finds the same.
class Owners {
 public:
  /// `names`: those that occur here; the first, ground, is left out.
  Owners(const Communicator& all, const NameTable& names);

  int of(std::string_view name) const;

 private:
  /// Along a Z-shaped curve through all places.
  std::uint64_t key_of(std::int64_t x, std::int64_t y) const;

  int count_;
  std::int64_t least_x_ = 0, least_y_ = 0;
  int shift_ = 0;                         ///< so that coordinates have 32 bits
  std::vector<std::uint64_t> first_key_;  ///< of processes 1, 2, …
};

}  // namespace gridiron::distributed
