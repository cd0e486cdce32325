// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "engines/hybrid/regular_grid_solver.hpp"
#include "engines/psc/dense_on.hpp"
#include "engines/psc/params.hpp"
#include "engines/psc/stored_matrices.hpp"
#include "engines/psc/table_blocks.hpp"
#include "engines/psc/tables_kernels.hpp"
#include "support/parallel.hpp"

namespace gridiron::psc {

/// The conductance tables of a power grid cut into blocks, and all that TablesSolver multiplies by: formed in fp64 on
/// the host, stored in T on device D.
template <class D, class T>
class TablesMatrices {
 protected:
  using S = Sum<T>;

  explicit TablesMatrices(PscTablesParams params) : params_(std::move(params)) {}

  void set_up(const std::vector<GridTables>& tables) {
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
  }
  void update_values(const std::vector<GridTables>& tables) { take_values(TableValues(blocks_, tables), true); }

  BlocksView<D, S> view() const {
    return {blocks_.blocks,         blocks_.interior,  blocks_.edge,           blocks_.nodes,
            blocks_.coarse,         operand_pitch_,    interior_pitch_,        edge_pitch_,
            interior_entry_.view(), edge_node_.view(), blocks_of_node_.view(), entry_of_node_.view(),
            interior_scale_.view(), edge_scale_.view()};
  }
  int64_t matrix_bytes() const { return matrices_.bytes(); }
  int64_t skeleton_bytes() const { return bytes_of(skeleton_inverse_, schur_); }
  /// Of everything here.
  int64_t stored_bytes() const {
    return bytes_of(matrices_, skeleton_inverse_, schur_, coarse_inverse_, interior_scale_, edge_scale_, node_scale_,
                    coefficient_, coupling_value_, interior_entry_, edge_node_, blocks_of_node_, entry_of_node_,
                    coupling_begin_, coupling_column_, levels_);
  }

  /// Blocks that one product serves: all with the same matrices, or each with its own.
  struct Run {
    int64_t first, blocks, first_matrix;
    bool is_shared;
  };

  struct LevelOn {
    Array<D, int32_t> node, parent_begin, parent, child_begin, child;
    Array<D, S> parent_weight, child_weight;

    LevelView<D, S> view() const {
      return {node.view(),  parent_begin.view(),  parent.view(),      child_begin.view(),
              child.view(), parent_weight.view(), child_weight.view()};
    }
    int64_t bytes() const {
      return bytes_of(node, parent_begin, parent, child_begin, child, parent_weight, child_weight);
    }
  };

  PscTablesParams params_;
  TableBlocks blocks_;
  std::vector<Run> runs_;
  std::vector<int64_t> representative_;  ///< per group, a block
  int64_t groups_ = 0;
  bool is_dense_ = false;
  int steps_ = 0;
  double condition_ = NAN;
  int64_t interior_pitch_ = 0, edge_pitch_ = 0, operand_pitch_ = 0, node_pitch_ = 0;
  Array<D, int32_t> interior_entry_, edge_node_, blocks_of_node_, entry_of_node_, coupling_begin_, coupling_column_;
  std::vector<LevelOn> levels_;
  Array<D, S> interior_scale_, edge_scale_, node_scale_, coarse_inverse_, coefficient_, coupling_value_;
  Array<D, T> matrices_, skeleton_inverse_;
  Array<D, S> schur_;  ///< the iteration sees a nearly singular matrix, which short numbers would make indefinite

 private:
  /// Nodes of the skeleton. A GPU forms an inverse of 16 000 in a second, and the short kernels of an iteration suit it
  /// less.
  static constexpr int64_t kDenseUpTo = D::shares_host_memory ? 4000 : 16'000;
  static constexpr int64_t kMostCoarse = 6000;

  /// 16, unless the coarse grid would be too large for a dense inverse; the paper's cells, as blocks differ.
  int64_t block_width(const std::vector<GridTables>& tables) const {
    if (params_.block > 0) return params_.block;
    for (int64_t m = 16;; m *= 2) {
      double coarse = 0;
      for (const GridTables& g : tables)
        coarse += static_cast<double>(g.used_nx / m) * static_cast<double>(g.used_ny / m) * g.layers;
      if (coarse <= kMostCoarse) return m;
    }
  }

