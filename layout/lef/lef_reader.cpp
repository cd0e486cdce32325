// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "layout/lef/lef_file.hpp"
#include "support/error.hpp"

namespace gridiron::layout {
namespace {

/// Statements outside of blocks that say nothing of resistances.
constexpr std::array kPassedOver = {"VERSION",
                                    "BUSBITCHARS",
                                    "DIVIDERCHAR",
                                    "NAMESCASESENSITIVE",
                                    "NOWIREEXTENSIONATPIN",
                                    "USEMINSPACING",
                                    "CLEARANCEMEASURE",
                                    "MAXVIASTACK",
                                    "FIXEDMASK",
                                    "MINFEATURE",
                                    "DIELECTRIC",
                                    "UNIVERSALNOISEMARGIN",
                                    "EDGERATETHRESHOLD1",
                                    "EDGERATETHRESHOLD2",
                                    "EDGERATESCALEFACTOR",
                                    "INPUTPINANTENNASIZE",
                                    "OUTPUTPINANTENNASIZE",
                                    "INOUTPINANTENNASIZE",
                                    "ANTENNAINPUTGATEAREA",
                                    "ANTENNAINOUTDIFFAREA",
                                    "ANTENNAOUTPUTDIFFAREA"};

/// Blocks that end with their own keyword, and those that end with a name.
constexpr std::array kBlocks = {"PROPERTYDEFINITIONS", "SPACING",         "IRDROP",
                                "NOISETABLE",          "CORRECTIONTABLE", "CROSSTALK"};
constexpr std::array kNamedBlocks = {"ARRAY"};

bool is_one_of(const auto& words, std::string_view word) { return std::ranges::find(words, word) != words.end(); }

void read_units(LefFile& lef, size_t begin) {
  Tokens& tokens = lef.tokens;
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, "UNITS has no END UNITS; is the file cut off?");
    if (!tokens.accept("DATABASE")) {
      tokens.skip_statement("UNITS");
      continue;
    }
    tokens.expect("MICRONS", "UNITS DATABASE");
    const auto units = static_cast<double>(tokens.count("the number of database units per um"));
    tokens.expect(";", "UNITS DATABASE");
    if (lef.library.dbu_per_um == 0) lef.library.dbu_per_um = units;  // that of the technology; cells are in um
  }
  tokens.expect("UNITS", "UNITS");
}

/// Vias may be defined here too.
void read_nondefault_rule(LefFile& lef, size_t begin) {
  Tokens& tokens = lef.tokens;
  const std::string_view name = tokens.name("the name of a NONDEFAULTRULE");
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, fmt::format("NONDEFAULTRULE {} has no END; is the file cut off?", name));
    const size_t inner = tokens.offset();
    if (tokens.accept("VIA"))
      lef.read_via();
    else if (tokens.accept("LAYER"))
      tokens.skip_block("LAYER", tokens.name("the name of a layer"), inner);
    else if (tokens.accept("SPACING"))
      tokens.skip_block("SPACING", "SPACING", inner);
    else
      tokens.skip_statement("NONDEFAULTRULE");
  }
  lef.end_block("NONDEFAULTRULE", name);
}

void read_statement(LefFile& lef) {
  Tokens& tokens = lef.tokens;
  const size_t begin = tokens.offset();
  const std::string_view keyword = tokens.take();
  if (keyword == "LAYER") {
    lef.read_layer();
  } else if (keyword == "VIA") {
    lef.read_via();
  } else if (keyword == "VIARULE") {
    lef.read_via_rule();
  } else if (keyword == "MACRO") {
    lef.read_macro();
  } else if (keyword == "SITE") {
    lef.read_site(begin);
  } else if (keyword == "UNITS") {
    read_units(lef, begin);
  } else if (keyword == "MANUFACTURINGGRID") {
    lef.library.grid_um = tokens.um("the manufacturing grid");
    tokens.expect(";", keyword);
  } else if (keyword == "NONDEFAULTRULE") {
    read_nondefault_rule(lef, begin);
  } else if (keyword == "BEGINEXT") {
    tokens.skip_extension(begin);
  } else if (keyword == "END") {  // a file may hold several libraries, one behind the other
    tokens.expect("LIBRARY", "a LEF file outside of blocks");
  } else if (is_one_of(kBlocks, keyword)) {
    tokens.skip_block(keyword, keyword, begin);
  } else if (is_one_of(kNamedBlocks, keyword)) {
    tokens.skip_block(keyword, tokens.name("a name"), begin);
  } else if (is_one_of(kPassedOver, keyword)) {
    tokens.skip_statement(keyword);
  } else {
    tokens.seek(begin);
    tokens.fail_unknown("a LEF file outside of blocks");
  }
}

