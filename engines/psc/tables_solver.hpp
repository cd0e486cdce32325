// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engines/psc/tables_matrices.hpp"

namespace gridiron::psc {

/// PSC on the conductance tables of a power grid: insides of blocks by their inverses, the skeleton between them in the
/// geometric hierarchical basis with a factored coarse grid, either by its dense inverse (m1) or by a Chebyshev
/// iteration of fixed length (m3). Every step treats all blocks and columns at once. V: precision of the vectors; T: of
/// stored matrices.
template <class D, class V, class T>
class TablesSolver : public RegularGridSolver<D, V>, private TablesMatrices<D, T> {
  using S = Sum<T>;
  using Base = RegularGridSolver<D, V>;
  using Matrices = TablesMatrices<D, T>;

 public:
  explicit TablesSolver(PscTablesParams params) : Matrices(std::move(params)) {}

  void setup(const std::vector<GridOn<D>>& grids) override {
    const std::vector<GridTables> tables = tables_to_host<D>(grids);
    strides_.clear();
    int64_t first = 0;
    for (const GridTables& g : tables) {
      strides_.push_back({first, g.nx, g.plane()});
      first += g.cells();
    }
    Matrices::set_up(tables);
    one_ = std::make_unique<Vectors<1>>(*this);
  }

  void update(const std::vector<GridOn<D>>& grids) override { Matrices::update_values(tables_to_host<D>(grids)); }

  CellStrides strides(int64_t grid) const override { return strides_[grid]; }

  View<D, V> rhs() override { return one_->rhs(); }
  void solve() override { one_->solve(); }
  View<D, const V> solution() const override { return one_->solution(); }
  std::unique_ptr<typename Base::Together> vectors_together() const override {
    if constexpr (kColumnsTogether<V> == 1)
      return nullptr;
    else
      return std::make_unique<Vectors<kColumnsTogether<V>>>(*this);
  }

  bool has_no_scratch() const override { return false; }  // cuBLASLt's

  int64_t bytes() const override { return one_ ? one_->bytes() + stored_bytes() : 0; }
  double traffic() const override {
    return static_cast<double>(matrix_bytes()) * 2 + static_cast<double>(skeleton_bytes()) * (is_dense_ ? 1 : steps_) +
           2.0 * coarse_inverse_.bytes() * (is_dense_ ? 1 : steps_);
  }
  std::vector<LevelSummary> levels() const override {
    const int64_t inside = blocks_.blocks * blocks_.interior;
    return {{inside, groups_ * blocks_.interior * (blocks_.interior + blocks_.edge), matrix_bytes(), 0},
            {blocks_.nodes, is_dense_ ? blocks_.nodes * blocks_.nodes : groups_ * blocks_.edge * blocks_.edge,
             skeleton_bytes(), 0}};
  }

  const TableBlocks& blocks() const { return blocks_; }
  MethodFigures figures() const override {
    const double i = blocks_.interior, e = blocks_.edge, n = blocks_.nodes, c = blocks_.coarse;
    const double skeleton = is_dense_ ? 2 * n * n : steps_ * (2 * blocks_.blocks * e * e + 4 * c * c);
    return {"psc",
            {{"coarse", c},
             {"edge", n},
             {"interior", blocks_.blocks * i},
             {"cells", blocks_.blocks},
             {"groups", groups_},
             {"cell_width", blocks_.m},
             {"cond_schur", condition_},
             {"bytes_cells", matrix_bytes()},
             {"bytes_schur", skeleton_bytes()},
             {"flops_per_rhs", blocks_.blocks * (2 * i * i + 4 * i * e) + skeleton + 4 * c * c}}};
  }

 private:
  using Matrices::blocks_;
  using Matrices::coarse_inverse_;
  using Matrices::condition_;
  using Matrices::groups_;
  using Matrices::is_dense_;
  using Matrices::matrix_bytes;
  using Matrices::skeleton_bytes;
  using Matrices::steps_;
  using Matrices::stored_bytes;
  using Run = typename Matrices::Run;
  using LevelOn = typename Matrices::LevelOn;

  /// Right-hand side and solution of K columns, and the steps between them.
  template <int K>
  class Vectors : public RegularGridVectors<D, Columns<V, K>> {
    using Entry = Columns<V, K>;

