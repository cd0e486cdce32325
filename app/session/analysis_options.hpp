// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run/ir_drop.hpp"
#include "app/session/layout_arguments.hpp"
#include "netlist/deck/deck.hpp"
#include "reports/formats.hpp"
#include "support/field.hpp"

namespace gridiron {

/// How a deck is read, as typed.
struct DeckArguments {
  std::string pads, dialect = "auto", top, node_pattern;
  std::vector<std::string> nominal;
  double dbu = 0;
  bool lenient = false;

  ReadOptions read_options() const;
  /// Errors: InputError for what is no pattern, no nominal voltage.
  void apply(DesignOptions& options) const;
};

/// The command-line arguments shared by commands on a netlist, as typed; converted to options after parsing.
struct NetlistArguments : LayoutArguments, DeckArguments {
  std::string netlist;
  std::vector<std::string> further_files;
  int threads = 0;

  /// The netlist and what continues it.
  std::vector<std::string> files() const;
  void apply(DesignOptions& options) const;
  /// Lists among the options of a run how its netlist is read, as far as that is told.
  void list(RunFacts& run) const;
};

/// Spells the options named in findings, as on the command line unless `spell` says how.
void spell_fields(std::vector<Finding>& findings, const FieldSpelling& spell = {});

/// What --strict asks for. Errors: GridError for the first warning, with the number of others.
void require_no_warnings(const std::vector<Finding>& findings);

/// --threads: see usable_threads(); 0 changes nothing.
void use_threads(int threads);

/// Volts as typed: "10uV", "0.05", "50mV". Errors: InputError that begins with `what`.
double parse_volts(const std::string& what, const std::string& text);

/// Lists the relative residual that was asked for, or if that is 0 the tolerance.
void add_accuracy(RunFacts& run, double rtol, const std::string& tolerance);

/// --tolerance: volts above 0.
double parse_tolerance(const std::string& text);

/// "a,b" → "a", "b".
std::vector<std::string> split(const std::string& text, char separator);

/// Limits of currents that an option of this name gives, each LAYER=CURRENT or the name of a table. Errors: InputError,
/// also for two limits of one layer.
std::vector<EmLimit> parse_em_limits(const std::vector<std::string>& texts, std::string_view option = "em_limit");

/// The tables among them.
std::vector<std::string> table_files(const std::vector<std::string>& em_limits);

/// "key=value" as typed. Errors: InputError naming the field.
std::pair<std::string, std::string> parse_assignment(const std::string& option, const std::string& text);

/// --set KEY=VALUE as typed. Errors: InputError, also for a key given twice.
Settings parse_settings(const std::vector<std::string>& texts);

/// Adds the setting given by `--set text`. Errors: InputError for a key given twice.
void add_setting(Settings& settings, const std::string& text, const std::string& key, const std::string& value);

/// A time as typed: "10ps", "1e-11". Errors: InputError naming the option.
double parse_seconds(const std::string& option, const std::string& text);

/// Gathers the limits that are not kept.
class Verdict {
 public:
  /// A limit, and `words` for it.
  template <class Limit>
  void add(const Limit& limit, const std::string& words) {
    if (limit.exceeded) exceeded_ += (exceeded_.empty() ? "" : "; ") + words;
    if (limit.undecided) undecided_ += (undecided_.empty() ? "" : "; ") + words;
    if (limit.undecided && !is_estimated(limit)) (needs_steps(limit) ? needs_steps_ : needs_tolerance_) = true;
  }

  bool is_exceeded() const { return !exceeded_.empty(); }

  /// A limit that cannot be judged, however exact the results are, in words that say why.
  void leave_open(const std::string& words) { open_ += (open_.empty() ? "" : "; ") + words; }

  /// Exceeded limits go to standard error. Errors: SolverError for those that are left open, and those that the
  /// certified bound leaves undecided, which the tolerance `of_what` would decide, or steps in time, which shorter ones
  /// would.
  int exit_code(std::string_view of_what = "") const;

 private:
  /// Its words say what to do.
  template <class Limit>
  static bool is_estimated(const Limit& limit) {
    if constexpr (requires { limit.is_accepted; })
      return limit.is_estimated && !limit.is_accepted;
    else if constexpr (requires { limit.is_estimated; })
      return limit.is_estimated;
    else
      return false;
  }
  template <class Limit>
  static bool needs_steps(const Limit& limit) {
    if constexpr (requires { limit.needs_steps(); })
      return limit.needs_steps();
    else if constexpr (requires { limit.time_error_v; })
      return limit.is_open || limit.value_v + limit.bound_v <= limit.limit_v;
    else if constexpr (requires { limit.is_open; })
      return limit.is_open;
    else
      return false;
  }

  std::string exceeded_, undecided_, open_;
  bool needs_tolerance_ = false, needs_steps_ = false;
};

/// Exit code of the limits of a run; see Verdict.
int judge_limits(const IrReport& result);

/// One line on standard error. Unlike fmt::print, this survives a closed one.
void complain(const std::string& message);

/// --formats as typed, "text,json"; if empty, the first `usual` of those known. Errors: InputError, also if given
/// without --out.
Formats parse_formats(const std::string& text, std::span<const std::string_view> known, const std::string& out,
                      size_t usual = SIZE_MAX);

/// The formats of an IrReport as typed; the usual ones if empty. Errors: as parse_formats().
Formats report_formats(const std::string& text, const std::string& out);

/// Errors: InputError for --compress without --out.
void require_out_to_compress(bool compress, const std::string& out);

}  // namespace gridiron
