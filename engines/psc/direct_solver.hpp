// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engines/linalg/krylov.hpp"
#include "engines/psc/cells_on.hpp"
#include "engines/psc/dense.hpp"
#include "engines/psc/params.hpp"

namespace gridiron::psc {

/// (M1), (M2) and (M3) of the paper (eqs. 13 to 24) on device D: X = A⁻¹ B for blocks of columns, as far as matrices
/// stored in T allow. Every step works on the whole block; vectors of corners and all sums are Sum<T>.
template <class D, class T>
class DirectSolver {
  using S = Sum<T>;

 public:
  /// `schur_inverse`: Π⁻¹ for (M1) if it is known already, edge × edge.
  DirectSolver(const Prehandled& p, std::int64_t unknowns, const PscParams& params,
               const std::vector<double>* schur_inverse = nullptr)
      : params_(params), n_(unknowns), cells_(p, unknowns), groups_(p.cells.groups) {
    const CellLattice& lattice = p.cells.lattice;
    interior_ = lattice.interior();
    edge_ = lattice.edge();
    interior_pitch_ = padded(interior_);
    edge_pitch_ = padded(edge_);
    operand_pitch_ = interior_pitch_ + edge_pitch_;
    all_edge_ = p.cells.edge();
    all_edge_pitch_ = padded(all_edge_);
    coarse_ = p.cells.coarse();
    coarse_edge_ = RowsOn<D, S>(p.coarse_edge, all_edge_);
    edge_coarse_ = RowsOn<D, S>(p.edge_coarse, coarse_);
    coarse_inverse_ = Array<D, S>(rounded<S>(p.coarse_inverse));
    set_up_cells(p);
    if (schur_inverse && params_.method == "m1")
      schur_inverse_ = stored_square(*schur_inverse, all_edge_);
    else
      set_up_skeleton(p);
  }

  std::int64_t cell_bytes() const { return cell_matrix_.bytes() + coupling_.bytes() + lambda_.bytes(); }
  std::int64_t schur_bytes() const { return schur_inverse_.bytes() + theta_inverse_.bytes(); }
  std::int64_t bytes() const {
    std::int64_t sum = cells_.bytes() + coarse_edge_.bytes() + edge_coarse_.bytes() + coarse_inverse_.bytes() +
                       cell_bytes() + schur_bytes();
    if (block_) sum += block_->bytes();
    return sum;
  }
  /// Of the dense products with cells and edges, multiplications and additions, by the exact numbers of unknowns.
  double flops_per_column() const {
    const double i = static_cast<double>(interior_), e = static_cast<double>(edge_),
                 all = static_cast<double>(all_edge_);
    double cells = 0;
    for (const auto& g : groups_) cells += static_cast<double>(g.cells);
    const double per_cell = is_stored() ? 2 * i * i + 4 * i * e : 4 * i * i;
    const double skeleton = params_.method == "m1" ? 2 * all * all : params_.method == "m2" ? 4 * all * all : 0;
    return cells * per_cell + skeleton;
  }
  /// Memory per column of a block, bytes.
  std::int64_t bytes_per_column() const { return Block(*this, 1).bytes(); }
  int inner_iterations() const { return inner_iterations_; }

  /// X = A⁻¹ B, unknowns × k, in the memory of D.
  void apply(View<D, const double> b, View<D, double> x, std::int64_t k) {
    if (!block_ || block_->k != k || block_->b != b.data() || block_->x != x.data()) {
      block_.reset();
      block_ = std::make_unique<Block>(*this, k);
      block_->b = b.data();
      block_->x = x.data();
    }
    if (params_.method != "m3") {
      block_->whole.run([&] {
        load(b, k);
        params_.method == "m1" ? solve_m1(k) : solve_m2(k);
        store(x, k);
      });
      return;
    }
    block_->whole.run([&] { load(b, k); });
    solve_m3(k);
    block_->after.run([&] { store(x, k); });
  }

