// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/fields/npy_field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/npy_reader.hpp"

namespace gridiron {

std::vector<double> read_npy_field(const std::filesystem::path& path, std::span<const int64_t> shape) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw input_error("{:?} cannot be opened; check the path", path.string());
  NpyReader array(fmt::format("{:?}", path.string()), [&](void* to, size_t bytes) {
    file.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes));
    return static_cast<size_t>(file.gcount());
  });
  if (array.type() != "<f8" && array.type() != "<f4")
    array.fail(fmt::format("holds {:?}; expected float64 or float32", array.type()));
  if (array.is_fortran()) array.fail("is in Fortran order; save numpy.ascontiguousarray() of it");
  if (!std::ranges::equal(shape, array.shape()))
    array.fail(fmt::format("has the shape {}, the grid has {} points (axes {})", array.shape_text(), text_of(shape),
                           shape.size() == 2 ? "y, x" : "z, y, x"));
  std::vector<double> values;
  array.for_each_part([&](std::span<const double> part) { append(values, part); });
  return values;
}

}  // namespace gridiron
