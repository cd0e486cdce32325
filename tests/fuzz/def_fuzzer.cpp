// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any text as a DEF file of a small library, read as a whole and in many parts.
#include <fmt/format.h>
#include <omp.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "layout/def/def_file.hpp"
#include "tests/fuzz/expect_errors.hpp"
#include "tests/layout/layout_texts.hpp"

namespace gridiron::fuzz {
namespace {

using namespace layout;

const Library& library() {
  static const Library kLibrary = layout::test::library_with(layout::test::inverter());
  return kLibrary;
}

void check_box(const LayerBox& box) {
  check(box.layer >= 0 && box.layer < std::ssize(library().layers));
  check(box.box.x0 < box.box.x1 && box.box.y0 < box.box.y1);
}

void check_chip(const Chip& chip) {
  const auto n = static_cast<size_t>(chip.components.size());
  check(chip.components.macro.size() == n && chip.components.place.size() == n && chip.components.placed.size() == n);
  check(chip.components.orientation.size() == n && chip.components.offset.size() == n);
  for (size_t k = 0; k < n; ++k) {
    check(!chip.components.name[k].empty());
    const Macro& macro = library().macros.at(static_cast<size_t>(chip.components.macro[k]));
    placed(Box{0, 0, 1, 1}, to_dbu(macro.width_um, 1000), 3000, chip.components.place[k],
           chip.components.orientation[k]);
  }
  for (const BlockPin& pin : chip.pins)
    for (const LayerBox& box : pin.boxes) check_box(box);
  for (const SpecialNet& net : chip.nets) {
    for (const LayerBox& box : net.boxes) check_box(box);
    for (const LayerPolygon& polygon : net.polygons) check(polygon.corners.size() >= 3);
    for (const PlacedVia& placed : net.vias) {
      const Via& via = chip.vias.at(static_cast<size_t>(placed.via));
      for (const Box& box : via.cuts) {  // within the range of Dbu: the sanitizer looks
        const Box at = turned(box, placed.orientation);
        check(at.x0 + placed.place.x <= at.x1 + placed.place.x);
      }
    }
  }
}

/// What was read, or the error.
std::string told(std::string_view bytes, size_t piece) {
  std::string text;
  try {
    const Chip chip = read_def_text(SourceText::from_string(std::string(bytes), "fuzz.def"), library(),
                                    {.piece = piece, .vias = 10'000, .shapes = 10'000});
    check_chip(chip);
    text = fmt::format("{} components, {} pins", chip.components.size(), chip.pins.size());
    for (const SpecialNet& net : chip.nets) {
      text +=
          fmt::format(", {}: {} {} {} {}", net.name, net.boxes.size(), net.polygons.size(), net.vias.size(), net.volts);
      for (const LayerBox& box : net.boxes) text += fmt::format(" {}:{}", box.layer, box.box.x1);
    }
  } catch (const Error& error) {
    text = error.what();
    check(!text.empty());
  }
  return text;
}

}  // namespace
}  // namespace gridiron::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  omp_set_num_threads(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string whole = gridiron::fuzz::told(bytes, size + 1);
  gridiron::fuzz::check(gridiron::fuzz::told(bytes, 16) == whole);
  return 0;
}
