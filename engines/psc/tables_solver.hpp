// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "engines/hybrid/regular_grid_solver.hpp"
#include "engines/psc/cells_on.hpp"
#include "engines/psc/dense.hpp"
#include "engines/psc/params.hpp"
#include "engines/psc/table_blocks.hpp"
#include "engines/psc/tables_kernels.hpp"
#include "support/error.hpp"
#include "support/parallel.hpp"

namespace gridiron::psc {

/// PSC on the conductance tables of a power grid: insides of blocks by their inverses, the skeleton between them in the
/// geometric hierarchical basis with a factored coarse grid, either by its dense inverse (m1) or by a Chebyshev
/// iteration of fixed length (m3). Every step treats all blocks and columns at once. V: precision of the vectors; T: of
/// stored matrices.
template <class D, class V, class T>
class TablesSolver : public RegularGridSolver<D, V> {
  using S = Sum<T>;
  using Base = RegularGridSolver<D, V>;

 public:
  explicit TablesSolver(PscTablesParams params) : params_(std::move(params)) {}

  void setup(const std::vector<GridOn<D>>& grids) override {
    const std::vector<GridTables> tables = tables_to_host<D>(grids);
    strides_.clear();
    std::int64_t first = 0;
    for (const GridTables& g : tables) {
      strides_.push_back({first, g.nx, g.plane()});
      first += g.cells();
    }
    blocks_ = cut_tables(tables, block_width(tables));
    const TableValues values(blocks_, tables);
    find_groups(values);
    is_dense_ = params_.method == "m1" || (params_.method == "auto" && blocks_.nodes <= kDenseUpTo);
    interior_pitch_ = padded(blocks_.interior);
    edge_pitch_ = padded(blocks_.edge);
    operand_pitch_ = interior_pitch_ + edge_pitch_;
    node_pitch_ = padded(blocks_.nodes);
    upload_structure();
    steps_ = 0;
    take_values(values, false);
    one_ = std::make_unique<Vectors<1>>(*this);
  }

  void update(const std::vector<GridOn<D>>& grids) override {
    const std::vector<GridTables> tables = tables_to_host<D>(grids);
    const TableValues values(blocks_, tables);
    take_values(values, true);
  }

  CellStrides strides(std::int64_t grid) const override { return strides_[static_cast<std::size_t>(grid)]; }

  View<D, V> rhs() override { return one_->rhs(); }
  void solve() override { one_->solve(); }
  View<D, const V> solution() const override { return one_->solution(); }
  std::unique_ptr<typename Base::Together> vectors_together() const override {
    if constexpr (kColumnsTogether<V> == 1)
      return nullptr;
    else
      return std::make_unique<Vectors<kColumnsTogether<V>>>(*this);
  }

  std::int64_t bytes() const override {
    if (!one_) return 0;
    std::int64_t sum = one_->bytes() + matrix_bytes() + skeleton_bytes() + coarse_inverse_.bytes() +
                       interior_scale_.bytes() + edge_scale_.bytes() + node_scale_.bytes() + coefficient_.bytes() +
                       coupling_value_.bytes();
    for (const Array<D, std::int32_t>* table :
         {&interior_entry_, &edge_node_, &blocks_of_node_, &entry_of_node_, &coupling_begin_, &coupling_column_})
      sum += table->bytes();
    for (const LevelOn& level : levels_) sum += level.bytes();
    return sum;
  }
  double traffic() const override {
    return static_cast<double>(matrix_bytes()) * 2 + static_cast<double>(skeleton_bytes()) * (is_dense_ ? 1 : steps_) +
           2.0 * static_cast<double>(coarse_inverse_.bytes()) * (is_dense_ ? 1 : steps_);
  }
  std::vector<LevelSummary> levels() const override {
    const std::int64_t inside = blocks_.blocks * blocks_.interior;
    return {{inside, groups_ * blocks_.interior * (blocks_.interior + blocks_.edge), matrix_bytes(), 0},
            {blocks_.nodes, is_dense_ ? blocks_.nodes * blocks_.nodes : groups_ * blocks_.edge * blocks_.edge,
             skeleton_bytes(), 0}};
  }

