// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engines/psc/cells_on.hpp"
#include "engines/psc/params.hpp"
#include "engines/psc/skeleton_cg.hpp"
#include "engines/psc/stored_matrices.hpp"

namespace gridiron::psc {

/// (M1), (M2) and (M3) of the paper (eqs. 13 to 24) on device D: X = A⁻¹ B for blocks of columns, as far as matrices
/// stored in T allow. Every step works on the whole block; vectors of corners and all sums are Sum<T>.
template <class D, class T>
class DirectSolver {
  using S = Sum<T>;

 public:
  DirectSolver(const Prehandled& p, int64_t unknowns, const PscParams& params)
      : params_(params), n_(unknowns), cells_(p, unknowns), groups_(p.cells.groups), at_(p, params) {
    coarse_edge_ = RowsOn<D, S>(p.coarse_edge, at_.all_edge);
    edge_coarse_ = RowsOn<D, S>(p.edge_coarse, at_.coarse);
  }

  int64_t cell_bytes() const { return at_.cell_bytes(); }
  int64_t schur_bytes() const { return at_.schur_bytes(); }
  int64_t bytes() const {
    return bytes_of(cells_, coarse_edge_, edge_coarse_, at_.coarse_inverse, block_) + cell_bytes() + schur_bytes();
  }
  /// Of the dense products with cells and edges, multiplications and additions, by the exact numbers of unknowns.
  double flops_per_column() const {
    const double i = at_.interior, e = at_.edge, all = at_.all_edge;
    const double per_cell = is_stored() ? 2 * i * i + 4 * i * e : 4 * i * i;
    const double skeleton = params_.method == "m1" ? 2 * all * all : params_.method == "m2" ? 4 * all * all : 0;
    return cells_.view(1).cells * per_cell + skeleton;
  }
  /// Memory per column that is treated at once, bytes.
  int64_t bytes_per_column() const { return Block(*this, 1).bytes(); }
  int inner_iterations() const { return cg_ ? cg_->iterations() : 0; }

  /// X = A⁻¹ B, unknowns × k, in the memory of D; at most `at_once` columns at a time.
  void apply(View<D, const double> b, View<D, double> x, int64_t k, int64_t at_once) {
    const int64_t together = std::min(k, at_once);
    if (!block_ || block_->k != together || block_->b != b.data() || block_->x != x.data() || block_->all != k) {
      block_.reset();
      block_ = std::make_unique<Block>(*this, together);
      block_->b = b.data();
      block_->x = x.data();
      block_->all = k;
    }
    const auto in_parts = [&](auto f) {
      for (int64_t first = 0; first < k; first += together)
        f(from<D>(b, first * n_), from<D>(x, first * n_), std::min(together, k - first));
    };
    if (params_.method != "m3") {
      block_->whole.run([&] {
        in_parts([&](View<D, const double> part_b, View<D, double> part_x, int64_t columns) {
          load(part_b, columns);
          params_.method == "m1" ? solve_m1(columns) : solve_m2(columns);
          store(part_x, columns);
        });
      });
      return;
    }
    in_parts([&](View<D, const double> part_b, View<D, double> part_x, int64_t columns) {
      load(part_b, columns);
      solve_m3(columns);
      store(part_x, columns);
    });
  }

 private:
  bool is_stored() const { return params_.form == "stored"; }

  /// Everything for k columns.
  struct Block {
    Block(const DirectSolver& s, int64_t columns) : k(columns) {
      const auto& at = s.at_;
      const int64_t all = s.cells_.view(1).cells * k;
      operand = Array<D, T>(all * at.operand_pitch);
      to_edge = Array<D, S>(all * at.edge_pitch);
      of_edge = Array<D, S>(all * at.edge_pitch);
      of_corner = Array<D, S>(all * s.cells_.view(1).corners);
      inside = Array<D, S>(all * at.interior_pitch);
      edge_operand = Array<D, T>(at.all_edge_pitch * k);
      edge = Array<D, S>(at.all_edge * k);
      for (Array<D, S>* v : {&coarse, &coarse_work, &coarse_solution}) *v = Array<D, S>(at.coarse * k);
      for (Array<D, double>* v : {&scale, &inverse_scale}) *v = Array<D, double>(k);
      partial = Array<D, double>(k * reduction_chunks(s.n_));
      fill<D, T>(operand.view(), T(S(0)));  // rows between the vectors stay so
      fill<D, T>(edge_operand.view(), T(S(0)));
      fill<D, S>(of_edge.view(), S(0));
    }
    int64_t bytes() const {
      return bytes_of(operand, edge_operand, to_edge, of_edge, of_corner, inside, edge, coarse, coarse_work,
                      coarse_solution, scale, inverse_scale, partial);
    }