  /// Blocks in groups of equal tables. Blocks of one group must be neighbours in the numbering, so equal ones are moved
  /// together.
  void find_groups(const TableValues& values) {
    std::vector<std::vector<int64_t>> groups;
    if (params_.group_tolerance < 0) {
      for (int64_t b = 0; b < blocks_.blocks; ++b) groups.push_back({b});
    } else {
      std::vector<size_t> recent;  // representatives are compared among the latest groups only: linear time
      for (int64_t b = 0; b < blocks_.blocks; ++b) {
        const auto same = std::ranges::find_if(
            recent, [&](size_t g) { return values.are_alike(groups[g].front(), b, params_.group_tolerance); });
        if (same != recent.end()) {
          groups[*same].push_back(b);
          continue;
        }
        recent.insert(recent.begin(), groups.size());
        if (recent.size() > kRecent) recent.pop_back();
        groups.push_back({b});
      }
    }
    std::vector<int32_t> interior_entry, edge_node, new_number(blocks_.blocks);
    runs_.clear();
    representative_.clear();
    for (const auto& group : groups) {
      const auto first = std::ssize(interior_entry) / std::max<int64_t>(blocks_.interior, 1);
      const bool is_single = group.size() == 1;
      if (is_single && !runs_.empty() && !runs_.back().is_shared)
        ++runs_.back().blocks;
      else
        runs_.push_back({first, std::ssize(group), std::ssize(representative_), !is_single});
      representative_.push_back(first);
      for (const int64_t b : group) {
        new_number[b] = static_cast<int32_t>(interior_entry.size() / blocks_.interior);
        interior_entry.insert(interior_entry.end(), blocks_.interior_entry.begin() + b * blocks_.interior,
                              blocks_.interior_entry.begin() + (b + 1) * blocks_.interior);
        edge_node.insert(edge_node.end(), blocks_.edge_node.begin() + b * blocks_.edge,
                         blocks_.edge_node.begin() + (b + 1) * blocks_.edge);
      }
    }
    groups_ = std::ssize(groups);
    blocks_.interior_entry = std::move(interior_entry);
    blocks_.edge_node = std::move(edge_node);
    for (int32_t& at : blocks_.blocks_of_node)
      if (at >= 0) at = static_cast<int32_t>(new_number[at / blocks_.edge] * blocks_.edge + at % blocks_.edge);
  }
  static constexpr size_t kRecent = 8;

