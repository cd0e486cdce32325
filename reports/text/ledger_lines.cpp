// SPDX-License-Identifier: Apache-2.0
#include "reports/text/ledger_lines.hpp"

#include <fmt/format.h>

#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"

namespace gridiron {
namespace {

/// "2 R, 1 V" of the rows with this fate.
std::string rows_of(const Ledger::File& file, Fate fate) {
  std::string out;
  for (const Ledger::Row& row : file.rows)
    if (row.fate == fate) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", grouped(row.count), row.what);
  return out;
}

}  // namespace

std::string ledger_lines(const Ledger& ledger, const char* card) {
  if (ledger.files.empty()) return "";
  const std::string all =
      fmt::format("{} of {}", count_of(ledger.cards(), card), count_of(std::ssize(ledger.files), "file"));
  const int64_t skipped = ledger.count(Fate::skipped);
  if (skipped == 0) return fmt::format("Ledger       {}, all used or harmless\n", all);
  std::string out = fmt::format("Ledger       {}, {} of them NOT used\n", all, grouped(skipped));
  for (const Ledger::File& file : ledger.files)
    if (const std::string rows = rows_of(file, Fate::skipped); !rows.empty())
      out += fmt::format("             {}: {}\n", printable(file.path), printable(rows));
  return out;
}

std::string ledger_by_file(const Ledger& ledger) {
  std::string out;
  for (const Ledger::File& file : ledger.files) {
    std::string text;
    for (const Fate fate : {Fate::used, Fate::harmless, Fate::skipped})
      if (const std::string rows = rows_of(file, fate); !rows.empty())
        text += fmt::format("{}{} {}", text.empty() ? "" : "; ", name_of(fate), rows);
    out += fmt::format("{}: {}\n", printable(file.path), text.empty() ? "no cards" : printable(text));
  }
  return out;
}

}  // namespace gridiron
