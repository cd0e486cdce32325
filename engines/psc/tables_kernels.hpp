// SPDX-License-Identifier: Apache-2.0
#pragma once

// Steps of PSC on regular tables between its dense products. Columns of a vector lie side by side in entries V of the
// grids; in vectors of the skeleton one after the other, nodes × k.

#include <cmath>

#include "device/device.hpp"
#include "engines/psc/gemm.hpp"

namespace gridiron::psc {

template <class D, class S>
struct BlocksView {
  int64_t blocks, interior, edge, nodes, coarse;
  int64_t operand_pitch, interior_pitch, edge_pitch;  ///< of one column; x_E begins at interior_pitch
  View<D, const int32_t> interior_entry, edge_node, blocks_of_node, entry_of_node;
  View<D, const S> interior_scale, edge_scale;  ///< per block and place; per node
};

/// scale_j = the power of two that brings max |x_j| to about 1, over two vectors: entries of the grids times their
/// scales, and of the skeleton (which may be empty).
template <class D, class V, class S>
void find_operand_scales(const BlocksView<D, S>& b, View<D, const V> inside, View<D, const S> skeleton,
                         View<D, S> scale) {
  constexpr int K = kColumnsOf<V>;
  constexpr int64_t kLanes = 256;
  D::for_each_tile(
      K, kLanes, kLanes * sizeof(double), GRIDIRON_KERNEL(typename D::Tile & tile) {
        const int64_t j = tile.index();
        const View<D, double> most = tile.template shared<double>(kLanes);
        tile.each(kLanes, [&](int64_t lane) {
          double largest = 0;
          for (int64_t i = lane; i < b.blocks * b.interior; i += kLanes)
            if (const int64_t at = b.interior_entry[i]; at >= 0)
              raise_to(largest,
                       std::abs(static_cast<double>(column(inside[at], static_cast<int>(j)) * b.interior_scale[i])));
          for (int64_t i = lane; i < skeleton.size() / K; i += kLanes)
            raise_to(largest, std::abs(static_cast<double>(skeleton[j * (skeleton.size() / K) + i])));
          most[lane] = largest;
        });
        tile.each(1, [&](int64_t) {
          double largest = 0;
          for (int64_t lane = 0; lane < kLanes; ++lane) raise_to(largest, most[lane]);
          scale[j] = largest > 0 && largest < 1e30 ? static_cast<S>(std::ldexp(1.0, -std::ilogb(largest))) : S(1);
        });
      });
}

/// b_I into the operand.
template <class D, class T, class V, class S = Sum<T>>
void load_blocks(const BlocksView<D, S>& b, View<D, const V> rhs, View<D, const S> scale, View<D, T> operand) {
  constexpr int K = kColumnsOf<V>;
  D::for_each(
      b.blocks * b.interior, GRIDIRON_KERNEL(int64_t i) {
        const int64_t at = b.interior_entry[i], first = i / b.interior * K, row = i % b.interior;
        for (int j = 0; j < K; ++j)
          operand[(first + j) * b.operand_pitch + row] =
              T(at >= 0 ? static_cast<S>(column(rhs[at], j)) * b.interior_scale[i] * scale[j] : S(0));
      });
}

/// r = b − D C⁻¹ b_I on the skeleton, of which the blocks' products with −G give the last part; divided by the roots of
/// the diagonals.
template <class D, class V, class S>
void load_skeleton(const BlocksView<D, S>& b, View<D, const V> rhs, View<D, const S> products, View<D, const S> scale,
                   View<D, S> r) {
  constexpr int K = kColumnsOf<V>;
  D::for_each(
      b.nodes, GRIDIRON_KERNEL(int64_t i) {
        for (int j = 0; j < K; ++j) {
          S sum = static_cast<S>(column(rhs[b.entry_of_node[i]], j)) * b.edge_scale[i];
          for (int slot = 0; slot < 2; ++slot)
            if (const int64_t at = b.blocks_of_node[2 * i + slot]; at >= 0)
              sum += products[(at / b.edge * K + j) * b.edge_pitch + at % b.edge] / scale[j];
          r[j * b.nodes + i] = sum;
        }
      });
}

/// x_E into the operand.
template <class D, class T, class S = Sum<T>>
void scatter_to_blocks(const BlocksView<D, S>& b, int64_t k, View<D, const S> x, View<D, const S> scale,
                       int64_t first_row, int64_t pitch, View<D, T> operand) {
  D::for_each(
      b.blocks * b.edge, GRIDIRON_KERNEL(int64_t i) {
        const int64_t node = b.edge_node[i], first = i / b.edge * k, row = first_row + i % b.edge;
        for (int64_t j = 0; j < k; ++j)
          operand[(first + j) * pitch + row] = T(node >= 0 ? x[j * b.nodes + node] * scale[j] : S(0));
      });
}

/// The solution at the insides and on the skeleton.
template <class D, class V, class S>
void store_blocks(const BlocksView<D, S>& b, View<D, const S> inside, View<D, const S> scale, View<D, const S> skeleton,
                  View<D, V> x) {
  constexpr int K = kColumnsOf<V>;
  using Number = std::remove_reference_t<decltype(column(x[0], 0))>;
  D::for_each(
      b.blocks * b.interior, GRIDIRON_KERNEL(int64_t i) {
        const int64_t at = b.interior_entry[i], first = i / b.interior * K, row = i % b.interior;
        if (at < 0) return;
        for (int j = 0; j < K; ++j)
          column(x[at], j) =
              static_cast<Number>(inside[(first + j) * b.interior_pitch + row] * b.interior_scale[i] / scale[j]);
      });
  D::for_each(
      b.nodes, GRIDIRON_KERNEL(int64_t i) {
        for (int j = 0; j < K; ++j)
          column(x[b.entry_of_node[i]], j) = static_cast<Number>(skeleton[j * b.nodes + i] * b.edge_scale[i]);
      });
}

/// One level of the hierarchical basis: x ← S x, and its transpose.
template <class D, class S>
struct LevelView {
  View<D, const int32_t> node, parent_begin, parent, child_begin, child;
  View<D, const S> parent_weight, child_weight;
};
template <class D, class S>
void interpolate(const LevelView<D, S>& level, int64_t nodes, int64_t k, View<D, S> x) {
  const int64_t count = level.node.size();
  D::for_each(
      count * k, GRIDIRON_KERNEL(int64_t at) {
        const int64_t i = at % count, first = at / count * nodes;
        S sum = 0;
        for (int64_t e = level.parent_begin[i]; e < level.parent_begin[i + 1]; ++e)
          sum += level.parent_weight[e] * x[first + level.parent[e]];
        x[first + level.node[i]] += sum;
      });
}
template <class D, class S>
void collect(const LevelView<D, S>& level, int64_t nodes, int64_t k, View<D, S> x) {
  D::for_each(
      nodes * k, GRIDIRON_KERNEL(int64_t at) {
        const int64_t i = at % nodes, first = at / nodes * nodes;
        S sum = 0;
        for (int64_t e = level.child_begin[i]; e < level.child_begin[i + 1]; ++e)
          sum += level.child_weight[e] * x[first + level.node[level.child[e]]];
        if (level.child_begin[i + 1] > level.child_begin[i]) x[at] += sum;
      });
}

/// E: x ← scale x. C, of which `coarse` come first per column: from `from`, coarse × k.
template <class D, class S>
void scale_nodes(int64_t nodes, int64_t coarse, int64_t k, View<D, const S> scale, View<D, const S> from,
                 View<D, S> x) {
  D::for_each(
      nodes * k, GRIDIRON_KERNEL(int64_t at) {
        const int64_t i = at % nodes;
        x[at] = i < coarse ? from[at / nodes * coarse + i] : x[at] * scale[i];
      });
}
template <class D, class S>
void take_coarse(int64_t nodes, int64_t coarse, int64_t k, View<D, const S> x, View<D, S> to) {
  D::for_each(
      coarse * k, GRIDIRON_KERNEL(int64_t at) { to[at] = x[at / coarse * nodes + at % coarse]; });
}

/// q = A x − what blocks give: a product with Σ.
template <class D, class S>
struct CouplingsView {
  View<D, const int32_t> begin, column;
  View<D, const S> value;
};
template <class D, class S>
void multiply_skeleton(const BlocksView<D, S>& b, const CouplingsView<D, S>& a, int64_t k, View<D, const S> x,
                       View<D, const S> products, View<D, S> q) {
  D::for_each(
      b.nodes * k, GRIDIRON_KERNEL(int64_t at) {
        const int64_t i = at % b.nodes, j = at / b.nodes;
        S sum = 0;
        for (int64_t e = a.begin[i]; e < a.begin[i + 1]; ++e) sum += a.value[e] * x[j * b.nodes + a.column[e]];
        for (int slot = 0; slot < 2; ++slot)
          if (const int64_t p = b.blocks_of_node[2 * i + slot]; p >= 0)
            sum -= products[(p / b.edge * k + j) * b.edge_pitch + p % b.edge];
        q[at] = sum;
      });
}

/// A step of the Chebyshev iteration: d ← c₀ d + c₁ z, x ← x + d.
template <class D, class S>
void chebyshev_step(View<D, const S> coefficient, int64_t step, View<D, const S> z, View<D, S> d, View<D, S> x) {
  D::for_each(
      x.size(), GRIDIRON_KERNEL(int64_t i) {
        const S previous = step == 0 ? S(0) : coefficient[2 * step] * d[i];
        d[i] = previous + coefficient[2 * step + 1] * z[i];
        x[i] = step == 0 ? d[i] : x[i] + d[i];
      });
}
/// A block of nodes × k as the operand of a product, scaled column by column; and the product's scale taken back.
template <class D, class T, class S = Sum<T>>
void round_scaled(View<D, const S> x, View<D, const S> scale, int64_t rows, int64_t k, int64_t pitch, View<D, T> to) {
  D::for_each(
      rows * k, GRIDIRON_KERNEL(int64_t at) { to[at / rows * pitch + at % rows] = T(x[at] * scale[at / rows]); });
}
template <class D, class S>
void unscale(View<D, const S> scale, int64_t rows, int64_t k, View<D, S> x) {
  D::for_each(
      rows * k, GRIDIRON_KERNEL(int64_t at) { x[at] /= scale[at / rows]; });
}
template <class D, class S>
void subtract(View<D, const S> b, View<D, const S> q, View<D, S> r) {
  D::for_each(
      r.size(), GRIDIRON_KERNEL(int64_t i) { r[i] = b[i] - q[i]; });
}

}  // namespace gridiron::psc
