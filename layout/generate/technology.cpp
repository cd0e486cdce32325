// SPDX-License-Identifier: Apache-2.0
#include "layout/generate/technology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gridiron::generator {
namespace {

/// Text of the LEF file. All of it is small.
class TechnologyText {
 public:
  std::string take();

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  static double um(int64_t units) { return static_cast<double>(units) / kUnitsPerUm; }
  static double ohms(int64_t milliohms) { return static_cast<double>(milliohms) / 1000; }

  void metals();
  void default_vias();
  void via_rules();
  void pin(std::string_view name, std::string_view direction, std::string_view use, int metal,
           const std::vector<std::array<int64_t, 4>>& boxes);
  void cell(const Cell& cell, std::string_view kind);
  void macro();

  std::string text_;
};

void TechnologyText::metals() {
  for (int m = 0; m < kMetalCount; ++m) {
    const MetalRule& rule = kMetalRules[m];
    add("LAYER metal{}\n  TYPE ROUTING ;\n  DIRECTION {} ;\n  WIDTH {} ;\n  SPACING {} ;\n  PITCH {} ;", m + 1,
        m % 2 == 0 ? "HORIZONTAL" : "VERTICAL", um(rule.width), um(rule.pitch - rule.width), um(rule.pitch));
    add("  RESISTANCE RPERSQ {} ;\nEND metal{}\n", ohms(rule.milliohms_per_square), m + 1);
    if (m + 1 == kMetalCount) continue;
    const CutRule& cut = kCutRules[m];
    add("LAYER via{}\n  TYPE CUT ;\n  WIDTH {} ;\n  SPACING {} ;\n  RESISTANCE {} ;\nEND via{}\n", m + 1, um(cut.size),
        um(cut.spacing), ohms(cut.milliohms), m + 1);
  }
}

/// Of one cut, for signals.
void TechnologyText::default_vias() {
  for (int m = 0; m + 1 < kMetalCount; ++m) {
    const CutRule& cut = kCutRules[m];
    const double c = um(cut.size) / 2, e = um(cut.size + cut.enclosure) / 2;
    add("VIA M{}_M{} DEFAULT", m + 2, m + 1);
    for (const auto& [layer, number, half] :
         {std::tuple{"metal", m + 1, e}, std::tuple{"via", m + 1, c}, std::tuple{"metal", m + 2, e}})
      add("  LAYER {}{} ;\n    RECT {} {} {} {} ;", layer, number, -half, -half, half, half);
    add("END M{}_M{}\n", m + 2, m + 1);
  }
}

void TechnologyText::via_rules() {
  for (int m = 0; m + 1 < kMetalCount; ++m) {
    const CutRule& cut = kCutRules[m];
    const double c = um(cut.size) / 2, e = um(cut.enclosure), step = um(cut.size + cut.spacing);
    add("VIARULE via{}Array GENERATE", m + 1);
    add("  LAYER metal{} ;\n    ENCLOSURE {} {} ;\n  LAYER metal{} ;\n    ENCLOSURE {} {} ;", m + 1, e, e, m + 2, e, e);
    add("  LAYER via{} ;\n    RECT {} {} {} {} ;\n    SPACING {} BY {} ;\nEND via{}Array\n", m + 1, -c, -c, c, c, step,
        step, m + 1);
  }
}

void TechnologyText::pin(std::string_view name, std::string_view direction, std::string_view use, int metal,
                         const std::vector<std::array<int64_t, 4>>& boxes) {
  add("  PIN {}\n    DIRECTION {} ;\n    USE {} ;{}\n    PORT\n      LAYER metal{} ;", name, direction, use,
      use != "SIGNAL" && metal == 1 ? "\n    SHAPE ABUTMENT ;" : "", metal);
  for (const auto& [x0, y0, x1, y1] : boxes) add("      RECT {} {} {} {} ;", um(x0), um(y0), um(x1), um(y1));
  add("    END\n  END {}", name);
}

void TechnologyText::cell(const Cell& cell, std::string_view kind) {
  constexpr int64_t kHalfRail = kRailWidth / 2, kPinSide = 160;
  const int64_t width = cell.width();
  add("MACRO {}\n  CLASS CORE{} ;\n  ORIGIN 0 0 ;\n  SIZE {} BY {} ;\n  SYMMETRY X Y ;\n  SITE core ;", cell.name, kind,
      um(width), um(kRowHeight));
  int64_t x = (kSite - kPinSide) / 2;
  const auto signal = [&](std::string_view name, std::string_view direction) {
    const int64_t y = (kRowHeight - kPinSide) / 2;
    pin(name, direction, "SIGNAL", 1, {{x, y, x + kPinSide, y + kPinSide}});
    x += kSite;
  };
  for (const std::string_view input : cell.inputs)
    if (!input.empty()) signal(input, "INPUT");
  if (!cell.output.empty()) signal(cell.output, "OUTPUT");
  pin("VDD", "INOUT", "POWER", 1, {{0, kRowHeight - kHalfRail, width, kRowHeight + kHalfRail}});
  pin("VSS", "INOUT", "GROUND", 1, {{0, -kHalfRail, width, kHalfRail}});
  add("END {}\n", cell.name);
}

void TechnologyText::macro() {
  add("MACRO {}\n  CLASS BLOCK ;\n  ORIGIN 0 0 ;\n  SIZE {} BY {} ;\n  SYMMETRY X Y R90 ;", kMacroName, um(kMacroWidth),
      um(kMacroHeight));
  for (int net = 0; net < 2; ++net) {
    const int64_t half = kStrapWidths[1] / 2;
    std::vector<std::array<int64_t, 4>> straps;
    for (int64_t k = 0; k < kMacroStraps; ++k) {
      const int64_t x = first_strap(1, net) + k * kOpenroadStraps[1].pitch;
      straps.push_back({x - half, 0, x + half, kMacroHeight});
    }
    pin(kNetNames[net], "INOUT", net == 0 ? "POWER" : "GROUND", kOpenroadStraps[1].number, straps);
  }
  add("  OBS");
  for (int m = 1; m <= 3; ++m) add("    LAYER metal{} ;\n    RECT 0 0 {} {} ;", m, um(kMacroWidth), um(kMacroHeight));
  add("  END\nEND {}\n", kMacroName);
}

std::string TechnologyText::take() {
  add("# Technology and cells of generated layouts, of no real process.\nVERSION 5.8 ;\nBUSBITCHARS \"[]\" ;");
  add("DIVIDERCHAR \"/\" ;\nUNITS\n  DATABASE MICRONS {} ;\nEND UNITS\nMANUFACTURINGGRID 0.005 ;\n", kUnitsPerUm);
  metals();
  default_vias();
  via_rules();
  add("SITE core\n  CLASS CORE ;\n  SYMMETRY Y ;\n  SIZE {} BY {} ;\nEND core\n", um(kSite), um(kRowHeight));
  for (const Cell& c : kCells) cell(c, "");
  cell(kTapCell, " WELLTAP");
  for (const Cell& c : kFillers) cell(c, " SPACER");
  macro();
  add("END LIBRARY");
  return std::move(text_);
}

}  // namespace

ViaShape via_shape(const CutRule& cut, int64_t width, int64_t height) {
  const auto fitting = [&](int64_t length) {
    return std::max<int64_t>(1, (length - 2 * cut.enclosure + cut.spacing) / (cut.size + cut.spacing));
  };
  const auto left = [&](int64_t length, int64_t cuts) {
    return (length - cuts * cut.size - (cuts - 1) * cut.spacing) / 2;
  };
  const int64_t columns = fitting(width), rows = fitting(height);
  return {columns, rows, left(width, columns), left(height, rows)};
}

void write_technology(DeckWriter& lef) { lef << TechnologyText().take(); }

}  // namespace gridiron::generator
