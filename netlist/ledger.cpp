// SPDX-License-Identifier: Apache-2.0
#include "netlist/ledger.hpp"

#include <algorithm>

namespace gridiron {
namespace {

std::string key_of(std::string_view what, Fate fate) { return static_cast<char>(fate) + std::string(what); }

/// The row, or the end of all.
size_t place_of(Ledger::File& file, std::string_view what, Fate fate) {
  constexpr size_t kFew = 64;
  const std::vector<Ledger::Row>& rows = file.rows;
  if (rows.size() < kFew) {
    const auto row = std::ranges::find_if(rows, [&](const Ledger::Row& r) { return r.what == what && r.fate == fate; });
    return static_cast<size_t>(row - rows.begin());
  }
  for (size_t next = file.places.size(); next < rows.size(); ++next)
    file.places.emplace(key_of(rows[next].what, rows[next].fate), next);
  const auto found = file.places.find(key_of(what, fate));
  return found == file.places.end() ? rows.size() : found->second;
}

}  // namespace

void Ledger::add(File& file, std::string_view what, Fate fate, int64_t count) {
  if (count == 0) return;
  const size_t row = place_of(file, what, fate);
  if (row == file.rows.size()) {
    file.rows.push_back({std::string(what), fate, count});
  } else if ((file.rows[row].count += count) == 0) {
    file.rows.erase(file.rows.begin() + static_cast<ptrdiff_t>(row));
    file.places.clear();
  }
}

int64_t Ledger::count(Fate fate) const {
  int64_t sum = 0;
  for (const File& file : files)
    for (const Row& row : file.rows) sum += row.fate == fate ? row.count : 0;
  return sum;
}

}  // namespace gridiron
