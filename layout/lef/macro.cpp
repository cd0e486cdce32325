// SPDX-License-Identifier: Apache-2.0
// MACRO, its pins and obstructions. What other tools need is passed over.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "layout/lef/lef_file.hpp"
#include "layout/lef/port.hpp"

namespace gridiron::layout {
namespace {

constexpr std::array kPassedOverInMacro = {"FIXEDMASK", "SOURCE",    "FOREIGN",  "EEQ",   "LEQ",
                                           "SYMMETRY",  "SITE",      "PROPERTY", "POWER", "FUNCTION",
                                           "GENERATOR", "GENERATED", "GENERATE"};
constexpr std::array kPassedOverInPin = {"TAPERRULE",
                                         "DIRECTION",
                                         "NETEXPR",
                                         "SUPPLYSENSITIVITY",
                                         "GROUNDSENSITIVITY",
                                         "SHAPE",
                                         "MUSTJOIN",
                                         "PROPERTY",
                                         "FOREIGN",
                                         "LEQ",
                                         "CURRENTSOURCE",
                                         "IV_TABLES",
                                         "RESISTANCE",
                                         "PULLDOWNRES",
                                         "CAPACITANCE",
                                         "MAXDELAY",
                                         "MAXLOAD",
                                         "MAXSLEWRATE",
                                         "RISETHRESH",
                                         "FALLTHRESH",
                                         "RISESATCUR",
                                         "FALLSATCUR",
                                         "RISESLEWLIMIT",
                                         "FALLSLEWLIMIT",
                                         "RISEVOLTAGETHRESHOLD",
                                         "FALLVOLTAGETHRESHOLD",
                                         "VLO",
                                         "VHI",
                                         "TIEOFFR",
                                         "INPUTNOISEMARGIN",
                                         "OUTPUTNOISEMARGIN",
                                         "OUTPUTRESISTANCE",
                                         "INPUTPINANTENNASIZE",
                                         "OUTPUTPINANTENNASIZE",
                                         "INOUTPINANTENNASIZE",
                                         "POWER",
                                         "LEAKAGE",
                                         "SCANUSE",
                                         "INITIAL"};

bool is_passed_over(const auto& words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

/// A PIN, whose USE may stand behind its shapes.
MacroPin read_pin(LefFile& lef, Macro& macro) {
  Tokens& tokens = lef.tokens;
  const size_t begin = tokens.offset();
  const std::string_view name = tokens.name("the name of a PIN");
  const std::string where = fmt::format("PIN {} of MACRO {}", name, macro.name);
  MacroPin pin;
  pin.name = plain_name(name);
  PortReader ports(lef, where);
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, fmt::format("{} has no END; is the file cut off?", where));
    if (tokens.accept("USE")) {
      pin.use = use_of(tokens.name("the USE of a pin"));
      tokens.expect(";", where);
    } else if (tokens.accept("PORT")) {
      ports.read();
    } else if (tokens.peek().starts_with("ANTENNA") || is_passed_over(kPassedOverInPin, tokens.peek())) {
      tokens.skip_statement(where);
    } else {
      tokens.fail_unknown(where);
    }
  }
  lef.end_block("PIN", name);
  if (pin.use == Use::power || pin.use == Use::ground)
    pin.shapes = ports.take_shapes();
  else
    std::ranges::move(ports.take_sound_shapes(), std::back_inserter(macro.signal_shapes));
  return pin;
}

/// OBS. What is not RECT or POLYGON, or on a layer that the library lacks, as OVERLAP, is passed over.
void read_obstructions(LefFile& lef, Macro& macro, size_t begin) {
  Tokens& tokens = lef.tokens;
  int32_t layer = -1;
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, "OBS has no END; is the file cut off?");
    const std::string_view keyword = tokens.take();
    if (keyword == "LAYER") {
      layer = lef.library.layer(tokens.name("the name of a layer"));
    } else if (keyword == "RECT" || keyword == "POLYGON") {
      lef.skip_mask();
      const bool is_polygon = keyword == "POLYGON";
      if (layer >= 0 && lef.has_point())
        macro.obstructions.push_back({layer, is_polygon ? lef.polygon() : lef.rectangle(), is_polygon});
    }
    while (!tokens.accept(';') && !tokens.is("END") && !tokens.at_end()) tokens.take();
  }
}

