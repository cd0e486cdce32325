// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "engines/psc/dense_on.hpp"
#include "engines/psc/params.hpp"
#include "engines/psc/prehandled.hpp"
#include "support/lists.hpp"

namespace gridiron::psc {

/// 16 bytes of fp16, as Tensor Cores want it.
inline int64_t padded(int64_t n) { return (n + 7) / 8 * 8; }

template <class T>
std::vector<T> rounded(const std::vector<double>& values) {
  std::vector<T> out;
  out.reserve(values.size());
  for (const double v : values) out.push_back(T(static_cast<Sum<T>>(v)));
  return out;
}

/// A block of rows × columns in fp64, rounded, into columns `pitch` apart with zeros between them.
template <class D, class T>
void store_rounded(View<D, const double> a, int64_t rows, int64_t columns, int64_t pitch, View<D, T> to) {
  D::for_each_line(
      columns, pitch, LineNumber(), GRIDIRON_KERNEL(int64_t j, int64_t i) {
        to[j * pitch + i] = T(static_cast<Sum<T>>(i < rows ? a[j * rows + i] : 0.0));
      });
}
template <class D, class T>
Array<D, T> stored(View<D, const double> a, int64_t rows, int64_t columns, int64_t pitch) {
  Array<D, T> out(pitch * columns);
  store_rounded<D, T>(a, rows, columns, pitch, out.view());
  return out;
}

/// B = L_c⁻¹ A_CE, coarse × edge, in the memory of D.
template <class D>
Array<D, double> dense_coarse_edge_on(const Prehandled& p) {
  const int64_t coarse = p.cells.coarse(), all = p.cells.edge();
  Array<D, double> sparse(coarse * all), b(coarse * all);
  const auto out = sparse.view();
  fill<D, double>(out, 0.0);
  const Array<D, int32_t> begin_array(p.edge_coarse.begin), column_array(p.edge_coarse.column);
  const Array<D, double> value_array(p.edge_coarse.value), inverse(p.coarse_inverse);
  const auto begin = begin_array.view(), column = column_array.view();
  const auto value = value_array.view();
  D::for_each(
      all, GRIDIRON_KERNEL(int64_t i) {
        for (int64_t e = begin[i]; e < begin[i + 1]; ++e) out[i * coarse + column[e]] = value[e];
      });
  Gemm<D>().template operator()<double>({coarse, all, coarse, false, coarse, coarse, coarse}, 1, inverse.view(),
                                        sparse.view(), 0, b.view());
  return b;
}

/// Λ, or Π = Λ − Bᵀ B, as a dense matrix in the memory of D.
template <class D>
Array<D, double> dense_schur_on(const Prehandled& p, bool with_coarse) {
  const int64_t all = p.cells.edge(), edge = p.cells.lattice.edge(), coarse = p.cells.coarse();
  Array<D, double> pi(all * all);
  const auto out = pi.view();
  fill<D, double>(out, 0.0);
  std::vector<double> schur_of_groups;
  std::vector<int32_t> group_of_cell;
  for (size_t g = 0; g < p.groups.size(); ++g) {
    append(schur_of_groups, p.groups[g].schur);
    group_of_cell.insert(group_of_cell.end(), p.cells.groups[g].cells, static_cast<int32_t>(g));
  }
  const Array<D, double> schur_array(schur_of_groups), ratio_array(p.edge_ratio);
  const Array<D, int32_t> group_array(group_of_cell), edge_array(p.cells.edge_of_cell), cells_array(p.cells_of_edge);
  const auto schur = schur_array.view(), ratio = ratio_array.view();
  const auto group = group_array.view(), edge_of_cell = edge_array.view(), cells_of_edge = cells_array.view();
  // The rows that one cell gives to a column are distinct; its two cells come one after the other.
  for (int slot = 0; slot < 2; ++slot)
    D::for_each_line(
        all, edge, GRIDIRON_KERNEL(int64_t q) { return cells_of_edge[2 * q + slot]; },
        GRIDIRON_KERNEL(int32_t at, int64_t r) {
          if (at < 0) return;
          const int64_t cell = at / edge, column = edge_of_cell[at], row = edge_of_cell[cell * edge + r];
          if (row >= 0)
            out[column * all + row] +=
                ratio[at] * ratio[cell * edge + r] * schur[(group[cell] * edge + at % edge) * edge + r];
        });
  if (with_coarse && coarse > 0) {
    const Array<D, double> b = dense_coarse_edge_on<D>(p);
    Gemm<D>().template operator()<double>({all, all, coarse, true, coarse, coarse, all}, -1, b.view(), b.view(), 1,
                                          out);
  }
  return pi;
}

/// All that DirectSolver multiplies by: formed in fp64, stored in T. With G = C⁻¹Dᵀ beside C⁻¹ in one matrix, the
/// inside of a cell is one product, [C⁻¹ | −G] (b_I, x_E), and what it gives to its edges another with a part of the
/// same matrix, where the paper's form applies C⁻¹ twice. Scales of edges between two kinds of cells are no part of
/// these matrices: a cell's vectors are multiplied by the ratio to its own (Prehandled::edge_ratio). Tiles of Π⁻¹ that
/// round to zero are not skipped: in fp16, with E sorted by level, they are a quarter of it at h = 1/256 and none in
/// the other precisions, and Π⁻¹ is a sixth of the operations at h = 1/1024.
template <class D, class T>
struct StoredMatrices {
  using S = Sum<T>;

