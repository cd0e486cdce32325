// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/context.hpp"

namespace gridiron {

/// When our figure counts as the paper's.
enum class Rule {
  shown,       ///< it is not judged: it depends on the machine, or on data that the paper does not give
  as_printed,  ///< within half a unit of the last printed digit, plus the tolerance as a fraction
  at_most,     ///< no more than the paper's times 1 + tolerance
  at_least,    ///< no less than the paper's times 1 - tolerance
  within,      ///< at most the tolerance away
};

/// As reports call it: "as_printed".
std::string_view name_of(Rule rule);

struct PaperColumn {
  std::string name;
  Rule rule = Rule::shown;
  double tolerance = 0;
  int digits = 4;           ///< of ours, significant
  std::string reason = {};  ///< why this rule with this tolerance; each column that is judged has one
  /// Where the figures beside ours come from: "paper", which prints them, "text", from which they follow, "prototype",
  /// "theory", "formulas" or "bound".
  std::string source = "paper";
};

/// A figure of a paper, as printed there, beside ours.
struct PaperCell {
  std::string paper;      ///< empty: the paper has none
  double ours = NAN;      ///< NaN: we have none
  double known = NAN;     ///< ours where it is known to miss for the reason that its row gives; NaN: it agrees
  bool is_given = false;  ///< the problem has it by definition, so that nothing is judged
};

struct PaperRow {
  std::string name;
  std::vector<PaperCell> cells;  ///< one per column
  std::string explanation = {};  ///< why those of its figures whose `known` is set are not the paper's
};

struct PaperTable {
  std::string title;
  std::string note;  ///< what is compared, and what is not
  std::vector<PaperColumn> columns;
  std::vector<PaperRow> rows;
  std::vector<std::string> decks = {};  ///< commands that write the netlists it is run on; empty: there are none
};

/// Whether a cell keeps the rule of its column; true where there is nothing to judge.
bool agrees(const PaperColumn& column, const PaperCell& cell);

/// Of a cell: "agrees", "missed", "explained" for a miss by what is known, within a tenth, in a row that says why, or
/// empty where nothing is judged.
std::string_view verdict(const PaperColumn& column, const PaperRow& row, const PaperCell& cell);

/// Whether a figure of the row misses and is explained.
bool has_explained(const PaperTable& table, const PaperRow& row);

/// How a table or figure of a paper stands beside ours.
enum class Coverage {
  whole,      ///< all figures of it
  partly,     ///< some of them; the note tells which
  elsewhere,  ///< not by `papers`; the note tells where
  none,       ///< the note tells why it cannot be
};
std::string_view name_of(Coverage coverage);

/// A table or figure of a paper.
struct Exhibit {
  std::string_view name;   ///< "Table 1"
  std::string_view shows;  ///< what, in a few words
  Coverage coverage;
  std::string_view note;
};

struct PaperOptions {
  bool large = false;  ///< also what takes gigabytes or many minutes
  Progress progress = [](std::string_view) {};
};

/// A paper whose tables can be run: a row of papers().
struct Paper {
  std::string_view name;      ///< what the user types
  std::string_view citation;  ///< authors, title, year
  std::vector<PaperTable> (*run)(const PaperOptions& options);
  std::span<const Exhibit> exhibits;  ///< all that it has, in their order
};
std::span<const Paper> papers();

/// Errors: InputError that lists the papers when none is called `name`.
const Paper& find_paper(std::string_view name);

/// What a run of a paper's tables has found.
struct PaperResult {
  const Paper* paper = nullptr;
  std::vector<PaperTable> tables;
  double seconds = 0;

  /// How many figures were judged, how many of these miss, and how many of those in rows that explain it.
  struct Tally {
    int judged = 0, missed = 0, explained = 0;
    std::map<std::string, int> by_source = {};  ///< judged, by PaperColumn::source
    int unexplained() const { return missed - explained; }
  };
  Tally tally() const;
};
PaperResult run_paper(const Paper& paper, const PaperOptions& options = {});

std::span<const Exhibit> sgml_exhibits();
std::span<const Exhibit> gpuhmd_exhibits();
std::span<const Exhibit> aggamg_exhibits();
std::span<const Exhibit> psc_exhibits();
std::span<const Exhibit> stokes_exhibits();

std::vector<PaperTable> psc_tables(const PaperOptions& options);
std::vector<PaperTable> stokes_tables(const PaperOptions& options);
std::vector<PaperTable> aggamg_tables(const PaperOptions& options);
std::vector<PaperTable> sgml_tables(const PaperOptions& options);
std::vector<PaperTable> gpuhmd_tables(const PaperOptions& options);

}  // namespace gridiron