  const TableBlocks& blocks() const { return blocks_; }
  MethodFigures figures() const override {
    const auto number = [](auto n) { return static_cast<double>(n); };
    const double i = number(blocks_.interior), e = number(blocks_.edge), n = number(blocks_.nodes),
                 c = number(blocks_.coarse);
    const double skeleton = is_dense_ ? 2 * n * n : steps_ * (2 * number(blocks_.blocks) * e * e + 4 * c * c);
    return {"psc",
            {{"coarse", c},
             {"edge", n},
             {"interior", number(blocks_.blocks) * i},
             {"cells", number(blocks_.blocks)},
             {"groups", number(groups_)},
             {"cell_width", number(blocks_.m)},
             {"cond_schur", condition_},
             {"bytes_cells", number(matrix_bytes())},
             {"bytes_schur", number(skeleton_bytes())},
             {"flops_per_rhs", number(blocks_.blocks) * (2 * i * i + 4 * i * e) + skeleton + 4 * c * c}}};
  }

 private:
  static constexpr std::int64_t kDenseUpTo = 4000;
  static constexpr std::int64_t kMostCoarse = 6000;

  std::int64_t matrix_bytes() const { return matrices_.bytes(); }
  std::int64_t skeleton_bytes() const { return skeleton_inverse_.bytes() + schur_.bytes(); }

  /// 16, unless the coarse grid would be too large for a dense inverse; the paper's cells, as blocks differ.
  std::int64_t block_width(const std::vector<GridTables>& tables) const {
    if (params_.block > 0) return params_.block;
    for (std::int64_t m = 16;; m *= 2) {
      double coarse = 0;
      for (const GridTables& g : tables)
        coarse += static_cast<double>(g.used_nx / m) * static_cast<double>(g.used_ny / m) * g.layers;
      if (coarse <= kMostCoarse) return m;
    }
  }

  /// Blocks in groups of equal tables. Blocks of one group must be neighbours in the numbering, so equal ones are moved
  /// together.
  void find_groups(const TableValues& values) {
    std::vector<std::vector<std::int64_t>> groups;
    if (params_.group_tolerance < 0) {
      for (std::int64_t b = 0; b < blocks_.blocks; ++b) groups.push_back({b});
    } else {
      std::vector<std::size_t> recent;  // representatives are compared among the latest groups only: linear time
      for (std::int64_t b = 0; b < blocks_.blocks; ++b) {
        const auto same = std::ranges::find_if(
            recent, [&](std::size_t g) { return values.are_alike(groups[g].front(), b, params_.group_tolerance); });
        if (same != recent.end()) {
          groups[*same].push_back(b);
          continue;
        }
        recent.insert(recent.begin(), groups.size());
        if (recent.size() > kRecent) recent.pop_back();
        groups.push_back({b});
      }
    }
    std::vector<std::int32_t> interior_entry, edge_node, new_number(static_cast<std::size_t>(blocks_.blocks));
    runs_.clear();
    representative_.clear();
    for (const auto& group : groups) {
      const auto first = static_cast<std::int64_t>(interior_entry.size()) / std::max<std::int64_t>(blocks_.interior, 1);
      const bool is_single = group.size() == 1;
      if (is_single && !runs_.empty() && !runs_.back().is_shared)
        ++runs_.back().blocks;
      else
        runs_.push_back({first, static_cast<std::int64_t>(group.size()),
                         static_cast<std::int64_t>(representative_.size()), !is_single});
      representative_.push_back(first);
      for (const std::int64_t b : group) {
        new_number[b] = static_cast<std::int32_t>(interior_entry.size() / static_cast<std::size_t>(blocks_.interior));
        interior_entry.insert(interior_entry.end(), blocks_.interior_entry.begin() + b * blocks_.interior,
                              blocks_.interior_entry.begin() + (b + 1) * blocks_.interior);
        edge_node.insert(edge_node.end(), blocks_.edge_node.begin() + b * blocks_.edge,
                         blocks_.edge_node.begin() + (b + 1) * blocks_.edge);
      }
    }
    groups_ = static_cast<std::int64_t>(groups.size());
    blocks_.interior_entry = std::move(interior_entry);
    blocks_.edge_node = std::move(edge_node);
    for (std::int32_t& at : blocks_.blocks_of_node)
      if (at >= 0) at = static_cast<std::int32_t>(new_number[at / blocks_.edge] * blocks_.edge + at % blocks_.edge);
  }
  static constexpr std::size_t kRecent = 8;