    int64_t k, all = 0;
    const double *b = nullptr, *x = nullptr;
    Array<D, T> operand, edge_operand;
    Array<D, S> to_edge, of_edge, of_corner, inside, edge, coarse, coarse_work, coarse_solution;
    Array<D, double> scale, inverse_scale, partial;
    typename D::Recording whole;
  };

  OperandView<D, T> operand() { return {block_->operand.view(), at_.operand_pitch, at_.interior_pitch}; }
  View<D, double> partial(int64_t k) { return D::view(block_->partial.view().data(), k * reduction_chunks(n_)); }

  void load_insides(View<D, const double> b, int64_t k) {
    Block& v = *block_;
    const CellsView<D, S> cells = cells_.view(k);
    with_columns_in_a_tile(cells.lattice, k, [&]<int J>(std::integral_constant<int, J>) {
      load_cells<D, T, J>(cells, b, v.scale.view(), operand(), v.to_edge.view(), at_.edge_pitch, v.of_corner.view());
    });
  }

  /// b̃ = (L_c⁻¹ (Sᵀ b)_C, d^-½ (Sᵀ b)_E, d^-½ (Sᵀ b)_I), scaled column by column, the part of C into coarse_solution;
  /// that of E as what cells contribute, to_edge, with the products D C⁻¹ b_I in of_edge.
  void load(View<D, const double> b, int64_t k) {
    Block& v = *block_;
    find_scales<D>(b, n_, k, partial(k), v.scale.view(), v.inverse_scale.view());
    load_insides(b, k);
    load_corners<D, S>(cells_.view(k), v.of_corner.view(), v.coarse_work.view());
    coarse_product(false, 1, v.coarse_work, 0, v.coarse_solution, k);
    for_groups(k, [&](size_t g, int64_t first, int64_t columns) {
      if (is_stored()) {
        of_operand(first, columns,
                   from<D>(at_.cell.view(), g * at_.cell_size + at_.interior_pitch * at_.interior_pitch));
      } else {
        product_with_inverse(g, first, columns, at_.interior_pitch);
        round_to<D, T, S>(from<D>(v.inside.view(), first * at_.interior_pitch), at_.interior_pitch, columns,
                          from<D>(v.operand.view(), first * at_.operand_pitch), at_.operand_pitch);
        of_operand(first, columns, from<D>(at_.coupling.view(), g * at_.coupling_size));
      }
    });
    if (!is_stored()) load_insides(b, k);  // the operand holds C⁻¹ b_I: b_I again
  }

  /// The operand b_E − D C⁻¹ b_I, minus Bᵀ x_C for the corners in coarse_work = L_c⁻ᵀ x_C if asked for.
  template <class Out>
  void load_skeleton(bool minus_corners, int64_t k, View<D, Out> to, int64_t pitch) {
    Block& v = *block_;
    RowsView<D, S> rows = edge_coarse_.view();
    if (!minus_corners) rows.rows = 0;
    // The stored form has −G in its matrix.
    load_edges<D, Out, S>(cells_.view(k), v.to_edge.view(), is_stored() ? S(1) : S(-1), v.of_edge.view(),
                          at_.edge_pitch, rows, v.coarse_work.view(), to, pitch);
  }

