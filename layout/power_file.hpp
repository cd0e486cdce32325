// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "netlist/source_text.hpp"

namespace gridiron::layout {

/// What a piece of a file tells of instances, in its order.
struct PowersOfPiece {
  struct Instance {
    int32_t component;
    double watts, amperes;
    size_t offset;  ///< of its name in the file
  };
  std::vector<Instance> instances;
  std::vector<std::string> unknown;  ///< the first few names that are no component's
  int64_t unknown_count = 0;
  size_t unknown_offset = 0;  ///< of the first of them

  static constexpr size_t kFirst = 3;
};

/// Reads a file of powers of instances on all threads: what `report_power -instances` of OpenSTA prints, as text or as
/// JSON, or CSV with a header, instance,power_w or instance,current_a. component_of(name, last) tells any thread the
/// component of a name, −1 if there is none; `last` is that of a line a little before, or −1. use(piece) is called in
/// the order of the file, by one thread at a time. Errors: InputError with file:line:column, the first one of the file.
void read_power_file(const SourceText& source, const std::function<int32_t(std::string_view, int32_t)>& component_of,
                     const std::function<void(const PowersOfPiece&)>& use);

/// Rows cell,watts of a CSV file with a header, cell,power_w. give(cell, watts, offset). Errors: the same.
void read_cell_powers(const SourceText& source, const std::function<void(std::string_view, double, size_t)>& give);

}  // namespace gridiron::layout