  /// Blocks that one product serves: all with the same matrices, or each with its own.
  struct Run {
    std::int64_t first, blocks, first_matrix;
    bool is_shared;
  };

  struct LevelOn {
    Array<D, std::int32_t> node, parent_begin, parent, child_begin, child;
    Array<D, S> parent_weight, child_weight;

    LevelView<D, S> view() const {
      return {node.view(),  parent_begin.view(),  parent.view(),      child_begin.view(),
              child.view(), parent_weight.view(), child_weight.view()};
    }
    std::int64_t bytes() const {
      return node.bytes() + parent_begin.bytes() + parent.bytes() + child_begin.bytes() + child.bytes() +
             parent_weight.bytes() + child_weight.bytes();
    }
  };

  void upload_structure() {
    interior_entry_ = Array<D, std::int32_t>(blocks_.interior_entry);
    edge_node_ = Array<D, std::int32_t>(blocks_.edge_node);
    blocks_of_node_ = Array<D, std::int32_t>(blocks_.blocks_of_node);
    entry_of_node_ = Array<D, std::int32_t>(blocks_.entry_of_node);
    levels_.clear();
    for (const TableBlocks::Level& level : blocks_.levels) {
      LevelOn& on = levels_.emplace_back();
      on.node = Array<D, std::int32_t>(level.node);
      on.parent_begin = Array<D, std::int32_t>(level.parents.begin);
      on.parent = Array<D, std::int32_t>(level.parents.column);
      on.child_begin = Array<D, std::int32_t>(level.children.begin);
      on.child = Array<D, std::int32_t>(level.children.column);
      on.parent_weight = Array<D, S>(static_cast<std::int64_t>(level.parents.value.size()));
      on.child_weight = Array<D, S>(static_cast<std::int64_t>(level.children.value.size()));
    }
    interior_scale_ = Array<D, S>(blocks_.blocks * blocks_.interior);
    edge_scale_ = Array<D, S>(blocks_.nodes);
    node_scale_ = Array<D, S>(blocks_.nodes);
    matrices_ = Array<D, T>(groups_ * interior_pitch_ * operand_pitch_);
    coarse_inverse_ = Array<D, S>(blocks_.coarse * blocks_.coarse);
    skeleton_inverse_ = is_dense_ ? Array<D, T>(node_pitch_ * blocks_.nodes) : Array<D, T>();
    schur_ = is_dense_ ? Array<D, S>() : Array<D, S>(groups_ * edge_pitch_ * edge_pitch_);
    coupling_begin_ = {};
  }

  /// Everything that depends on conductances, into arrays that exist.
  void take_values(const TableValues& values, bool is_update) {
    const std::int64_t ni = blocks_.interior, ne = blocks_.edge;
    const std::int64_t size = interior_pitch_ * operand_pitch_;
    std::vector<T> matrices(static_cast<std::size_t>(groups_ * size), T(S(0)));
    std::vector<double> schur(static_cast<std::size_t>(groups_ * ne * ne));
    std::vector<S> interior_scale(static_cast<std::size_t>(blocks_.blocks * ni), S(1));
    std::vector<std::int64_t> group_of_block(static_cast<std::size_t>(blocks_.blocks));
    for (const Run& run : runs_)
      for (std::int64_t b = 0; b < run.blocks; ++b)
        group_of_block[run.first + b] = run.first_matrix + (run.is_shared ? 0 : b);
    std::vector<std::vector<S>> scale_of_group(static_cast<std::size_t>(groups_));
    parallel_tasks(groups_, [&](std::int64_t g) {
      const CondensedBlock block = values.condense(representative_[g]);
      for (std::int64_t j = 0; j < ni; ++j)
        for (std::int64_t i = 0; i < ni; ++i)
          matrices[g * size + j * interior_pitch_ + i] = T(static_cast<S>(block.inverse[j * ni + i]));
      for (std::int64_t e = 0; e < ne; ++e)
        for (std::int64_t i = 0; i < ni; ++i)
          matrices[g * size + (interior_pitch_ + e) * interior_pitch_ + i] =
              T(static_cast<S>(-block.transfer[e * ni + i]));
      std::ranges::copy(block.schur, schur.begin() + g * ne * ne);
      for (const double s : block.interior_scale) scale_of_group[g].push_back(static_cast<S>(s));
    });
    for (std::int64_t b = 0; b < blocks_.blocks; ++b)
      std::ranges::copy(scale_of_group[group_of_block[b]], interior_scale.begin() + b * ni);
    matrices_.copy_from(matrices);
    matrices = {};
    interior_scale_.copy_from(interior_scale);
    edge_scale_.copy_from(rounded<S>(values.edge_scale()));
    take_basis(values);

    std::vector<const double*> schur_of_block;
    for (std::int64_t b = 0; b < blocks_.blocks; ++b)
      schur_of_block.push_back(schur.data() + group_of_block[b] * ne * ne);
    const SkeletonOperator op(blocks_, values, schur_of_block);
    const Skeleton skeleton = op.prepare(!is_dense_);
    coarse_inverse_.copy_from(rounded<S>(skeleton.coarse_inverse));
    node_scale_.copy_from(rounded<S>(skeleton.node_scale));
    if (is_dense_)
      take_inverse(op, skeleton);
    else
      take_iteration(values, schur, skeleton, is_update);
  }

