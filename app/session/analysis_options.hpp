// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run/ir_drop.hpp"
#include "analysis/run/verdict.hpp"
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

/// A parameter as typed, [ENGINE.]KEY.
struct SettingKey {
  std::string engine;  ///< empty: of whichever is used
  std::string key;
};
/// Errors: InputError for an engine that there is not.
SettingKey parse_setting_key(const std::string& text);

/// The parameter of this engine that a text names. Errors: InputError where it names another engine, or one beside
/// "auto".
std::string setting_of(const std::string& engine, const std::string& text);

/// --set [ENGINE.]KEY=VALUE as typed, for this engine. Errors: InputError, also for a key given twice; those of
/// setting_of().
Settings parse_settings(const std::vector<std::string>& texts, const std::string& engine);

/// --set KEY=VALUE of what is no engine.
Settings parse_settings(const std::vector<std::string>& texts);

/// Adds the setting given by `--set text`. Errors: InputError for a key given twice.
void add_setting(Settings& settings, const std::string& text, const std::string& key, const std::string& value);

/// A time as typed: "10ps", "1e-11". Errors: InputError naming the option.
double parse_seconds(const std::string& option, const std::string& text);

/// Exit code of a verdict. Exceeded limits go to standard error. Errors: SolverError for those that are undecided, with
/// the tolerance `of_what` that would decide them; GridError where they are on what is left out.
int exit_code(const Verdict& verdict, std::string_view of_what = "");

/// One line on standard error. Unlike fmt::print, this survives a closed one.
void complain(const std::string& message);

/// Errors: InputError for names that are not known.
Formats formats_named(const std::vector<std::string>& names, std::span<const std::string_view> known);

/// --formats as typed, "text,json"; if empty, the first `usual` of those known. Errors: InputError, also if given
/// without --out.
Formats parse_formats(const std::string& text, std::span<const std::string_view> known, const std::string& out,
                      size_t usual = SIZE_MAX);

/// The formats of an IrReport as typed; the usual ones if empty. Errors: as parse_formats().
Formats report_formats(const std::string& text, const std::string& out);

/// Errors: InputError for --compress without --out.
void require_out_to_compress(bool compress, const std::string& out);

}  // namespace gridiron
