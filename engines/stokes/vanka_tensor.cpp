// SPDX-License-Identifier: Apache-2.0
#include "engines/stokes/vanka_tensor.hpp"

namespace gridiron::stokes {
namespace {

/// The number of a value, counted group by group.
int slot_of(int plane, int x, int y) {
  for (int k = 0; k < TensorTile::kGroups; ++k) {
    const auto [first, step] = TensorTile::group(k);
    const int members = step.offset() == 0 ? 1 : 4;
    for (int member = 0; member < members; ++member)
      if (plane == first.plane + member * step.plane && x == first.x + member * step.x &&
          y == first.y + member * step.y)
        return 4 * k + member;
  }
  return -1;
}

}  // namespace

std::vector<uint32_t> tensor_words(const VankaRow<float>& middle) {
  // matrix[row][slot]: the pair of coefficients, in the order of apply_vanka_row().
  struct Pair {
    float value[2] = {};
  };
  std::vector<Pair> matrix(TensorTile::kRows * 4 * TensorTile::kGroups);
  const auto at = [&](int row, int slot) -> Pair& { return matrix[row * 4 * TensorTile::kGroups + slot]; };
  constexpr int kPressureRow = 8;
  int next = 0;
  for (int y = -4; y <= 4; ++y)
    for (int x = -4; x <= 4; ++x) {
      const int slot = slot_of((x & 1) + 2 * (y & 1), x >> 1, y >> 1);
      for (int kind = 0; kind < 4; ++kind)
        if (vanka_reaches(kind, x, y))
          for (const int row : {kind, 4 + kind})
            for (float& value : at(row, slot).value) value = middle.value[next++];
      if (x >= -2 && x <= 2 && y >= -2 && y <= 2)
        for (float& value : at(kPressureRow, slot).value) value = middle.value[next++];
    }
  for (int y = -1; y <= 1; ++y)
    for (int x = -1; x <= 1; ++x) {
      const int slot = slot_of(4, x, y);
      for (int kind = 0; kind < 4; ++kind)
        if (x >= -1 + (kind & 1) && y >= -1 + (kind >> 1))
          for (const int row : {kind, 4 + kind}) at(row, slot).value[0] = middle.value[next++];
      if (x == 0 && y == 0) at(kPressureRow, slot).value[0] = middle.value[next++];
    }
  std::vector<uint32_t> words;
  words.reserve(TensorTile::kWords);
  for (int step = 0; step < TensorTile::kSteps; ++step)
    for (int lane = 0; lane < 32; ++lane)
      for (const int high : {0, 1})
        for (const int lower_row : {0, 8}) {
          const Pair& pair = at(lane / 4 + lower_row, 8 * step + 4 * high + lane % 4);
          words.push_back(bfloat_pair(pair.value[0], pair.value[1]));
        }
  return words;
}

}  // namespace gridiron::stokes
