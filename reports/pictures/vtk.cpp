// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/vtk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <string>

#include "support/output_file.hpp"

namespace gridiron {
namespace {

/// Big-endian, as legacy files require.
template <class T>
void append_big_endian(std::string& out, T value) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  if constexpr (std::endian::native == std::endian::little) std::ranges::reverse(bytes);
  out.append(bytes.data(), bytes.size());
}

class VtkFile {
 public:
  VtkFile(const OutputPath& path, std::string_view title) : file_(path) {
    file_.write(fmt::format("# vtk DataFile Version 3.0\n{}\nBINARY\n", title));
  }

  void line(const std::string& text) { file_.write(text + "\n"); }

  void doubles(std::span<const double> values) {
    for (const double value : values) put(value);
    end_block();
  }

  template <class T>
  void put(T value) {
    append_big_endian(block_, value);
    if (block_.size() >= kBlock) flush();
  }

  void end_block() {
    flush();
    file_.write("\n");
  }

  void commit() { file_.commit(); }

 private:
  static constexpr size_t kBlock = 1 << 16;

  void flush() {
    file_.write(block_);
    block_.clear();
  }

  OutputFile file_;
  std::string block_;
};

}  // namespace

void write_vtk_grid(const OutputPath& path, const PdeResult& result) {
  const bool cells = result.places == RegularGrid::Places::cells;
  const FieldGrid grid = result.field_grid.value_or(FieldGrid{result.shape, result.spacing});
  const RegularGrid::Index& n = grid.size;
  const int dimensions = result.problem->dimensions;
  VtkFile file(path, fmt::format("Gridiron {}", result.problem->name));
  file.line("DATASET STRUCTURED_POINTS");
  file.line(fmt::format("DIMENSIONS {} {} {}", n[0] + cells, n[1] + cells, n[2] + (cells && dimensions == 3)));
  file.line("ORIGIN 0 0 0");
  file.line(fmt::format("SPACING {:.17g} {:.17g} {:.17g}", grid.spacing[0], grid.spacing[1], grid.spacing[2]));
  file.line(fmt::format("{} {}", cells ? "CELL_DATA" : "POINT_DATA", n[0] * n[1] * n[2]));
  for (const GridField& field : result.fields) {
    if (field.components == 3) {
      file.line("VECTORS " + field.name + " double");
    } else {
      file.line("SCALARS " + field.name + " double 1");
      file.line("LOOKUP_TABLE default");
    }
    file.doubles(field.values);
  }
  file.commit();
}

void write_vtk_mesh(const OutputPath& path, const Mesh& mesh) {
  VtkFile file(path, "Gridiron mesh");
  file.line("DATASET STRUCTURED_GRID");
  file.line(fmt::format("DIMENSIONS {} {} 1", mesh.columns, mesh.rows));
  file.line(fmt::format("POINTS {} double", mesh.points.size()));
  for (const PlanePoint& p : mesh.points)
    for (const double coordinate : {p[0], p[1], 0.0}) file.put(coordinate);
  file.end_block();
  file.line(fmt::format("CELL_DATA {}", mesh.area_shares.size()));
  file.line("SCALARS area double 1");
  file.line("LOOKUP_TABLE default");
  file.doubles(mesh.area_shares);
  file.commit();
}

void write_vtk_lines(const OutputPath& path, const std::vector<Line>& lines, std::string_view value_name) {
  size_t points = 0;
  for (const Line& line : lines) points += line.points.size();
  VtkFile file(path, "Gridiron lines");
  file.line("DATASET POLYDATA");
  file.line(fmt::format("POINTS {} double", points));
  for (const Line& line : lines)
    for (const Point& p : line.points)
      for (const double coordinate : p) file.put(coordinate);
  file.end_block();
  file.line(fmt::format("LINES {} {}", lines.size(), lines.size() + points));
  int32_t next = 0;
  for (const Line& line : lines) {
    file.put(static_cast<int32_t>(line.points.size()));
    for (size_t i = 0; i < line.points.size(); ++i) file.put(next++);
  }
  file.end_block();
  file.line(fmt::format("POINT_DATA {}", points));
  file.line(fmt::format("SCALARS {} double 1", value_name));
  file.line("LOOKUP_TABLE default");
  for (const Line& line : lines)
    for (const double value : line.value) file.put(value);
  file.end_block();
  file.commit();
}

}  // namespace gridiron
