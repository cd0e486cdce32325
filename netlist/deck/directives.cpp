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
constexpr std::string_view kNominal = "all values are the nominal ones";
constexpr std::string_view kRuns = "it asks for several runs; write a deck for each";

constexpr std::string_view kRenames = "names stay as the cards have them; write .connect where two nodes are meant";
constexpr std::string_view kMetres = "lengths are in metres; write l= and w= of resistors with a suffix";

constexpr Directive kDirectives[] = {
    // comments of CDL
    {"*.bipolar", kSilent, "", "", Dialect::cdl},
    {"*.capa", kSilent, "", "", Dialect::cdl},
    {"*.caparea", kSilent, "", "", Dialect::cdl},
    {"*.capval", kSilent, "", "", Dialect::cdl},
    {"*.dioarea", kSilent, "", "", Dialect::cdl},
    {"*.diode", kSilent, "", "", Dialect::cdl},
    {"*.dioperi", kSilent, "", "", Dialect::cdl},
    {"*.equation", kSilent, "", "", Dialect::cdl},
    {"*.equiv", kTold, kRenames, "", Dialect::cdl},
    {"*.ldd", kSilent, "", "", Dialect::cdl},
    {"*.mega", kSilent, "", "", Dialect::cdl},  // refused where a number has the letter, see cdl_cards.cpp
    {"*.pin", kSilent, "", "", Dialect::cdl},
    {"*.pininfo", kSilent, "", "", Dialect::cdl},
    {"*.resi", kSilent, "", "", Dialect::cdl},
    {"*.ressize", kSilent, "", "", Dialect::cdl},
    {"*.resval", kSilent, "", "", Dialect::cdl},
    {"*.reverse", kSilent, "", "", Dialect::cdl},
    {"*.scale", kSilent, "", "", Dialect::cdl},  // METER
    {"*.scale micron", kTold, kMetres, "", Dialect::cdl},
    {".op", kSilent, "", ""},
    {".save", kSilent, "", ""},
    {".probe", kSilent, "", ""},
    {".probe64", kSilent, "", "", Dialect::pspice},
    {".autoconverge", kSilent, "", "", Dialect::pspice},
    {".vector", kSilent, "", "", Dialect::pspice},
    {".plot", kSilent, "", ""},
    {".width", kSilent, "", ""},
    {".title", kSilent, "", ""},
    {".nodeset", kSilent, "", ""},
    {".protect", kSilent, "", "", Dialect::hspice},
    {".prot", kSilent, "", "", Dialect::hspice},
    {".unprotect", kSilent, "", "", Dialect::hspice},
    {".unprot", kSilent, "", "", Dialect::hspice},
    {".backanno", kSilent, "", "", Dialect::ltspice},
    {".csparam", kSilent, "", "", Dialect::ngspice},
    {".aliases", kSilent, "", ".endaliases", Dialect::pspice},
    {".savebias", kSilent, "", "", Dialect::pspice},
    {".loadbias", kSilent, "", "", Dialect::pspice},
    {".watch", kSilent, "", "", Dialect::pspice},
    {".mc", kTold, kNominal, "", Dialect::pspice},
    {".wcase", kTold, kNominal, "", Dialect::pspice},
    {".partition_info", kSilent, "", ""},  // of decks in tiles
    {".die_area", kSilent, "", ""},
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
    {".alter", kRefused, kRuns, ".end", Dialect::hspice},
    {".data", kRefused, kRuns, ".enddata", Dialect::hspice},
    {".step", kRefused, kRuns, ""},
};

}  // namespace

const Directive* find_directive(std::string_view word) {
  const auto found = std::find_if(std::begin(kDirectives), std::end(kDirectives),
                                  [word](const Directive& d) { return same_name(d.word, word); });
  return found == std::end(kDirectives) ? nullptr : found;
}

}  // namespace gridiron