  /// Weights of the basis, between nodes that are scaled.
  void take_basis(const TableValues& values) {
    const std::vector<double>& scale = values.edge_scale();
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const TableBlocks::Level& level = blocks_.levels[l];
      std::vector<S> parent, child;
      for (std::size_t i = 0; i < level.node.size(); ++i)
        for (std::int32_t k = level.parents.begin[i]; k < level.parents.begin[i + 1]; ++k)
          parent.push_back(
              static_cast<S>(level.parents.value[k] * scale[level.parents.column[k]] / scale[level.node[i]]));
      for (std::int64_t p = 0; p < blocks_.nodes; ++p)
        for (std::int32_t k = level.children.begin[p]; k < level.children.begin[p + 1]; ++k)
          child.push_back(
              static_cast<S>(level.children.value[k] * scale[p] / scale[level.node[level.children.column[k]]]));
      levels_[l].parent_weight.copy_from(parent);
      levels_[l].child_weight.copy_from(child);
    }
  }

  void take_inverse(const SkeletonOperator& op, const Skeleton& skeleton) {
    const std::int64_t n = blocks_.nodes, nc = blocks_.coarse;
    std::vector<double> a = op.dense();
    // L⁻¹ A L⁻ᵀ: scales on E, the inverse factor on C; C comes first.
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i)
        a[j * n + i] *= (i < nc ? 1 : skeleton.node_scale[i]) * (j < nc ? 1 : skeleton.node_scale[j]);
    if (nc > 0) {
      std::vector<double> rows(static_cast<std::size_t>(nc * n), 0.0), columns(static_cast<std::size_t>(n * nc), 0.0);
      add_product({nc, n, nc}, 1, skeleton.coarse_inverse.data(), nc, a.data(), n, rows.data(), nc);
      for (std::int64_t j = 0; j < n; ++j) std::copy_n(rows.data() + j * nc, nc, a.data() + j * n);
      add_product({n, nc, nc, false, true}, 1, a.data(), n, skeleton.coarse_inverse.data(), nc, columns.data(), n);
      std::copy_n(columns.data(), n * nc, a.data());
    }
    if (n > 0) invert_spd(n, a.data(), "the regular grid");
    std::vector<T> host(static_cast<std::size_t>(node_pitch_ * n), T(S(0)));
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) host[j * node_pitch_ + i] = T(static_cast<S>(a[j * n + i]));
    skeleton_inverse_.copy_from(host);
  }

  /// Blocks' Schur complements, couplings and the polynomial.
  void take_iteration(const TableValues& values, const std::vector<double>& schur, const Skeleton& skeleton,
                      bool is_update) {
    const std::int64_t ne = blocks_.edge;
    std::vector<S> host(static_cast<std::size_t>(groups_ * edge_pitch_ * edge_pitch_), S(0));
    for (std::int64_t g = 0; g < groups_; ++g)
      for (std::int64_t j = 0; j < ne; ++j)
        for (std::int64_t i = 0; i < ne; ++i)
          host[(g * edge_pitch_ + j) * edge_pitch_ + i] = static_cast<S>(schur[(g * ne + j) * ne + i]);
    schur_.copy_from(host);
    const Prehandled::Sparse& couplings = values.couplings();
    if (!is_update || coupling_value_.size() != static_cast<std::int64_t>(couplings.value.size())) {
      coupling_begin_ = Array<D, std::int32_t>(couplings.begin);
      coupling_column_ = Array<D, std::int32_t>(couplings.column);
      coupling_value_ = Array<D, S>(static_cast<std::int64_t>(couplings.value.size()));
    } else {
      coupling_begin_.copy_from(couplings.begin);
      coupling_column_.copy_from(couplings.column);
    }
    coupling_value_.copy_from(rounded<S>(couplings.value));

    // Chebyshev polynomials over [least, largest] of the eigenvalues, of the degree that reduces any error tenfold.
    const double high = 1.05 * skeleton.largest, low = std::max(0.9 * skeleton.least, 1e-6 * high);
    condition_ = skeleton.largest / skeleton.least;
    const double ratio = (high + low) / (high - low);
    if (!is_update)
      steps_ = std::clamp(static_cast<int>(std::ceil(std::acosh(1 / params_.inner_rtol) / std::acosh(ratio))), 1, 60);
    std::vector<S> coefficient{S(0), static_cast<S>(2 / (high + low))};
    double rho = 1 / ratio;
    for (int step = 1; step < steps_; ++step) {
      const double next = 1 / (2 * ratio - rho);
      coefficient.push_back(static_cast<S>(next * rho));
      coefficient.push_back(static_cast<S>(4 * next / (high - low)));
      rho = next;
    }
    if (coefficient_.size() != static_cast<std::int64_t>(coefficient.size()))
      coefficient_ = Array<D, S>(static_cast<std::int64_t>(coefficient.size()));
    coefficient_.copy_from(coefficient);
  }

  BlocksView<D, S> view() const {
    return {blocks_.blocks,         blocks_.interior,  blocks_.edge,           blocks_.nodes,
            blocks_.coarse,         operand_pitch_,    interior_pitch_,        edge_pitch_,
            interior_entry_.view(), edge_node_.view(), blocks_of_node_.view(), entry_of_node_.view(),
            interior_scale_.view(), edge_scale_.view()};
  }

  /// Right-hand side and solution of K columns, and the steps between them.
  template <int K>
  class Vectors : public RegularGridVectors<D, Columns<V, K>> {
    using Entry = Columns<V, K>;

   public:
    explicit Vectors(const TablesSolver& solver) : of_(solver) {
      const TableBlocks& b = of_.blocks_;
      for (Array<D, Entry>* v : {&rhs_, &solution_}) {
        *v = Array<D, Entry>(b.entries);
        fill<D, Entry>(v->view(), Entry{});
      }
      operand_ = Array<D, T>(b.blocks * K * of_.operand_pitch_);
      fill<D, T>(operand_.view(), T(S(0)));
      of_edge_ = Array<D, S>(b.blocks * K * of_.edge_pitch_);
      inside_ = Array<D, S>(b.blocks * K * of_.interior_pitch_);
      for (Array<D, S>* v : {&r_, &x_}) *v = Array<D, S>(b.nodes * K);
      if (!of_.is_dense_)
        for (Array<D, S>* v : {&z_, &d_, &q_}) *v = Array<D, S>(b.nodes * K);
      for (Array<D, S>* v : {&coarse_, &coarse_work_}) *v = Array<D, S>(b.coarse * K);
      if (of_.is_dense_) {
        node_operand_ = Array<D, T>(of_.node_pitch_ * K);
        fill<D, T>(node_operand_.view(), T(S(0)));
      }
      if (!of_.is_dense_) {
        seen_ = Array<D, S>(b.blocks * K * of_.edge_pitch_);
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
      const BlocksView<D, S> blocks = of_.view();
      const View<D, const Entry> rhs = std::as_const(rhs_).view();
      const View<D, const S> scale = std::as_const(scale_).view();
      rescale(nullptr);
      load_blocks<D, T, Entry>(blocks, rhs, scale, operand_.view());
      multiply_blocks(true);
      load_skeleton<D, Entry, S>(blocks, rhs, std::as_const(of_edge_).view(), scale, r_.view());
      of_.is_dense_ ? solve_dense() : iterate();
      if (rescale(&x_)) load_blocks<D, T, Entry>(blocks, rhs, scale, operand_.view());
      give_to_blocks<D, T>(blocks, K, std::as_const(x_).view(), scale, of_.interior_pitch_, of_.operand_pitch_,
                           operand_.view());
      multiply_blocks(false);
      store_blocks<D, Entry, S>(blocks, std::as_const(inside_).view(), scale, std::as_const(x_).view(),
                                solution_.view());
    }

    std::int64_t bytes() const override {
      std::int64_t sum = rhs_.bytes() + solution_.bytes() + operand_.bytes() + node_operand_.bytes();
      for (const Array<D, S>* v :
           {&of_edge_, &inside_, &r_, &x_, &z_, &d_, &q_, &coarse_, &coarse_work_, &seen_, &scale_, &ones_})
        sum += v->bytes();
      return sum;
    }

   private:
    /// Before every rounding to fp16, whose range is small.
    bool rescale(const Array<D, S>* skeleton) {
      if constexpr (std::is_same_v<T, Half>) {
        find_operand_scales<D, Entry, S>(of_.view(), std::as_const(rhs_).view(),
                                         skeleton ? skeleton->view() : View<D, const S>(), scale_.view());
        return true;
      }
      return false;
    }

    /// One product per run of blocks: `multiply(run, shape)` with the strides that it needs.
    template <class F>
    void for_runs(GemmShape shape, std::int64_t matrix_size, F multiply) {
      for (const Run& run : of_.runs_) {
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
      const std::int64_t ip = of_.interior_pitch_, op = of_.operand_pitch_, ep = of_.edge_pitch_, size = ip * op;
      const GemmShape shape =
          is_transfer ? GemmShape{ep, K, ip, true, ip, op, ep} : GemmShape{ip, K, op, false, ip, op, ip};
      for_runs(shape, size, [&](const Run& run, const GemmShape& own) {
        gemm_.template operator()<T>(
            own, 1, from<D>(std::as_const(of_.matrices_).view(), run.first_matrix * size + (is_transfer ? ip * ip : 0)),
            from<D>(std::as_const(operand_).view(), run.first * K * op), 0,
            is_transfer ? from<D>(of_edge_.view(), run.first * K * ep) : from<D>(inside_.view(), run.first * K * ip));
      });
    }
    /// The blocks' Schur complements times what they see of x.
    void multiply_schur() {
      const std::int64_t ep = of_.edge_pitch_;
      give_to_blocks<D, S>(of_.view(), K, std::as_const(x_).view(), std::as_const(ones_).view(), 0, ep, seen_.view());
      for_runs({ep, K, ep, false, ep, ep, ep}, ep * ep, [&](const Run& run, const GemmShape& own) {
        gemm_.template operator()<S>(own, 1, from<D>(std::as_const(of_.schur_).view(), run.first_matrix * ep * ep),
                                     from<D>(std::as_const(seen_).view(), run.first * K * ep), 0,
                                     from<D>(of_edge_.view(), run.first * K * ep));
      });
    }

    /// x ← L⁻¹ Sᵀ x and x ← S L⁻ᵀ x.
    void to_prehandled(Array<D, S>& x) {
      const TableBlocks& b = of_.blocks_;
      for (auto level = of_.levels_.rbegin(); level != of_.levels_.rend(); ++level)
        collect<D, S>(level->view(), b.nodes, K, x.view());
      coarse_product(false, x);
      scale_nodes<D, S>(b.nodes, b.coarse, K, of_.node_scale_.view(), std::as_const(coarse_work_).view(), x.view());
    }
    void from_prehandled(Array<D, S>& x) {
      const TableBlocks& b = of_.blocks_;
      coarse_product(true, x);
      scale_nodes<D, S>(b.nodes, b.coarse, K, of_.node_scale_.view(), std::as_const(coarse_work_).view(), x.view());
      for (const LevelOn& level : of_.levels_) interpolate<D, S>(level.view(), b.nodes, K, x.view());
    }
    /// coarse_work = L_c⁻¹ x_C or L_c⁻ᵀ x_C.
    void coarse_product(bool transpose, const Array<D, S>& x) {
      const std::int64_t nc = of_.blocks_.coarse;
      if (nc == 0) return;
      take_coarse<D, S>(of_.blocks_.nodes, nc, K, x.view(), coarse_.view());
      gemm_.template operator()<S>({nc, K, nc, transpose, nc, nc, nc}, 1, of_.coarse_inverse_.view(),
                                   std::as_const(coarse_).view(), 0, coarse_work_.view());
    }

    void solve_dense() {
      const std::int64_t n = of_.blocks_.nodes;
      to_prehandled(r_);
      if constexpr (std::is_same_v<T, Half>) {
        // A scale of its own: the skeleton's right-hand side may be far from that of the blocks.
        BlocksView<D, S> nothing = of_.view();
        nothing.blocks = 0;
        find_operand_scales<D, Entry, S>(nothing, std::as_const(rhs_).view(), std::as_const(r_).view(), scale_.view());
      }
      round_scaled<D, T>(std::as_const(r_).view(), std::as_const(scale_).view(), n, K, of_.node_pitch_,
                         node_operand_.view());
      gemm_.template operator()<T>({n, K, n, false, of_.node_pitch_, of_.node_pitch_, n}, 1,
                                   std::as_const(of_.skeleton_inverse_).view(), std::as_const(node_operand_).view(), 0,
                                   x_.view());
      unscale<D, S>(std::as_const(scale_).view(), n, K, x_.view());
      from_prehandled(x_);
    }

    /// Chebyshev iteration from zero for Σ x = r, preconditioned by S L⁻ᵀ L⁻¹ Sᵀ.
    void iterate() {
      const BlocksView<D, S> blocks = of_.view();
      const CouplingsView<D, S> couplings{of_.coupling_begin_.view(), of_.coupling_column_.view(),
                                          of_.coupling_value_.view()};
      for (int step = 0; step < of_.steps_; ++step) {
        if (step == 0) {
          copy_nodes<D, S>(std::as_const(r_).view(), z_.view());
        } else {
          multiply_schur();
          multiply_skeleton<D, S>(blocks, couplings, K, std::as_const(x_).view(), std::as_const(of_edge_).view(),
                                  q_.view());
          subtract<D, S>(std::as_const(r_).view(), std::as_const(q_).view(), z_.view());
        }
        to_prehandled(z_);
        from_prehandled(z_);
        chebyshev_step<D, S>(of_.coefficient_.view(), step, std::as_const(z_).view(), d_.view(), x_.view());
      }
    }

   private:
    const TablesSolver& of_;
    Gemm<D> gemm_;
    Array<D, Entry> rhs_, solution_;
    Array<D, T> operand_, node_operand_;
    Array<D, S> of_edge_, inside_, r_, x_, z_, d_, q_, coarse_, coarse_work_, seen_, scale_, ones_;
  };

  PscTablesParams params_;
  std::vector<CellStrides> strides_;
  TableBlocks blocks_;
  std::vector<Run> runs_;
  std::vector<std::int64_t> representative_;  ///< per group, a block
  std::int64_t groups_ = 0;
  bool is_dense_ = false;
  int steps_ = 0;
  double condition_ = std::nan("");
  std::int64_t interior_pitch_ = 0, edge_pitch_ = 0, operand_pitch_ = 0, node_pitch_ = 0;
  Array<D, std::int32_t> interior_entry_, edge_node_, blocks_of_node_, entry_of_node_, coupling_begin_,
      coupling_column_;
  std::vector<LevelOn> levels_;
  Array<D, S> interior_scale_, edge_scale_, node_scale_, coarse_inverse_, coefficient_, coupling_value_;
  Array<D, T> matrices_, skeleton_inverse_;
  Array<D, S> schur_;  ///< the iteration sees a nearly singular matrix, which short numbers would make indefinite
  std::unique_ptr<Vectors<1>> one_;
};

}  // namespace gridiron::psc
