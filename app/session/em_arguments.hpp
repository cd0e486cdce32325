// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/em/em_settings.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/results/limits.hpp"
#include "app/session/common_arguments.hpp"

namespace gridiron {

/// Rules of electromigration, as typed.
struct EmArguments {
  std::string em_rules, em_cut_unit, em_widths;
  std::optional<double> em_temperature, em_rule_temperature, em_frequency, em_ea, em_n, em_recovery;

  /// The files that are named.
  std::vector<std::string> em_tables() const;
};

/// Takes the limit on ratios out of `limits`, which are on drops. None where there are no rules. Errors: InputError for
/// options without the one that they belong to, for words that mean nothing.
std::optional<EmSettings> em_settings(const EmArguments& arguments, std::vector<LimitRequest>& limits);

/// The same of rules that are there already. Errors: InputError.
void take_em_limit(std::vector<LimitRequest>& limits, std::optional<EmSettings>& settings);

/// The tables. Errors: InputError.
void read_em_tables(const EmArguments& arguments, std::optional<EmSettings>& settings);

/// Lists them among the options of a run, but for those that are not given.
void add_em_options(RunFacts& run, const EmArguments& arguments);

/// `has_layers`: --em-layers, too; of others that say what it is for, no.
template <class Args>
void add_em_rules(Declaration<Args>& to, bool has_layers = true) {
  to.add(&EmArguments::em_rules,
         {.field = "em_rules",
          .value = "FILE",
          .help = "judge the current of every segment by rules of electromigration: a CSV file with columns layer, "
                  "kind (average, rms, peak), a_per_um, a_per_cut or a_per_um2 and perhaps width_min_um, "
                  "width_max_um, length_min_um, length_max_um, cut_class, frequency_mhz, temperature_c; or 'lef', the "
                  "DCCURRENTDENSITY and ACCURRENTDENSITY of a layout's LEF files",
          .suggestions = {"lef"},
          .path = Argument::Path::file});
  to.add(&EmArguments::em_cut_unit,
         {.field = "em_cut_unit",
          .value = "UNIT",
          .help = "how LEF means its numbers of cut layers, mA per cut or per um2 of cuts; otherwise these are not "
                  "judged",
          .suggestions = {"per-cut", "per-um2"}});
  if (has_layers)
    to.add(&EmArguments::em_widths,
           file("em_layers", "widths of wires that the netlist does not tell, a CSV file layer,width_um,thickness_um"));
  const auto add_number = [&](std::optional<double> EmArguments::*member, const char* name, const char* value,
                              const char* unit, const char* help, const char* initial) {
    to.add(member, {.field = name, .value = value, .unit = unit, .help = help, .initial = initial});
  };
  add_number(
      &EmArguments::em_temperature, "em_temperature", "CELSIUS", "°C",
      "temperature of the metal: limits on averages scale with exp(Ea / n k T) from that of their rule; those on "
      "rms and peak do not",
      "that of the rules");
  add_number(&EmArguments::em_rule_temperature, "em_rule_temperature", "CELSIUS", "°C",
             "temperature of rules that tell none, as those of LEF", "");
  add_number(&EmArguments::em_ea, "em_ea", "EV", "eV", "activation energy Ea of that law", "0.9");
  add_number(&EmArguments::em_n, "em_n", "N", "1", "exponent n of the current density in that law", "2");
  add_number(&EmArguments::em_frequency, "em_frequency", "HERTZ", "Hz",
             "frequency that tables by frequency are looked up by; otherwise their least limits hold", "");
}

}  // namespace gridiron