  int64_t interior = 0, edge = 0, all_edge = 0, coarse = 0;
  int64_t interior_pitch = 0, edge_pitch = 0, operand_pitch = 0, all_edge_pitch = 0;
  int64_t cell_size = 0, coupling_size = 0;  ///< entries per group
  Array<D, T> cell;                          ///< per group [C⁻¹ | −G], in the paper's form C⁻¹
  Array<D, T> coupling;                      ///< the paper's form: per group Dᵀ
  Array<D, T> lambda;                        ///< (M3): per group the cell's Schur complement
  Array<D, T> schur_inverse;                 ///< Π⁻¹ or, for (M2), Λ⁻¹
  Array<D, S> theta_inverse;                 ///< (M2)
  Array<D, S> coarse_inverse;

  StoredMatrices(const Prehandled& p, const PscParams& params) {
    const CellLattice& lattice = p.cells.lattice;
    interior = lattice.interior();
    edge = lattice.edge();
    interior_pitch = padded(interior);
    edge_pitch = padded(edge);
    operand_pitch = interior_pitch + edge_pitch;
    all_edge = p.cells.edge();
    all_edge_pitch = padded(all_edge);
    coarse = p.cells.coarse();
    coarse_inverse = Array<D, S>(rounded<S>(p.coarse_inverse));
    set_up_cells(p, params.form == "stored");
    if (params.method == "m1")
      set_up_m1(p);
    else if (params.method == "m2")
      set_up_m2(p);
    else
      set_up_m3(p);
  }

  int64_t cell_bytes() const { return bytes_of(cell, coupling, lambda); }
  int64_t schur_bytes() const { return bytes_of(schur_inverse, theta_inverse); }

 private:
  void set_up_cells(const Prehandled& p, bool is_stored) {
    const int64_t ni = interior, ne = edge, pitch = interior_pitch;
    cell_size = pitch * (is_stored ? operand_pitch : pitch);
    coupling_size = pitch * edge_pitch;
    std::vector<T> host(p.groups.size() * cell_size, T(S(0))), of_edges;
    if (!is_stored) of_edges.assign(p.groups.size() * coupling_size, T(S(0)));
    for (size_t g = 0; g < p.groups.size(); ++g) {
      const CondensedCell& group = p.groups[g];
      for (int64_t j = 0; j < ni; ++j)
        for (int64_t i = 0; i < ni; ++i)
          host[g * cell_size + j * pitch + i] = T(static_cast<S>(group.inverse[j * ni + i]));
      for (int64_t e = 0; e < ne; ++e)
        for (int64_t i = 0; i < ni; ++i)
          if (is_stored)
            host[g * cell_size + (pitch + e) * pitch + i] = T(static_cast<S>(-group.transfer[e * ni + i]));
          else
            of_edges[g * coupling_size + e * pitch + i] = T(static_cast<S>(group.coupling[e * ni + i]));
    }
    cell = Array<D, T>(host);
    coupling = Array<D, T>(of_edges);
  }

  void set_up_m1(const Prehandled& p) {
    Array<D, double> pi = dense_schur_on<D>(p, true);
    invert_on<D>(all_edge, pi, "the Schur complement Pi");
    schur_inverse = stored<D, T>(pi.view(), all_edge, all_edge, all_edge_pitch);
  }

  /// Θ = I − B Λ⁻¹ Bᵀ.
  void set_up_m2(const Prehandled& p) {
    Array<D, double> lambda_inverse = dense_schur_on<D>(p, false);
    invert_on<D>(all_edge, lambda_inverse, "the Schur complement Lambda");
    if (coarse > 0) {
      const Array<D, double> b = dense_coarse_edge_on<D>(p);
      Array<D, double> b_transposed(all_edge * coarse), product(all_edge * coarse), theta(coarse * coarse);
      SpdInverse<D>::transpose(coarse, all_edge, b.view(), coarse, b_transposed.view(), all_edge);
      set_to_identity(coarse, theta.view());
      Gemm<D> gemm;
      gemm.template operator()<double>({all_edge, coarse, all_edge, false, all_edge, all_edge, all_edge}, 1,
                                       lambda_inverse.view(), b_transposed.view(), 0, product.view());
      gemm.template operator()<double>({coarse, coarse, all_edge, false, coarse, all_edge, coarse}, -1, b.view(),
                                       product.view(), 1, theta.view());
      invert_on<D>(coarse, theta, "the Schur complement Theta");
      theta_inverse = stored<D, S>(theta.view(), coarse, coarse, coarse);
    }
    schur_inverse = stored<D, T>(lambda_inverse.view(), all_edge, all_edge, all_edge_pitch);
  }

  void set_up_m3(const Prehandled& p) {
    const int64_t size = edge_pitch * edge_pitch;
    std::vector<T> host(p.groups.size() * size, T(S(0)));
    for (size_t g = 0; g < p.groups.size(); ++g)
      for (int64_t j = 0; j < edge; ++j)
        for (int64_t i = 0; i < edge; ++i)
          host[g * size + j * edge_pitch + i] = T(static_cast<S>(p.groups[g].schur[j * edge + i]));
    lambda = Array<D, T>(host);
  }

 public:  // nvcc takes no kernels from private functions
  static void set_to_identity(int64_t n, View<D, double> a) {
    D::for_each(
        n * n, GRIDIRON_KERNEL(int64_t at) { a[at] = at % (n + 1) == 0 ? 1.0 : 0.0; });
  }
};

}  // namespace gridiron::psc
