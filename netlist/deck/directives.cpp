// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/directives.hpp"

#include <algorithm>

#include "netlist/names/name_table.hpp"

namespace gridiron {
namespace {

constexpr auto kSilent = Directive::Treatment::silent;
constexpr auto kTold = Directive::Treatment::told;
constexpr auto kRefused = Directive::Treatment::refused;

constexpr std::string_view kAnalysis = "the operating point is computed, and no other analysis";
constexpr std::string_view kMeasure = "nothing is measured";
constexpr std::string_view kCondition = "conditions are not evaluated; keep the branch that applies";
constexpr std::string_view kRuns = "it asks for several runs; write a deck for each";

constexpr Directive kDirectives[] = {
    {".op", kSilent, "", ""},
    {".save", kSilent, "", ""},
    {".probe", kSilent, "", ""},
    {".plot", kSilent, "", ""},
    {".width", kSilent, "", ""},
    {".title", kSilent, "", ""},
    {".nodeset", kSilent, "", ""},
    {".protect", kSilent, "", ""},
    {".prot", kSilent, "", ""},
    {".unprotect", kSilent, "", ""},
    {".unprot", kSilent, "", ""},
    {".ac", kTold, kAnalysis, ""},
    {".dc", kTold, kAnalysis, ""},
    {".disto", kTold, kAnalysis, ""},
    {".four", kTold, kAnalysis, ""},
    {".noise", kTold, kAnalysis, ""},
    {".pz", kTold, kAnalysis, ""},
    {".sens", kTold, kAnalysis, ""},
    {".tf", kTold, kAnalysis, ""},
    {".ic", kTold, "initial conditions do not apply to an operating point", ""},
    {".meas", kTold, kMeasure, ""},
    {".measure", kTold, kMeasure, ""},
    {".control", kTold, "its commands up to .endc are not carried out", ".endc"},
    {".if", kRefused, kCondition, ".endif"},
    {".elseif", kRefused, kCondition, ""},
    {".else", kRefused, kCondition, ""},
    {".endif", kRefused, kCondition, ""},
    {".alter", kRefused, kRuns, ".end"},
    {".data", kRefused, kRuns, ".enddata"},
    {".step", kRefused, kRuns, ""},
    {".connect", kRefused, "it joins two nodes; write a resistor of 0 between them", ""},
    {".func", kRefused, "write the expression where the function is used", ""},
    {".macro", kRefused, "write .subckt and .ends", ".eom"},
    {".eom", kRefused, "write .subckt and .ends", ""},
};

}  // namespace

const Directive* find_directive(std::string_view word) {
  const auto found = std::find_if(std::begin(kDirectives), std::end(kDirectives),
                                  [word](const Directive& d) { return same_name(d.word, word); });
  return found == std::end(kDirectives) ? nullptr : found;
}

}  // namespace gridiron