  template <class F>
  void for_groups(int64_t k, F f) {
    for (size_t g = 0; g < groups_.size(); ++g) f(g, groups_[g].first * k, groups_[g].cells * k);
  }
  /// Matrixᵀ times the first rows of the operand, for the columns of a group.
  void of_operand(int64_t first, int64_t columns, View<D, const T> matrix) {
    Block& v = *block_;
    gemm_.template operator()<T>(
        {at_.edge_pitch, columns, at_.interior_pitch, true, at_.interior_pitch, at_.operand_pitch, at_.edge_pitch}, 1,
        matrix, from<D>(v.operand.view(), first * at_.operand_pitch), 0,
        from<D>(v.of_edge.view(), first * at_.edge_pitch));
  }
  void product_with_inverse(size_t g, int64_t first, int64_t columns, int64_t depth) {
    Block& v = *block_;
    gemm_.template operator()<T>(
        {at_.interior_pitch, columns, depth, false, at_.interior_pitch, at_.operand_pitch, at_.interior_pitch}, 1,
        from<D>(at_.cell.view(), g * at_.cell_size), from<D>(v.operand.view(), first * at_.operand_pitch), 0,
        from<D>(v.inside.view(), first * at_.interior_pitch));
  }

  /// y = alpha L_c⁻¹ x + beta y, or with the transpose.
  void coarse_product(bool transpose, double alpha, const Array<D, S>& x, double beta, Array<D, S>& y, int64_t k) {
    const int64_t n = at_.coarse;
    gemm_.template operator()<S>({n, k, n, transpose, n, n, n}, alpha, at_.coarse_inverse.view(), x.view(), beta,
                                 y.view());
  }
  /// x_E = Π⁻¹ r or Λ⁻¹ r for r in the operand.
  void product_with_schur_inverse(int64_t k) {
    Block& v = *block_;
    gemm_.template operator()<T>(
        {at_.all_edge, k, at_.all_edge, false, at_.all_edge_pitch, at_.all_edge_pitch, at_.all_edge}, 1,
        at_.schur_inverse.view(), v.edge_operand.view(), 0, v.edge.view());
  }
  /// x_C ← x_C − B x_E.
  void subtract_edges_from_corners(int64_t k) {
    Block& v = *block_;
    multiply_rows<D, S>(coarse_edge_.view(), v.edge.view(), k, v.coarse_work.view());
    coarse_product(false, -1, v.coarse_work, 1, v.coarse_solution, k);
  }

  /// Eqs. (15) and (16).
  void solve_m1(int64_t k) {
    Block& v = *block_;
    coarse_product(true, 1, v.coarse_solution, 0, v.coarse_work, k);
    load_skeleton<T>(true, k, v.edge_operand.view(), at_.all_edge_pitch);
    product_with_schur_inverse(k);
    subtract_edges_from_corners(k);
  }

  /// Eqs. (19) and (20).
  void solve_m2(int64_t k) {
    Block& v = *block_;
    load_skeleton<T>(false, k, v.edge_operand.view(), at_.all_edge_pitch);
    product_with_schur_inverse(k);
    subtract_edges_from_corners(k);
    if (at_.coarse > 0) {
      const int64_t n = at_.coarse;
      gemm_.template operator()<S>({n, k, n, false, n, n, n}, 1, at_.theta_inverse.view(), v.coarse_solution.view(), 0,
                                   v.coarse.view());
      std::swap(v.coarse, v.coarse_solution);
    }
    coarse_product(true, 1, v.coarse_solution, 0, v.coarse_work, k);
    load_skeleton<T>(true, k, v.edge_operand.view(), at_.all_edge_pitch);
    product_with_schur_inverse(k);
  }

  /// (q_C, q_E) = Σ (p_C, p_E), eq. (22).
  void multiply_sigma(const SkeletonBlock<D, S>& p, SkeletonBlock<D, S>& q, int64_t k) {
    Block& v = *block_;
    multiply_rows<D, S>(coarse_edge_.view(), p.edge.view(), k, v.coarse_work.view());
    q.coarse_from(p);
    coarse_product(false, 1, v.coarse_work, 1, q.coarse, k);
    scatter_to_cells<D, T, S>(cells_.view(k), p.edge.view(), at_.all_edge, operand());
    const int64_t ep = at_.edge_pitch;
    for_groups(k, [&](size_t g, int64_t first, int64_t columns) {
      gemm_.template operator()<T>({ep, columns, ep, false, ep, at_.operand_pitch, ep}, 1,
                                   from<D>(at_.lambda.view(), g * ep * ep),
                                   from<D>(v.operand.view(), first * at_.operand_pitch + at_.interior_pitch), 0,
                                   from<D>(v.of_edge.view(), first * ep));
    });
    coarse_product(true, 1, p.coarse, 0, v.coarse_work, k);
    add_on_edges<D, S>(cells_.view(k), v.of_edge.view(), ep, edge_coarse_.view(), S(1), v.coarse_work.view(),
                       q.edge.view());
  }