 private:
  static std::int64_t padded(std::int64_t n) { return (n + 7) / 8 * 8; }  ///< 16 bytes of fp16, as Tensor Cores want it
  bool is_stored() const { return params_.form == "stored"; }

  /// Everything for k columns.
  struct Block {
    Block(const DirectSolver& s, std::int64_t columns) : k(columns) {
      std::int64_t cells = 0;
      for (const auto& g : s.groups_) cells += g.cells;
      const std::int64_t all = cells * k, edges = s.cells_.view(1).edges;
      operand = Array<D, T>(all * s.operand_pitch_);
      of_edge = Array<D, S>(all * s.edge_pitch_);
      of_corner = Array<D, S>(all * s.cells_.view(1).corners);
      of_end = Array<D, S>(edges * k * 2);
      inside = Array<D, S>(all * s.interior_pitch_);
      edge_rhs = Array<D, S>(s.all_edge_ * k);
      edge_operand = Array<D, T>(s.all_edge_pitch_ * k);
      edge = Array<D, S>(s.all_edge_ * k);
      for (Array<D, S>* v : {&coarse_rhs, &coarse, &coarse_work, &coarse_solution}) *v = Array<D, S>(s.coarse_ * k);
      scale = Array<D, double>(k);
      partial = Array<D, double>(k * kChunks);
      fill<D, T>(operand.view(), T(S(0)));  // rows between the vectors stay so
      fill<D, T>(edge_operand.view(), T(S(0)));
      fill<D, S>(of_edge.view(), S(0));
      if (s.params_.method == "m3")
        for (Array<D, S>* v : {&r_e, &p_e, &q_e}) *v = Array<D, S>(s.all_edge_ * k);
      if (s.params_.method == "m3")
        for (Array<D, S>* v : {&r_c, &p_c, &q_c}) *v = Array<D, S>(s.coarse_ * k);
    }
    std::int64_t bytes() const {
      return operand.bytes() + of_edge.bytes() + of_corner.bytes() + of_end.bytes() + inside.bytes() +
             edge_rhs.bytes() + edge_operand.bytes() + edge.bytes() + 4 * coarse.bytes() +
             3 * (r_e.bytes() + r_c.bytes()) + scale.bytes() + partial.bytes();
    }
    static constexpr std::int64_t kChunks = 64;

    std::int64_t k;
    const double *b = nullptr, *x = nullptr;
    Array<D, T> operand, edge_operand;
    Array<D, S> of_edge, of_corner, of_end, inside, edge_rhs, edge, coarse_rhs, coarse, coarse_work, coarse_solution;
    Array<D, S> r_e, p_e, q_e, r_c, p_c, q_c;  ///< of conjugate gradients
    Array<D, double> scale, partial;
    typename D::Recording whole, after;
  };

  /// [C⁻¹ | −G] per group, or in the paper's form C⁻¹ alone beside Dᵀ.
  void set_up_cells(const Prehandled& p) {
    const std::int64_t columns = is_stored() ? operand_pitch_ : interior_pitch_;
    matrix_size_ = interior_pitch_ * columns;
    coupling_size_ = interior_pitch_ * edge_pitch_;
    std::vector<T> host(p.groups.size() * static_cast<std::size_t>(matrix_size_), T(S(0))), coupling;
    if (!is_stored()) coupling.assign(p.groups.size() * static_cast<std::size_t>(coupling_size_), T(S(0)));
    for (std::size_t g = 0; g < p.groups.size(); ++g) {
      const CondensedCell& group = p.groups[g];
      for (std::int64_t j = 0; j < interior_; ++j)
        for (std::int64_t i = 0; i < interior_; ++i)
          host[g * matrix_size_ + j * interior_pitch_ + i] = T(static_cast<S>(group.inverse[j * interior_ + i]));
      for (std::int64_t e = 0; e < edge_; ++e)
        for (std::int64_t i = 0; i < interior_; ++i)
          if (is_stored())
            host[g * matrix_size_ + (interior_pitch_ + e) * interior_pitch_ + i] =
                T(static_cast<S>(-group.transfer[e * interior_ + i]));
          else
            coupling[g * coupling_size_ + e * interior_pitch_ + i] =
                T(static_cast<S>(group.coupling[e * interior_ + i]));
    }
    cell_matrix_ = Array<D, T>(host);
    coupling_ = Array<D, T>(coupling);
  }

