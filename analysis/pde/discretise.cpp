// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/discretise.hpp"

#include "analysis/pde/finite_volumes.hpp"
#include "support/parallel.hpp"

namespace gridiron {

CsrMatrix assemble(const RegularGrid& grid) {
  const FiniteVolumes volumes(grid);
  CsrMatrix matrix;
  matrix.rows = volumes.unknowns();
  matrix.row_ptr.assign(matrix.rows + 1, 0);
  parallel_ranges(matrix.rows, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      std::int64_t entries = 1;
      volumes.for_each_face(volumes.index_of(row),
                            [&](const FiniteVolumes::Face& face) { entries += face.neighbour >= 0; });
      matrix.row_ptr[row + 1] = entries;
    }
  });
  for (std::int64_t row = 0; row < matrix.rows; ++row) matrix.row_ptr[row + 1] += matrix.row_ptr[row];
  matrix.col.resize(matrix.nonzeros());
  matrix.value.resize(matrix.nonzeros());
  parallel_ranges(matrix.rows, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      const RegularGrid::Index at = volumes.index_of(row);
      double diagonal = -grid.shift * volumes.volume_of(at);
      std::int64_t next = matrix.row_ptr[row], diagonal_at = next;
      volumes.for_each_face(at, [&](const FiniteVolumes::Face& face) {
        diagonal += face.conductance;
        if (face.neighbour < 0) return;
        const bool is_lower = face.neighbour < row;
        diagonal_at += is_lower;
        const std::int64_t k = next++ + !is_lower;
        matrix.col[k] = static_cast<std::int32_t>(face.neighbour);
        matrix.value[k] = -face.conductance;
      });
      matrix.col[diagonal_at] = static_cast<std::int32_t>(row);
      matrix.value[diagonal_at] = diagonal;
    }
  });
  return matrix;
}

std::vector<double> right_hand_side(const PdeModel& model) {
  const FiniteVolumes volumes(model.grid);
  std::vector<double> b(volumes.unknowns(), 0.0);
  parallel_ranges(volumes.unknowns(), [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t row = first; row < last; ++row) {
      const RegularGrid::Index at = volumes.index_of(row);
      if (model.source) b[row] = -model.source(volumes.place_of(at)) * volumes.volume_of(at);
      if (!model.boundary) continue;
      volumes.for_each_face(at, [&](const FiniteVolumes::Face& face) {
        if (face.neighbour < 0) b[row] += face.conductance * model.boundary(face.boundary);
      });
    }
  });
  return b;
}

double system_bytes(const RegularGrid::Index& size, int dimensions) {
  const double points = static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
  const double entry = sizeof(double) + sizeof(std::int32_t), row = sizeof(std::int64_t), vectors = 2 * sizeof(double);
  return points * ((2 * dimensions + 1) * entry + row + vectors);
}

}  // namespace gridiron
