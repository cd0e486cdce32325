// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "layout/def/def_file.hpp"
#include "layout/def/sections.hpp"
#include "support/error.hpp"
#include "support/freed_memory.hpp"

namespace gridiron::layout {
namespace {

/// Statements outside of sections that say nothing of a power grid, and sections without a count.
constexpr std::array kPassedOverStatements = {"VERSION",   "NAMESCASESENSITIVE", "TECHNOLOGY",         "HISTORY",
                                              "TRACKS",    "GCELLGRID",          "COMPONENTMASKSHIFT", "ARRAY",
                                              "FLOORPLAN", "CANPLACE",           "CANNOTOCCUPY"};

void read_units(DefFile& def) {
  Tokens& tokens = def.tokens;
  tokens.expect("DISTANCE", "UNITS");
  tokens.expect("MICRONS", "UNITS");
  const size_t where = tokens.offset();
  const int64_t units = tokens.count("the number of database units per um");
  constexpr int64_t kMostUnits = 1'000'000;  // the manual's largest is 20 000
  if (units > kMostUnits)
    tokens.fail(where,
                fmt::format("{} database units per um; is the number right? The most are {}", units, kMostUnits));
  if (def.chip.dbu_per_um != 0 && def.chip.dbu_per_um != static_cast<double>(units))
    tokens.fail(where,
                fmt::format("UNITS of {} per um, after {} before; keep one of them", units, def.chip.dbu_per_um));
  const double of_lef = def.library.dbu_per_um;
  const auto divides = [units](double all) { return all >= 1 && std::fmod(all, static_cast<double>(units)) == 0; };
  // Technologies of old have 100, and designs made with them 1000, as do programs that always use nm.
  if (of_lef != 0 && !divides(of_lef) && !(of_lef < 1000 && divides(1000)))
    tokens.fail(where,
                fmt::format("UNITS of {} per um do not divide the {} of the LEF files (DATABASE MICRONS); give the LEF "
                            "files that this design was made with",
                            units, of_lef));
  def.chip.dbu_per_um = static_cast<double>(units);
  tokens.expect(";", "UNITS");
}

/// The characters of a word in quotation marks.
std::string quoted(Tokens& tokens, size_t characters, std::string_view what) {
  const std::string_view word = tokens.peek();
  if (word.size() != characters + 2 || word[0] != '"') tokens.fail_expected(what);
  tokens.take();
  tokens.expect(";", what);
  return std::string(word.substr(1, characters));
}

void read_die_area(DefFile& def) {
  const std::vector<Point> corners = take_points(def.tokens, 2, "DIEAREA");
  def.tokens.expect(";", "DIEAREA");
  def.chip.die = bounds(corners);
  if (corners.size() > 2) def.chip.die_corners = corners;
}

using ReadSection = void (DefFile::*)();
constexpr std::array<std::pair<std::string_view, ReadSection>, 5> kSections = {
    {{"VIAS", &DefFile::read_vias},
     {"STYLES", &DefFile::read_styles},
     {"COMPONENTS", &DefFile::read_components},
     {"PINS", &DefFile::read_pins},
     {"SPECIALNETS", &DefFile::read_special_nets}}};

/// A section `KEY n ; … END KEY`, whose keyword was just taken; others than those above are passed over.
void read_section(DefFile& def, std::string_view keyword, size_t begin) {
  Tokens& tokens = def.tokens;
  const auto known = std::ranges::find(kSections, keyword, &std::pair<std::string_view, ReadSection>::first);
  const bool has_count = !tokens.at_end() && tokens.peek()[0] >= '0' && tokens.peek()[0] <= '9';
  const bool is_keyword = std::ranges::all_of(keyword, [](char c) { return c >= 'A' && c <= 'Z'; });
  if (known == kSections.end() && !(has_count && is_keyword)) {
    tokens.seek(begin);
    tokens.fail_unknown("a DEF file outside of sections");
  }
  const size_t where = tokens.offset();
  const double count = tokens.number(fmt::format("a number of {}", keyword));
  if (count < 0) tokens.fail(where, fmt::format("a number of {} below zero", keyword));
  tokens.expect(";", keyword);
  if (known == kSections.end()) {
    if (count > 0 && count < 1e15) Ledger::add(def.chip.ledger, keyword, Fate::harmless, static_cast<int64_t>(count));
    return skip_section(tokens, keyword, begin);
  }
  (def.*known->second)();
  if (!tokens.is("END")) tokens.fail_expected(fmt::format("'-' or END {}", keyword));
  tokens.take();
  tokens.expect(keyword, fmt::format("END {}", keyword));
}

/// False: that was END DESIGN.
bool read_statement(DefFile& def) {
  Tokens& tokens = def.tokens;
  const size_t begin = tokens.offset();
  if (tokens.at_end()) tokens.fail(begin, "the file ends without END DESIGN; is it cut off?");
  const std::string_view keyword = tokens.take();
  if (keyword == "END") {
    tokens.expect("DESIGN", "a DEF file outside of sections");
    return false;
  }
  if (keyword == "DESIGN") {
    def.chip.name = plain_name(tokens.name("the name of the design"));
    tokens.expect(";", "DESIGN");
  } else if (keyword == "UNITS") {
    read_units(def);
  } else if (keyword == "DIVIDERCHAR") {
    def.chip.divider = quoted(tokens, 1, "the character of DIVIDERCHAR in quotation marks")[0];
  } else if (keyword == "BUSBITCHARS") {
    def.chip.bus_bits = quoted(tokens, 2, "the two characters of BUSBITCHARS in quotation marks");
  } else if (keyword == "DIEAREA") {
    read_die_area(def);
  } else if (keyword == "ROW") {
    def.read_row();
  } else if (keyword == "PROPERTYDEFINITIONS") {
    skip_section(tokens, keyword, begin);
  } else if (keyword == "BEGINEXT") {
    tokens.skip_extension(begin);
  } else if (std::ranges::find(kPassedOverStatements, keyword) != kPassedOverStatements.end()) {
    Ledger::add(def.chip.ledger, keyword, Fate::harmless, 1);
    tokens.skip_statement(keyword);
  } else {
    read_section(def, keyword, begin);
  }
  return true;
}

/// What was read, before vias of the library come to those of DEF and pins of signals are dropped.
void count_statements(const DefFile& def, Chip& chip) {
  const auto add = [&](std::string_view what, Fate fate, int64_t count) {
    Ledger::add(chip.ledger, what, fate, count);
  };
  const auto placed = std::ranges::count(chip.components.placed, uint8_t{1});
  add("COMPONENTS", Fate::used, placed);
  add("COMPONENTS without a place", Fate::skipped, chip.components.size() - placed);
  add("VIAS", Fate::used, std::ssize(chip.vias));
  add("ROW", Fate::used, std::ssize(def.rows));
  add("PINS", Fate::used, std::ssize(chip.pins));
  int64_t wires = 0, vias = 0;
  for (const SpecialNet& net : chip.nets) {
    wires += std::ssize(net.boxes) + std::ssize(net.polygons);
    vias += std::ssize(net.vias);
  }
  add("SPECIALNETS", Fate::used, std::ssize(chip.nets));
  add("special wires", Fate::used, wires);
  add("special vias", Fate::used, vias);
}

/// Keeps pins of USE POWER and GROUND, and those of special nets.
void keep_power_pins(Chip& chip) {
  const auto dropped = static_cast<int64_t>(std::erase_if(chip.pins, [&chip](const BlockPin& pin) {
    return pin.use != Use::power && pin.use != Use::ground && !pin.special && chip.net(pin.net) < 0;
  }));
  Ledger::add(chip.ledger, "PINS", Fate::used, -dropped);
  Ledger::add(chip.ledger, "PINS of signals", Fate::harmless, dropped);
}

}  // namespace

int32_t take_layer(Tokens& tokens, const Library& library) {
  const size_t where = tokens.offset();
  const std::string_view name = tokens.name("the name of a layer");
  const int32_t layer = library.layer(name);
  if (layer < 0)
    tokens.fail(where, fmt::format("no LEF file has a LAYER {}; give that of the technology", shown(name)));
  return layer;
}

Orientation take_orientation(Tokens& tokens) {
  const std::optional<Orientation> orientation = orientation_of(tokens.peek());
  if (!orientation) tokens.fail_expected("an orientation: N, W, S, E, FN, FW, FS or FE");
  tokens.take();
  return *orientation;
}

void skip_option(Tokens& tokens, std::string_view where) {
  while (!tokens.is('+') && !tokens.is(';')) {
    if (tokens.at_end()) tokens.fail_expected(fmt::format("'+' or ';' in {}", where));
    tokens.take();
  }
}

Box take_box(Tokens& tokens, std::string_view what) {
  const size_t where = tokens.offset();
  const Point a = tokens.point();
  const Point b = tokens.point(&a);
  if (a.x == b.x || a.y == b.y) tokens.fail(where, fmt::format("{} has no area", what));
  return {std::min(a.x, b.x), std::min(a.y, b.y), std::max(a.x, b.x), std::max(a.y, b.y)};
}

std::vector<Point> take_points(Tokens& tokens, size_t at_least, std::string_view what) {
  const size_t where = tokens.offset();
  std::vector<Point> points;
  while (!tokens.at_end() && tokens.peek()[0] == '(')
    points.push_back(tokens.point(points.empty() ? nullptr : &points.back()));
  if (points.size() < at_least)
    tokens.fail(where, fmt::format("{} has at least {} points, like ( 0 100 )", what, at_least));
  return points;
}

Chip read_def_text(const std::shared_ptr<const SourceText>& text, const Library& library, DefLimits limits,
                   bool keeps_places) {
  constexpr size_t kBytesPerByte = 3;  // of the circuit of its nets
  expect_memory(kBytesPerByte * text->text().size());
  Chip chip;
  chip.texts.push_back(text);
  DefFile def{Tokens(*text), library, chip, limits, ViaNames(library), {}, keeps_places};
  while (read_statement(def)) {
  }
  if (chip.dbu_per_um == 0)
    throw InputError(fmt::format("{}: no UNITS DISTANCE MICRONS; add it, so that lengths are known", text->path()));
  def.index_components();
  chip.ledger.path = text->path();
  count_statements(def, chip);
  def.find_core();
  ViaNames::resolve(library, chip);
  keep_power_pins(chip);
  return chip;
}

Chip read_def(const std::string& path, const Library& library) {
  return read_def_text(SourceText::open(path), library);
}

std::string Chip::describe(TextPlace place) const { return texts[place.file]->describe(place.offset); }

}  // namespace gridiron::layout