  void set_up_skeleton(const Prehandled& p) {
    if (params_.method == "m1") {
      schur_inverse_ = inverse_of(p.dense_schur(true), "the Schur complement Pi");
    } else if (params_.method == "m2") {
      std::vector<double> lambda = p.dense_schur(false);
      invert_spd(all_edge_, lambda.data(), "the Schur complement Lambda");
      // Θ = I − B Λ⁻¹ Bᵀ
      const std::vector<double> b = p.dense_coarse_edge();
      std::vector<double> product(b.size(), 0.0), theta(static_cast<std::size_t>(coarse_ * coarse_), 0.0);
      if (coarse_ > 0) {
        add_product({coarse_, all_edge_, all_edge_}, 1, b.data(), coarse_, lambda.data(), all_edge_, product.data(),
                    coarse_);
        add_product({coarse_, coarse_, all_edge_, false, true}, -1, product.data(), coarse_, b.data(), coarse_,
                    theta.data(), coarse_);
        for (std::int64_t i = 0; i < coarse_; ++i) theta[i * coarse_ + i] += 1;
        invert_spd(coarse_, theta.data(), "the Schur complement Theta");
        theta_inverse_ = Array<D, S>(rounded<S>(theta));
      }
      schur_inverse_ = stored_square(lambda, all_edge_);
    } else {
      std::vector<T> host(p.groups.size() * static_cast<std::size_t>(edge_pitch_ * edge_pitch_), T(S(0)));
      for (std::size_t g = 0; g < p.groups.size(); ++g)
        for (std::int64_t j = 0; j < edge_; ++j)
          for (std::int64_t i = 0; i < edge_; ++i)
            host[(g * edge_pitch_ + j) * edge_pitch_ + i] = T(static_cast<S>(p.groups[g].schur[j * edge_ + i]));
      lambda_ = Array<D, T>(host);
    }
  }
  Array<D, T> inverse_of(std::vector<double> matrix, const char* what) const {
    invert_spd(all_edge_, matrix.data(), what);
    return stored_square(matrix, all_edge_);
  }
  Array<D, T> stored_square(const std::vector<double>& matrix, std::int64_t n) const {
    std::vector<T> host(static_cast<std::size_t>(padded(n) * n), T(S(0)));
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) host[j * padded(n) + i] = T(static_cast<S>(matrix[j * n + i]));
    return Array<D, T>(host);
  }

  OperandView<D, T> operand() { return {block_->operand.view(), operand_pitch_, interior_pitch_}; }