   public:
    explicit Vectors(const TablesSolver& solver) : solver_(solver) {
      const TableBlocks& b = solver_.blocks_;
      for (Array<D, Entry>* v : {&rhs_, &solution_}) {
        *v = Array<D, Entry>(b.entries);
        fill<D, Entry>(v->view(), Entry{});
      }
      operand_ = Array<D, T>(b.blocks * K * solver_.operand_pitch_);
      fill<D, T>(operand_.view(), T(S(0)));
      of_edge_ = Array<D, S>(b.blocks * K * solver_.edge_pitch_);
      inside_ = Array<D, S>(b.blocks * K * solver_.interior_pitch_);
      for (Array<D, S>* v : {&r_, &x_}) *v = Array<D, S>(b.nodes * K);
      if (!solver_.is_dense_)
        for (Array<D, S>* v : {&z_, &d_, &q_}) *v = Array<D, S>(b.nodes * K);
      for (Array<D, S>* v : {&coarse_, &coarse_work_}) *v = Array<D, S>(b.coarse * K);
      if (solver_.is_dense_) {
        node_operand_ = Array<D, T>(solver_.node_pitch_ * K);
        fill<D, T>(node_operand_.view(), T(S(0)));
      }
      if (!solver_.is_dense_) {
        seen_ = Array<D, S>(b.blocks * K * solver_.edge_pitch_);
        fill<D, S>(seen_.view(), S(0));
      }
      for (Array<D, S>* v : {&scale_, &ones_}) {
        *v = Array<D, S>(K);
        fill<D, S>(v->view(), S(1));
      }
    }

    View<D, Entry> rhs() override { return rhs_.view(); }
    View<D, const Entry> solution() const override { return solution_.view(); }

    void solve() override {
      const BlocksView<D, S> blocks = solver_.view();
      const View<D, const Entry> rhs = rhs_.view();
      const View<D, const S> scale = scale_.view();
      rescale(nullptr);
      load_blocks<D, T, Entry>(blocks, rhs, scale, operand_.view());
      multiply_blocks(true);
      load_skeleton<D, Entry, S>(blocks, rhs, of_edge_.view(), scale, r_.view());
      solver_.is_dense_ ? solve_dense() : iterate();
      if (rescale(&x_)) load_blocks<D, T, Entry>(blocks, rhs, scale, operand_.view());
      scatter_to_blocks<D, T, S>(blocks, K, x_.view(), scale, solver_.interior_pitch_, solver_.operand_pitch_,
                                 operand_.view());
      multiply_blocks(false);
      store_blocks<D, Entry, S>(blocks, inside_.view(), scale, x_.view(), solution_.view());
    }

    int64_t bytes() const override {
      return bytes_of(rhs_, solution_, operand_, node_operand_, of_edge_, inside_, r_, x_, z_, d_, q_, coarse_,
                      coarse_work_, seen_, scale_, ones_);
    }

   private:
    /// Before every rounding to fp16, whose range is small.
    bool rescale(const Array<D, S>* skeleton) {
      if constexpr (std::is_same_v<T, Half>) {
        find_operand_scales<D, Entry, S>(solver_.view(), rhs_.view(), skeleton ? skeleton->view() : View<D, const S>(),
                                         scale_.view());
        return true;
      }
      return false;
    }

    /// One product per run of blocks: `multiply(run, shape)` with the strides that it needs.
    template <class F>
    void for_runs(GemmShape shape, int64_t matrix_size, F multiply) {
      for (const Run& run : solver_.runs_) {
        GemmShape own = shape;
        if (run.is_shared) {
          own.n = K * run.blocks;
        } else {
          own.batch = run.blocks;
          own.stride_a = matrix_size;
          own.stride_b = K * own.ldb;
          own.stride_c = K * own.ldc;
        }
        multiply(run, own);
      }
    }
    /// −Gᵀ b_I, or [C⁻¹ | −G] (b_I, x_E), for all blocks.
    void multiply_blocks(bool is_transfer) {
      const int64_t ip = solver_.interior_pitch_, op = solver_.operand_pitch_, ep = solver_.edge_pitch_, size = ip * op;
      const GemmShape shape =
          is_transfer ? GemmShape{ep, K, ip, true, ip, op, ep} : GemmShape{ip, K, op, false, ip, op, ip};
      for_runs(shape, size, [&](const Run& run, const GemmShape& own) {
        gemm_.template operator()<T>(
            own, 1, from<D>(solver_.matrices_.view(), run.first_matrix * size + (is_transfer ? ip * ip : 0)),
            from<D>(operand_.view(), run.first * K * op), 0,
            is_transfer ? from<D>(of_edge_.view(), run.first * K * ep) : from<D>(inside_.view(), run.first * K * ip));
      });
    }
    /// The blocks' Schur complements times what they see of x.
    void multiply_schur() {
      const int64_t ep = solver_.edge_pitch_;
      scatter_to_blocks<D, S, S>(solver_.view(), K, x_.view(), ones_.view(), 0, ep, seen_.view());
      for_runs({ep, K, ep, false, ep, ep, ep}, ep * ep, [&](const Run& run, const GemmShape& own) {
        gemm_.template operator()<S>(own, 1, from<D>(solver_.schur_.view(), run.first_matrix * ep * ep),
                                     from<D>(seen_.view(), run.first * K * ep), 0,
                                     from<D>(of_edge_.view(), run.first * K * ep));
      });
    }

