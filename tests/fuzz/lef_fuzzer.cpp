// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any text as a LEF file.
#include <omp.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "layout/lef/lef_file.hpp"
#include "tests/fuzz/expect_errors.hpp"

namespace gridiron::fuzz {
namespace {

void check_shapes(const layout::Library& library, const std::vector<layout::ShapeUm>& shapes) {
  for (const layout::ShapeUm& shape : shapes) {
    check(shape.layer >= 0 && shape.layer < std::ssize(library.layers));
    check(shape.is_polygon ? shape.xy.size() >= 6 && shape.xy.size() % 2 == 0 : shape.xy.size() == 4);
    for (const double coordinate : shape.xy) check(std::isfinite(coordinate));
  }
}

void read(std::string_view bytes) {
  expect_only_errors([&] {
    constexpr int64_t kFewShapes = 10'000;
    const layout::Library library =
        layout::read_lef_texts({SourceText::from_string(std::string(bytes), "fuzz.lef")}, kFewShapes);
    for (const layout::FixedVia& via : library.vias) check_shapes(library, via.shapes);
    for (const layout::Macro& macro : library.macros) {
      check(library.macro(macro.name) == &macro - library.macros.data());
      for (const layout::MacroPin& pin : macro.pins) check_shapes(library, pin.shapes);
      check(!library.describe(macro.place).empty());
    }
  });
}

}  // namespace
}  // namespace gridiron::fuzz

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  omp_set_num_threads(1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  gridiron::fuzz::read({reinterpret_cast<const char*>(data), size});
  return 0;
}