  /// b̃ = (L_c⁻¹ (Sᵀ b)_C, d^-½ (Sᵀ b)_E, d^-½ (Sᵀ b)_I), scaled column by column; b_E ← b_E − D C⁻¹ b_I.
  void load(View<D, const double> b, std::int64_t k) {
    Block& v = *block_;
    const CellsView<D, S> cells = cells_.view(k);
    find_scales<D>(b, n_, k, v.partial.view(), v.scale.view());
    const View<D, const double> scale = std::as_const(v.scale).view();
    load_cells<D, T>(cells, b, scale, operand(), v.of_edge.view(), edge_pitch_, v.of_corner.view());
    load_edges<D, S>(cells, b, scale, std::as_const(v.of_edge).view(), edge_pitch_, v.edge_rhs.view(), v.of_end.view());
    load_corners<D, S>(cells, b, scale, std::as_const(v.of_corner).view(), std::as_const(v.of_end).view(),
                       v.coarse_work.view());
    coarse_product(false, v.coarse_work, v.coarse_rhs, k);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::int64_t first = groups_[g].first * k, columns = groups_[g].cells * k;
      if (is_stored()) {
        of_operand(g, first, columns,
                   from<D>(std::as_const(cell_matrix_).view(), g * matrix_size_ + interior_pitch_ * interior_pitch_));
      } else {
        product_with_inverse(g, first, columns, interior_pitch_);
        round_to<D, T>(from<D>(std::as_const(v.inside).view(), first * interior_pitch_), interior_pitch_, columns,
                       from<D>(v.operand.view(), first * operand_pitch_ + 0), operand_pitch_);
        of_operand(g, first, columns, from<D>(std::as_const(coupling_).view(), g * coupling_size_));
      }
    }
    // The stored form has −G in its matrix.
    add_from_cells<D, S>(cells, is_stored() ? S(1) : S(-1), std::as_const(v.of_edge).view(), edge_pitch_,
                         v.edge_rhs.view());
    if (!is_stored())  // the operand holds C⁻¹ b_I: b_I again
      load_cells<D, T>(cells, b, scale, operand(), v.of_edge.view(), edge_pitch_, v.of_corner.view());
  }

  /// Matrixᵀ times the first rows of the operand, for the columns of a group.
  void of_operand(std::size_t, std::int64_t first, std::int64_t columns, View<D, const T> matrix) {
    Block& v = *block_;
    gemm_.template operator()<T>(
        {edge_pitch_, columns, interior_pitch_, true, interior_pitch_, operand_pitch_, edge_pitch_}, 1, matrix,
        from<D>(std::as_const(v.operand).view(), first * operand_pitch_), 0,
        from<D>(v.of_edge.view(), first * edge_pitch_));
  }
  void product_with_inverse(std::size_t g, std::int64_t first, std::int64_t columns, std::int64_t depth) {
    Block& v = *block_;
    gemm_.template operator()<T>(
        {interior_pitch_, columns, depth, false, interior_pitch_, operand_pitch_, interior_pitch_}, 1,
        from<D>(std::as_const(cell_matrix_).view(), g * matrix_size_),
        from<D>(std::as_const(v.operand).view(), first * operand_pitch_), 0,
        from<D>(v.inside.view(), first * interior_pitch_));
  }

  /// y = L_c⁻¹ x or its transpose.
  void coarse_product(bool transpose, const Array<D, S>& x, Array<D, S>& y, std::int64_t k) {
    dense_of_sums({coarse_, k, coarse_, transpose, coarse_, coarse_, coarse_}, coarse_inverse_, x, y);
  }
  void dense_of_sums(const GemmShape& shape, const Array<D, S>& a, const Array<D, S>& x, Array<D, S>& y) {
    gemm_.template operator()<S>(shape, 1, a.view(), x.view(), 0, y.view());
  }
  /// y += alpha Bᵀ x.
  void add_b_transposed(S alpha, const Array<D, S>& x, Array<D, S>& y, std::int64_t k) {
    coarse_product(true, x, block_->coarse_work, k);
    add_sparse<D, S>(edge_coarse_.view(), alpha, std::as_const(block_->coarse_work).view(), k, y.view());
  }
  /// y = B x.
  void multiply_b(const Array<D, S>& x, Array<D, S>& y, std::int64_t k) {
    fill<D, S>(block_->coarse_work.view(), S(0));
    add_sparse<D, S>(coarse_edge_.view(), S(1), x.view(), k, block_->coarse_work.view());
    coarse_product(false, block_->coarse_work, y, k);
  }
  /// x_E = Π⁻¹ r or Λ⁻¹ r.
  void product_with_schur_inverse(const Array<D, S>& r, std::int64_t k) {
    Block& v = *block_;
    round_to<D, T>(r.view(), all_edge_, k, v.edge_operand.view(), all_edge_pitch_);
    gemm_.template operator()<T>({all_edge_, k, all_edge_, false, all_edge_pitch_, all_edge_pitch_, all_edge_}, 1,
                                 std::as_const(schur_inverse_).view(), std::as_const(v.edge_operand).view(), 0,
                                 v.edge.view());
  }
  /// y += alpha x.
  static void add(S alpha, const Array<D, S>& from, Array<D, S>& to) {
    const View<D, const S> x = from.view();
    const View<D, S> y = to.view();
    add_views(alpha, x, y);
  }

 public:  // nvcc takes no kernels from private functions
  static void add_views(S alpha, View<D, const S> x, View<D, S> y) {
    D::for_each(
        x.size(), GRIDIRON_KERNEL(std::int64_t i) { y[i] += alpha * x[i]; });
  }

  /// Per column, x · y of the parts C and E.
  static void dots(View<D, const S> xc, View<D, const S> yc, std::int64_t coarse, View<D, const S> xe,
                   View<D, const S> ye, std::int64_t edge, std::int64_t k, View<D, double> out) {
    constexpr std::int64_t kLanes = 128;
    D::for_each_tile(
        k, kLanes, kLanes * sizeof(double), GRIDIRON_KERNEL(typename D::Tile & tile) {
          const std::int64_t j = tile.index();
          const View<D, double> part = tile.template shared<double>(kLanes);
          tile.each(kLanes, [&](std::int64_t lane) {
            double sum = 0;
            for (std::int64_t i = lane; i < coarse; i += kLanes)
              sum += static_cast<double>(xc[j * coarse + i]) * static_cast<double>(yc[j * coarse + i]);
            for (std::int64_t i = lane; i < edge; i += kLanes)
              sum += static_cast<double>(xe[j * edge + i]) * static_cast<double>(ye[j * edge + i]);
            part[lane] = sum;
          });
          tile.each(1, [&](std::int64_t) {
            double sum = 0;
            for (std::int64_t lane = 0; lane < kLanes; ++lane) sum += part[lane];
            out[j] = sum;
          });
        });
  }
  /// y_j = x_j + factor_j y_j, or y_j += factor_j x_j.
  static void combine(bool keeps_x, View<D, const double> factor, std::int64_t rows, std::int64_t k, View<D, const S> x,
                      View<D, S> y) {
    D::for_each(
        rows * k, GRIDIRON_KERNEL(std::int64_t i) {
          const S f = static_cast<S>(factor[i / rows]);
          y[i] = keeps_x ? x[i] + f * y[i] : y[i] + f * x[i];
        });
  }
  /// out_j = sign · a_j / b_j; 0 where b_j is.
  static void ratios(double sign, View<D, const double> a, View<D, const double> b, View<D, double> out) {
    D::for_each(
        out.size(), GRIDIRON_KERNEL(std::int64_t j) { out[j] = b[j] > 0 ? sign * a[j] / b[j] : 0.0; });
  }

 private:
  /// Eqs. (15) and (16).
  void solve_m1(std::int64_t k) {
    Block& v = *block_;
    add_b_transposed(S(-1), v.coarse_rhs, v.edge_rhs, k);
    product_with_schur_inverse(v.edge_rhs, k);
    multiply_b(v.edge, v.coarse, k);
    subtract_from_coarse(k);
  }
  /// x_C = b_C − B x_E, where `coarse` holds B x_E.
  void subtract_from_coarse(std::int64_t) {
    Block& v = *block_;
    fill<D, S>(v.coarse_solution.view(), S(0));
    add(S(1), v.coarse_rhs, v.coarse_solution);
    add(S(-1), v.coarse, v.coarse_solution);
  }

  /// Eqs. (19) and (20), with b_E − D C⁻¹ b_I in edge_rhs.
  void solve_m2(std::int64_t k) {
    Block& v = *block_;
    product_with_schur_inverse(v.edge_rhs, k);
    multiply_b(v.edge, v.coarse, k);
    subtract_from_coarse(k);
    if (coarse_ > 0) {
      dense_of_sums({coarse_, k, coarse_, false, coarse_, coarse_, coarse_}, theta_inverse_, v.coarse_solution,
                    v.coarse);
      std::swap(v.coarse, v.coarse_solution);
    }
    add_b_transposed(S(-1), v.coarse_solution, v.edge_rhs, k);
    product_with_schur_inverse(v.edge_rhs, k);
  }

  /// (q_C, q_E) = Σ (p_C, p_E), eq. (22).
  void multiply_sigma(std::int64_t k) {
    Block& v = *block_;
    const CellsView<D, S> cells = cells_.view(k);
    multiply_b(v.p_e, v.q_c, k);
    add(S(1), v.p_c, v.q_c);
    fill<D, S>(v.q_e.view(), S(0));
    add_b_transposed(S(1), v.p_c, v.q_e, k);
    give_to_cells<D, T>(cells, std::as_const(v.p_e).view(), all_edge_, operand());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::int64_t first = groups_[g].first * k, columns = groups_[g].cells * k;
      gemm_.template operator()<T>({edge_pitch_, columns, edge_pitch_, false, edge_pitch_, operand_pitch_, edge_pitch_},
                                   1, from<D>(std::as_const(lambda_).view(), g * edge_pitch_ * edge_pitch_),
                                   from<D>(std::as_const(v.operand).view(), first * operand_pitch_ + interior_pitch_),
                                   0, from<D>(v.of_edge.view(), first * edge_pitch_));
    }
    add_from_cells<D, S>(cells, S(1), std::as_const(v.of_edge).view(), edge_pitch_, v.q_e.view());
  }

  /// Eq. (23) by conjugate gradients, all columns together; a column that is done goes on with steps of zero.
  void solve_m3(std::int64_t k) {
    Block& v = *block_;
    for (Array<D, S>* x : {&v.edge, &v.r_e, &v.p_e}) fill<D, S>(x->view(), S(0));
    for (Array<D, S>* x : {&v.coarse_solution, &v.r_c, &v.p_c}) fill<D, S>(x->view(), S(0));
    add(S(1), v.edge_rhs, v.r_e);
    add(S(1), v.coarse_rhs, v.r_c);
    Array<D, double> rho_array(k), next_array(k), curvature_array(k), factor_array(k);
    const auto dot = [&](const Array<D, S>& xc, const Array<D, S>& yc, const Array<D, S>& xe, const Array<D, S>& ye,
                         Array<D, double>& out) {
      dots(xc.view(), yc.view(), coarse_, xe.view(), ye.view(), all_edge_, k, out.view());
    };
    const auto step = [&](bool keeps_x, const Array<D, S>& xc, Array<D, S>& yc, const Array<D, S>& xe,
                          Array<D, S>& ye) {
      combine(keeps_x, std::as_const(factor_array).view(), coarse_, k, xc.view(), yc.view());
      combine(keeps_x, std::as_const(factor_array).view(), all_edge_, k, xe.view(), ye.view());
    };
    dot(v.r_c, v.r_c, v.r_e, v.r_e, rho_array);
    const std::vector<double> at_first = rho_array.to_host();
    fill<D, double>(factor_array.view(), 0.0);
    const double tolerance = inner_rtol();
    for (inner_iterations_ = 0; inner_iterations_ < kMostInner; ++inner_iterations_) {
      const std::vector<double> now = rho_array.to_host();
      bool is_done = true;
      for (std::int64_t j = 0; j < k; ++j) is_done = is_done && !(now[j] > tolerance * tolerance * at_first[j]);
      if (is_done) break;
      step(true, v.r_c, v.p_c, v.r_e, v.p_e);
      multiply_sigma(k);
      dot(v.p_c, v.q_c, v.p_e, v.q_e, curvature_array);
      ratios(1, std::as_const(rho_array).view(), std::as_const(curvature_array).view(), factor_array.view());
      step(false, v.p_c, v.coarse_solution, v.p_e, v.edge);
      ratios(-1, std::as_const(rho_array).view(), std::as_const(curvature_array).view(), factor_array.view());
      step(false, v.q_c, v.r_c, v.q_e, v.r_e);
      dot(v.r_c, v.r_c, v.r_e, v.r_e, next_array);
      ratios(1, std::as_const(next_array).view(), std::as_const(rho_array).view(), factor_array.view());
      std::swap(rho_array, next_array);
    }
  }
  double inner_rtol() const {
    if (params_.inner_rtol > 0) return params_.inner_rtol;
    return params_.precision == "double" ? 1e-13 : params_.precision == "single" ? 1e-6 : 1e-3;
  }

  /// x_I (eqs. 17, 21, 24), and back to the nodal basis.
  void store(View<D, double> x, std::int64_t k) {
    Block& v = *block_;
    const CellsView<D, S> cells = cells_.view(k);
    const View<D, const double> scale = std::as_const(v.scale).view();
    give_to_cells<D, T>(cells, std::as_const(v.edge).view(), all_edge_, operand());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::int64_t first = groups_[g].first * k, columns = groups_[g].cells * k;
      if (!is_stored()) subtract_coupling(g, first, columns);
      product_with_inverse(g, first, columns, is_stored() ? operand_pitch_ : interior_pitch_);
    }
    coarse_product(true, v.coarse_solution, v.coarse, k);
    store_cells<D, S>(cells, std::as_const(v.inside).view(), interior_pitch_, std::as_const(v.edge).view(), all_edge_,
                      std::as_const(v.coarse).view(), scale, x);
    store_edges<D, S>(cells, std::as_const(v.edge).view(), all_edge_, std::as_const(v.coarse).view(), scale, x);
  }

  /// b_I ← b_I − Dᵀ x_E in the operand.
  void subtract_coupling(std::size_t g, std::int64_t first, std::int64_t columns) {
    Block& v = *block_;
    const View<D, S> inside = from<D>(v.inside.view(), first * interior_pitch_);
    gemm_.template operator()<T>(
        {interior_pitch_, columns, edge_pitch_, false, interior_pitch_, operand_pitch_, interior_pitch_}, 1,
        from<D>(std::as_const(coupling_).view(), g * coupling_size_),
        from<D>(std::as_const(v.operand).view(), first * operand_pitch_ + interior_pitch_), 0, inside);
    subtract_from_operand(inside, columns, from<D>(v.operand.view(), first * operand_pitch_));
  }

 public:
  void subtract_from_operand(View<D, const S> inside, std::int64_t columns, View<D, T> to) const {
    const std::int64_t rows = interior_pitch_, pitch = operand_pitch_;
    D::for_each(
        rows * columns, GRIDIRON_KERNEL(std::int64_t at) {
          T& out = to[at / rows * pitch + at % rows];
          out = T(static_cast<S>(out) - inside[at]);
        });
  }

 private:
  static constexpr int kMostInner = 1000;

  PscParams params_;
  std::int64_t n_;
  CellsOn<D, S> cells_;
  std::vector<MacroCells::Group> groups_;
  std::int64_t interior_ = 0, edge_ = 0, all_edge_ = 0, coarse_ = 0;
  std::int64_t interior_pitch_ = 0, edge_pitch_ = 0, operand_pitch_ = 0, all_edge_pitch_ = 0;
  std::int64_t matrix_size_ = 0, coupling_size_ = 0;
  RowsOn<D, S> coarse_edge_, edge_coarse_;
  Array<D, S> coarse_inverse_, theta_inverse_;
  Array<D, T> cell_matrix_, coupling_, schur_inverse_, lambda_;
  Gemm<D> gemm_;
  std::unique_ptr<Block> block_;
  int inner_iterations_ = 0;
};

}  // namespace gridiron::psc