  /// Eq. (23) by conjugate gradients.
  void solve_m3(int64_t k) {
    Block& v = *block_;
    if (!cg_ || cg_->columns() != k) cg_ = std::make_unique<SkeletonCg<D, S>>(at_.coarse, at_.all_edge, k);
    load_skeleton<S>(false, k, cg_->rhs().edge.view(), at_.all_edge);
    const auto copy = [](const Array<D, S>& from, Array<D, S>& to) {  // of which the block's may have more columns
      const int64_t entries = std::min(from.size(), to.size());
      gridiron::copy<D, S>(D::view(from.view().data(), entries), D::view(to.view().data(), entries));
    };
    copy(v.coarse_solution, cg_->rhs().coarse);
    cg_->solve(inner_rtol(), [&](const SkeletonBlock<D, S>& p, SkeletonBlock<D, S>& q) { multiply_sigma(p, q, k); });
    copy(cg_->solution().coarse, v.coarse_solution);
    copy(cg_->solution().edge, v.edge);
  }
  double inner_rtol() const {
    if (params_.inner_rtol > 0) return params_.inner_rtol;
    return params_.precision == "double" ? 1e-13 : params_.precision == "single" ? 1e-6 : 1e-3;
  }

  /// x_I (eqs. 17, 21, 24), and back to the nodal basis.
  void store(View<D, double> x, int64_t k) {
    Block& v = *block_;
    const CellsView<D, S> cells = cells_.view(k);
    scatter_to_cells<D, T, S>(cells, v.edge.view(), at_.all_edge, operand());
    for_groups(k, [&](size_t g, int64_t first, int64_t columns) {
      if (!is_stored()) subtract_coupling(g, first, columns);
      product_with_inverse(g, first, columns, is_stored() ? at_.operand_pitch : at_.interior_pitch);
    });
    coarse_product(true, 1, v.coarse_solution, 0, v.coarse, k);
    with_columns_in_a_tile(cells.lattice, k, [&]<int J>(std::integral_constant<int, J>) {
      store_cells<D, S, J>(cells, v.inside.view(), at_.interior_pitch, v.edge.view(), at_.all_edge, v.coarse.view(),
                           v.inverse_scale.view(), x);
    });
  }

  /// b_I ← b_I − Dᵀ x_E in the operand.
  void subtract_coupling(size_t g, int64_t first, int64_t columns) {
    Block& v = *block_;
    const int64_t ip = at_.interior_pitch;
    const View<D, S> inside = from<D>(v.inside.view(), first * ip);
    gemm_.template operator()<T>({ip, columns, at_.edge_pitch, false, ip, at_.operand_pitch, ip}, 1,
                                 from<D>(at_.coupling.view(), g * at_.coupling_size),
                                 from<D>(v.operand.view(), first * at_.operand_pitch + ip), 0, inside);
    subtract_rounded<D, T>(View<D, const S>(inside), ip, columns, from<D>(v.operand.view(), first * at_.operand_pitch),
                           at_.operand_pitch);
  }

  PscParams params_;
  int64_t n_;
  CellsOn<D, S> cells_;
  std::vector<MacroCells::Group> groups_;
  StoredMatrices<D, T> at_;
  RowsOn<D, S> coarse_edge_, edge_coarse_;
  Gemm<D> gemm_;
  std::unique_ptr<Block> block_;
  std::unique_ptr<SkeletonCg<D, S>> cg_;
};

}  // namespace gridiron::psc