void read_text(Library& library, const std::shared_ptr<const SourceText>& text, Expansion& expansion) {
  for (const auto& other : library.texts)
    if (text->text() == other->text() && !text->text().empty())
      throw InputError(fmt::format("{}: is the same text as {}; give it once", text->path(), other->path()));
  library.texts.push_back(text);
  LefFile lef{Tokens(*text), library, static_cast<uint32_t>(library.texts.size() - 1), expansion};
  while (!lef.tokens.at_end()) read_statement(lef);
}

}  // namespace

void LefFile::end_block(std::string_view keyword, std::string_view name) {
  if (!tokens.accept(name)) tokens.fail_expected(fmt::format("{} behind the END of {} {}", shown(name), keyword, name));
}

int32_t LefFile::layer_name() {
  const size_t where = tokens.offset();
  const std::string_view name = tokens.name("the name of a layer");
  const int32_t layer = library.layer(name);
  if (layer < 0)
    tokens.fail(where,
                fmt::format("no LAYER {} before this line; give the LEF file of the technology first", shown(name)));
  return layer;
}

bool LefFile::has_point() const {
  const std::string_view word = tokens.peek();
  return !word.empty() &&
         (word[0] == '(' || word[0] == '-' || word[0] == '+' || word[0] == '.' || (word[0] >= '0' && word[0] <= '9'));
}

std::array<double, 2> LefFile::point() {
  const bool has_parentheses = !tokens.at_end() && tokens.peek()[0] == '(';
  if (has_parentheses) tokens.open("a point");
  const double x = tokens.um("a coordinate");
  const double y = tokens.um("a coordinate");
  if (has_parentheses) tokens.close("')' behind the coordinates of a point");
  return {x, y};
}

std::vector<double> LefFile::polygon() {
  const size_t begin = tokens.offset();
  std::vector<double> xy;
  while (has_point()) {
    const auto [x, y] = point();
    xy.insert(xy.end(), {x, y});
  }
  if (xy.size() < 6) tokens.fail(begin, "a POLYGON has at least three corners");
  return xy;
}

std::vector<double> LefFile::rectangle() {
  const auto [x0, y0] = point();
  const auto [x1, y1] = point();
  return {std::min(x0, x1), std::min(y0, y1), std::max(x0, x1), std::max(y0, y1)};
}

void LefFile::skip_mask() {
  if (tokens.accept("MASK")) tokens.count("the number of a mask");
}

Library read_lef_texts(const std::vector<std::shared_ptr<const SourceText>>& texts, int64_t most_shapes) {
  Library library;
  Expansion expansion(most_shapes);
  for (const auto& text : texts) read_text(library, text, expansion);
  return library;
}

Library with_lef(const Library& library, const std::string& path) {
  Library more = library;
  Expansion expansion(kMostShapes);
  read_text(more, SourceText::open(path), expansion);
  return more;
}

Library read_lef(const std::vector<std::string>& paths) {
  std::vector<std::shared_ptr<const SourceText>> texts;
  texts.reserve(paths.size());
  for (const std::string& path : paths) texts.push_back(SourceText::open(path));
  return read_lef_texts(texts);
}

}  // namespace gridiron::layout