    /// x ← L⁻¹ Sᵀ x and x ← S L⁻ᵀ x.
    void to_prehandled(Array<D, S>& x) {
      const TableBlocks& b = solver_.blocks_;
      for (auto level = solver_.levels_.rbegin(); level != solver_.levels_.rend(); ++level)
        collect<D, S>(level->view(), b.nodes, K, x.view());
      coarse_product(false, x);
      scale_nodes<D, S>(b.nodes, b.coarse, K, solver_.node_scale_.view(), coarse_work_.view(), x.view());
    }
    void from_prehandled(Array<D, S>& x) {
      const TableBlocks& b = solver_.blocks_;
      coarse_product(true, x);
      scale_nodes<D, S>(b.nodes, b.coarse, K, solver_.node_scale_.view(), coarse_work_.view(), x.view());
      for (const LevelOn& level : solver_.levels_) interpolate<D, S>(level.view(), b.nodes, K, x.view());
    }
    /// coarse_work = L_c⁻¹ x_C or L_c⁻ᵀ x_C.
    void coarse_product(bool transpose, const Array<D, S>& x) {
      const int64_t nc = solver_.blocks_.coarse;
      if (nc == 0) return;
      take_coarse<D, S>(solver_.blocks_.nodes, nc, K, x.view(), coarse_.view());
      gemm_.template operator()<S>({nc, K, nc, transpose, nc, nc, nc}, 1, solver_.coarse_inverse_.view(),
                                   coarse_.view(), 0, coarse_work_.view());
    }

    void solve_dense() {
      const int64_t n = solver_.blocks_.nodes;
      to_prehandled(r_);
      if constexpr (std::is_same_v<T, Half>) {
        // A scale of its own: the skeleton's right-hand side may be far from that of the blocks.
        BlocksView<D, S> nothing = solver_.view();
        nothing.blocks = 0;
        find_operand_scales<D, Entry, S>(nothing, rhs_.view(), r_.view(), scale_.view());
      }
      round_scaled<D, T, S>(r_.view(), scale_.view(), n, K, solver_.node_pitch_, node_operand_.view());
      gemm_.template operator()<T>({n, K, n, false, solver_.node_pitch_, solver_.node_pitch_, n}, 1,
                                   solver_.skeleton_inverse_.view(), node_operand_.view(), 0, x_.view());
      unscale<D, S>(scale_.view(), n, K, x_.view());
      from_prehandled(x_);
    }

    /// Chebyshev iteration from zero for Σ x = r, preconditioned by S L⁻ᵀ L⁻¹ Sᵀ.
    void iterate() {
      const BlocksView<D, S> blocks = solver_.view();
      const CouplingsView<D, S> couplings{solver_.coupling_begin_.view(), solver_.coupling_column_.view(),
                                          solver_.coupling_value_.view()};
      for (int step = 0; step < solver_.steps_; ++step) {
        if (step == 0) {
          copy<D, S>(r_.view(), z_.view());
        } else {
          multiply_schur();
          multiply_skeleton<D, S>(blocks, couplings, K, x_.view(), of_edge_.view(), q_.view());
          subtract<D, S>(r_.view(), q_.view(), z_.view());
        }
        to_prehandled(z_);
        from_prehandled(z_);
        chebyshev_step<D, S>(solver_.coefficient_.view(), step, z_.view(), d_.view(), x_.view());
      }
    }

   private:
    const TablesSolver& solver_;
    Gemm<D> gemm_;
    Array<D, Entry> rhs_, solution_;
    Array<D, T> operand_, node_operand_;
    Array<D, S> of_edge_, inside_, r_, x_, z_, d_, q_, coarse_, coarse_work_, seen_, scale_, ones_;
  };

  std::vector<CellStrides> strides_;
  std::unique_ptr<Vectors<1>> one_;
};

}  // namespace gridiron::psc
