// SPDX-License-Identifier: Apache-2.0
#include "netlist/ledger.hpp"

#include <algorithm>

namespace gridiron {

void Ledger::add(File& file, std::string_view what, Fate fate, int64_t count) {
  if (count == 0) return;
  const auto row = std::ranges::find_if(file.rows, [&](const Row& r) { return r.what == what && r.fate == fate; });
  if (row == file.rows.end())
    file.rows.push_back({std::string(what), fate, count});
  else if ((row->count += count) == 0)
    file.rows.erase(row);
}

int64_t Ledger::count(Fate fate) const {
  int64_t sum = 0;
  for (const File& file : files)
    for (const Row& row : file.rows) sum += row.fate == fate ? row.count : 0;
  return sum;
}

}  // namespace gridiron