  void upload_structure() {
    interior_entry_ = Array<D, int32_t>(blocks_.interior_entry);
    edge_node_ = Array<D, int32_t>(blocks_.edge_node);
    blocks_of_node_ = Array<D, int32_t>(blocks_.blocks_of_node);
    entry_of_node_ = Array<D, int32_t>(blocks_.entry_of_node);
    levels_.clear();
    for (const TableBlocks::Level& level : blocks_.levels) {
      LevelOn& on = levels_.emplace_back();
      on.node = Array<D, int32_t>(level.node);
      on.parent_begin = Array<D, int32_t>(level.parents.begin);
      on.parent = Array<D, int32_t>(level.parents.column);
      on.child_begin = Array<D, int32_t>(level.children.begin);
      on.child = Array<D, int32_t>(level.children.column);
      on.parent_weight = Array<D, S>(std::ssize(level.parents.value));
      on.child_weight = Array<D, S>(std::ssize(level.children.value));
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
    const int64_t ni = blocks_.interior, ne = blocks_.edge;
    const int64_t size = interior_pitch_ * operand_pitch_;
    std::vector<T> matrices(groups_ * size, T(S(0)));
    std::vector<double> schur(groups_ * ne * ne);
    std::vector<S> interior_scale(blocks_.blocks * ni, S(1));
    std::vector<int64_t> group_of_block(blocks_.blocks);
    for (const Run& run : runs_)
      for (int64_t b = 0; b < run.blocks; ++b)
        group_of_block[run.first + b] = run.first_matrix + (run.is_shared ? 0 : b);
    std::vector<std::vector<S>> scale_of_group(groups_);
    parallel_tasks(groups_, [&](int64_t g) {
      const CondensedBlock block = values.condense(representative_[g]);
      for (int64_t j = 0; j < ni; ++j)
        for (int64_t i = 0; i < ni; ++i)
          matrices[g * size + j * interior_pitch_ + i] = T(static_cast<S>(block.inverse[j * ni + i]));
      for (int64_t e = 0; e < ne; ++e)
        for (int64_t i = 0; i < ni; ++i)
          matrices[g * size + (interior_pitch_ + e) * interior_pitch_ + i] =
              T(static_cast<S>(-block.transfer[e * ni + i]));
      std::ranges::copy(block.schur, schur.begin() + g * ne * ne);
      for (const double s : block.interior_scale) scale_of_group[g].push_back(static_cast<S>(s));
    });
    for (int64_t b = 0; b < blocks_.blocks; ++b)
      std::ranges::copy(scale_of_group[group_of_block[b]], interior_scale.begin() + b * ni);
    matrices_.copy_from(matrices);
    matrices = {};
    interior_scale_.copy_from(interior_scale);
    edge_scale_.copy_from(rounded<S>(values.edge_scale()));
    take_basis(values);

    std::vector<const double*> schur_of_block;
    for (int64_t b = 0; b < blocks_.blocks; ++b) schur_of_block.push_back(schur.data() + group_of_block[b] * ne * ne);
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
    for (size_t l = 0; l < levels_.size(); ++l) {
      const TableBlocks::Level& level = blocks_.levels[l];
      std::vector<S> parent, child;
      level.for_each_parent([&](int32_t node, int32_t of, double weight) {
        parent.push_back(static_cast<S>(weight * scale[of] / scale[node]));
      });
      for (int64_t p = 0; p < blocks_.nodes; ++p)
        for (int32_t k = level.children.begin[p]; k < level.children.begin[p + 1]; ++k)
          child.push_back(
              static_cast<S>(level.children.value[k] * scale[p] / scale[level.node[level.children.column[k]]]));
      levels_[l].parent_weight.copy_from(parent);
      levels_[l].child_weight.copy_from(child);
    }
  }

  void take_inverse(const SkeletonOperator& op, const Skeleton& skeleton) {
    const int64_t n = blocks_.nodes, nc = blocks_.coarse;
    std::vector<double> a = op.dense();
    // L⁻¹ A L⁻ᵀ: scales on E, the inverse factor on C; C comes first.
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i)
        a[j * n + i] *= (i < nc ? 1 : skeleton.node_scale[i]) * (j < nc ? 1 : skeleton.node_scale[j]);
    if (nc > 0) {
      std::vector<double> rows(nc * n, 0.0), columns(n * nc, 0.0);
      add_product({nc, n, nc}, 1, skeleton.coarse_inverse.data(), nc, a.data(), n, rows.data(), nc);
      for (int64_t j = 0; j < n; ++j) std::copy_n(rows.data() + j * nc, nc, a.data() + j * n);
      add_product({n, nc, nc, false, true}, 1, a.data(), n, skeleton.coarse_inverse.data(), nc, columns.data(), n);
      std::copy_n(columns.data(), n * nc, a.data());
    }
    Array<D, double> inverse(a);
    if (n > 0) invert_on<D>(n, inverse, "the regular grid");
    store_rounded<D, T>(inverse.view(), n, n, node_pitch_, skeleton_inverse_.view());
  }

  /// Blocks' Schur complements, couplings and the polynomial.
  void take_iteration(const TableValues& values, const std::vector<double>& schur, const Skeleton& skeleton,
                      bool is_update) {
    const int64_t ne = blocks_.edge;
    std::vector<S> host(groups_ * edge_pitch_ * edge_pitch_, S(0));
    for (int64_t g = 0; g < groups_; ++g)
      for (int64_t j = 0; j < ne; ++j)
        for (int64_t i = 0; i < ne; ++i)
          host[(g * edge_pitch_ + j) * edge_pitch_ + i] = static_cast<S>(schur[(g * ne + j) * ne + i]);
    schur_.copy_from(host);
    const Prehandled::Sparse& couplings = values.couplings();
    if (!is_update || coupling_value_.size() != std::ssize(couplings.value)) {
      coupling_begin_ = Array<D, int32_t>(couplings.begin);
      coupling_column_ = Array<D, int32_t>(couplings.column);
      coupling_value_ = Array<D, S>(std::ssize(couplings.value));
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
    if (coefficient_.size() != std::ssize(coefficient)) coefficient_ = Array<D, S>(std::ssize(coefficient));
    coefficient_.copy_from(coefficient);
  }
};

}  // namespace gridiron::psc