/// DENSITY ends with END alone, TIMING with END TIMING.
void skip_inner_block(Tokens& tokens, std::string_view keyword, size_t begin) {
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, fmt::format("{} has no END; is the file cut off?", keyword));
    tokens.take();
  }
  if (keyword == "TIMING") tokens.expect("TIMING", "the END of TIMING");
}

void read_statement_of_macro(LefFile& lef, Macro& macro) {
  Tokens& tokens = lef.tokens;
  const size_t begin = tokens.offset();
  const std::string_view keyword = tokens.take();
  if (keyword == "PIN") {
    macro.pins.push_back(read_pin(lef, macro));
  } else if (keyword == "OBS") {
    read_obstructions(lef, macro, begin);
  } else if (keyword == "DENSITY" || keyword == "TIMING") {
    skip_inner_block(tokens, keyword, begin);
  } else if (keyword == "CLASS") {
    macro.klass = tokens.name("the CLASS of a macro");
    tokens.skip_statement("CLASS");
  } else if (keyword == "ORIGIN") {
    const auto [x, y] = lef.point();
    macro.origin_x_um = x, macro.origin_y_um = y;
    tokens.expect(";", "ORIGIN");
  } else if (keyword == "SIZE") {
    macro.width_um = tokens.um("the width of a macro");
    tokens.expect("BY", "SIZE");
    macro.height_um = tokens.um("the height of a macro");
    if (!(macro.width_um >= 0 && macro.height_um >= 0))
      tokens.fail(begin, fmt::format("the SIZE of MACRO {} is below zero", macro.name));
    tokens.expect(";", "SIZE");
  } else if (is_passed_over(kPassedOverInMacro, keyword)) {
    tokens.skip_statement("MACRO");
  } else {
    tokens.seek(begin);
    tokens.fail_unknown(fmt::format("MACRO {}", macro.name));
  }
}

/// Moves shapes so that the low corner of the macro is at 0, 0.
void move_by_origin(Macro& macro) {
  if (macro.origin_x_um == 0 && macro.origin_y_um == 0) return;
  const auto move = [&](std::vector<ShapeUm>& shapes) {
    for (ShapeUm& shape : shapes)
      for (size_t k = 0; k < shape.xy.size(); ++k) shape.xy[k] += k % 2 == 0 ? macro.origin_x_um : macro.origin_y_um;
  };
  for (MacroPin& pin : macro.pins) move(pin.shapes);
  move(macro.signal_shapes);
  move(macro.obstructions);
}

}  // namespace

void LefFile::read_macro() {
  Macro macro;
  const size_t begin = tokens.offset();
  const std::string_view name = tokens.name("the name of a MACRO");
  macro.name = plain_name(name);
  macro.place = place(begin);
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, fmt::format("MACRO {} has no END; is the file cut off?", name));
    read_statement_of_macro(*this, macro);
  }
  const size_t end = tokens.offset();
  end_block("MACRO", name);
  if (const int32_t other = library.macro(macro.name); other >= 0) {
    // The same cell may come in a LEF file of its own and in a merged one.
    const TextPlace first = library.macros[static_cast<size_t>(other)].place;
    const std::string_view text = tokens.source().text().substr(begin, end - begin);
    if (library.texts[first.file]->text().substr(first.offset, text.size()) == text) return;
    tokens.fail(begin, fmt::format("MACRO {} is defined here again and differently, after {}; give one of them",
                                   macro.name, library.describe(first)));
  }
  move_by_origin(macro);
  library.macro_index.emplace(macro.name, static_cast<int32_t>(library.macros.size()));
  library.macros.push_back(std::move(macro));
}

}  // namespace gridiron::layout
