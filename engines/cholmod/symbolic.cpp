// SPDX-License-Identifier: Apache-2.0
#include "engines/cholmod/symbolic.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <utility>
#include <vector>

#include "support/parallel.hpp"

namespace gridiron {
namespace {

using Long = SuiteSparse_long;

/// Supernodes are merged that have at most so many columns together and this share of zeros in them. CHOLMOD merges up
/// to 4 columns whatever the zeros and 16 with 80 %; that stores 25 % more and takes as long.
constexpr struct {
  int64_t columns;
  double zeros;
} kMerged[] = {{4, 0.5}, {16, 0.3}, {48, 0.1}, {INT64_MAX, 0.05}};

/// Columns, each the only child of the one before it in the elimination tree, with the same rows below them. The parent
/// is the supernode that begins at the first of these rows.
struct Supernode {
  /// Columns and supernodes of the subtree; later, once its own have places, those that come before its descendants'.
  struct Extent {
    int32_t columns, supernodes;
  };

  // Nothing is initialised here: an array has room for as many supernodes as there are columns.
  const int32_t* row;  ///< those below the first column, ascending: the other columns, then the rows below
  int32_t rows;
  int32_t first;
  int32_t columns;
  int32_t sibling;
  int32_t into;  ///< the ancestor that it is merged into, or −1
  Extent subtree;
  // With all that are merged into it
  int32_t width;  ///< columns
  int32_t place;  ///< after those columns that have none yet
  int64_t nonzeros;

  std::span<const int32_t> below() const { return {row + columns - 1, row + rows}; }
  int32_t column(int32_t k) const { return k == 0 ? first : row[k - 1]; }
};

/// Columns of the given order, and the supernodes that begin at them, numbered from the first column on.
struct Stretch {
  int64_t first, last;
  bool is_part;  ///< of the dissection, without anything in common with other parts
  int64_t end = first;
  std::vector<int32_t> roots = {};  ///< supernodes whose parents are elsewhere
  std::unique_ptr<std::pmr::monotonic_buffer_resource> memory = {};
  double nonzeros = 0, operations = 0;

  bool is_root(const Supernode& node) const {
    return node.below().empty() || (is_part && node.below().front() >= last);
  }
};

class Symbolic {
 public:
  Symbolic(const CsrMatrix& a, const Dissected& dissected)
      : a_(a),
        order_(dissected.order),
        position_(order_.size()),
        supernode_(std::make_unique_for_overwrite<Supernode[]>(order_.size())),
        child_(order_.size(), -1),
        supernode_at_(order_.size()) {
    for_columns([this](int64_t k) { position_[order_[k]] = static_cast<int32_t>(k); });
    int64_t done = 0;
    for (const auto& [first, last] : dissected.parts) {
      if (first > done) stretches_.push_back({done, first, false});
      stretches_.push_back({first, last, true});
      done = last;
    }
    if (columns() > done) stretches_.push_back({done, columns(), false});
    children_first([this](Stretch& stretch) { eliminate(stretch); }, [this](int32_t root) { link(root); });
  }

  double nonzeros() const { return sum(&Stretch::nonzeros); }
  double operations() const { return sum(&Stretch::operations); }

  void fill_simplicial(cholmod_factor& factor) const {
    fill_order(factor, [](int64_t k) { return k; });
  }

  /// False if there is no memory.
  bool fill_supernodal(cholmod_factor& factor, cholmod_common& common) {
    children_first([this](Stretch& stretch) { merge(stretch); }, [this](int32_t root) { add_to_parent(root); });
    groups_.resize(all_.supernodes);
    final_.resize(order_.size());
    parents_first([this](Stretch& stretch) { give_places(stretch); }, [this](int32_t root) { give_place(root); });
    fill_order(factor, [this](int64_t k) { return final_[k]; });
    factor.is_ll = factor.is_super = 1;
    return fill_extents(factor, common) && fill_rows(factor, common);
  }

 private:
  using Extent = Supernode::Extent;

  /// Supernodes that were merged.
  struct Group {
    int32_t top;    ///< the one that the others are merged into
    int32_t first;  ///< column
  };

  int64_t columns() const { return std::ssize(order_); }

  double sum(double Stretch::*figure) const {
    double sum = 0;
    for (const Stretch& stretch : stretches_) sum += stretch.*figure;
    return sum;
  }

  /// The permutation and the nonzeros of each column, with position(column of the given order).
  void fill_order(cholmod_factor& factor, auto position) const {
    for_columns([&](int64_t k) { static_cast<Long*>(factor.Perm)[position(k)] = order_[k]; });
    for_supernodes([&](const Supernode& node) {
      for (int32_t k = 0; k < node.columns; ++k)
        static_cast<Long*>(factor.ColCount)[position(node.column(k))] = 1 + node.rows - k;
    });
  }

  static Long* allocate(size_t count, cholmod_common& common) {
    return static_cast<Long*>(cholmod_l_malloc(count, sizeof(Long), &common));
  }

  /// Where columns, rows and values of each supernode begin. False if there is no memory.
  bool fill_extents(cholmod_factor& factor, cholmod_common& common) const {
    factor.nsuper = groups_.size();
    auto* const first = allocate(groups_.size() + 1, common);
    auto* const rows_at = allocate(groups_.size() + 1, common);
    auto* const values_at = allocate(groups_.size() + 1, common);
    factor.super = first;
    factor.pi = rows_at;
    factor.px = values_at;
    if (!first || !rows_at || !values_at) return false;
    rows_at[0] = values_at[0] = 0;
    size_t widest = 0;
    for (size_t g = 0; g < groups_.size(); ++g) {
      const Supernode& top = supernode_[groups_[g].top];
      const size_t below = top.below().size();
      const Long rows = top.width + below;
      first[g] = groups_[g].first;
      rows_at[g + 1] = rows_at[g] + rows;
      values_at[g + 1] = values_at[g] + rows * top.width;
      factor.maxesize = std::max(factor.maxesize, below);
      widest = std::max(widest, static_cast<size_t>(top.width));
    }
    first[groups_.size()] = columns();
    factor.maxcsize = factor.maxesize * std::min(factor.maxesize, widest);  // at most: of an update
    factor.ssize = static_cast<size_t>(rows_at[groups_.size()]);
    factor.xsize = static_cast<size_t>(values_at[groups_.size()]);
    return true;
  }

  /// Lists the rows of every supernode in factor.s. False if memory runs out.
  bool fill_rows(cholmod_factor& factor, cholmod_common& common) const {
    auto* const row = allocate(factor.ssize, common);
    factor.s = row;
    if (!row) return false;
    const auto* const rows_at = static_cast<const Long*>(factor.pi);
    parallel_each(std::ssize(groups_), [&](int64_t g) {
      const Supernode& top = supernode_[groups_[g].top];
      Long* to = row + rows_at[g];
      for (int32_t k = 0; k < top.width; ++k) *to++ = groups_[g].first + k;
      for (const int32_t k : top.below()) *to++ = final_[k];
    });
    return true;
  }

  void for_columns(auto f) const { parallel_each(columns(), f); }

  void for_supernodes(auto f) const {
    parallel_tasks(std::ssize(stretches_), [&](int64_t k) {
      for (int64_t s = stretches_[k].first; s < stretches_[k].end; ++s) f(supernode_[s]);
    });
  }

  void for_parts(auto f) {
    parallel_tasks(std::ssize(stretches_), [&](int64_t k) {
      if (stretches_[k].is_part) f(stretches_[k]);
    });
  }

  /// within(stretch), then across(root) for its roots: parts at the same time, then what separates them.
  template <class F, class G>
  void children_first(F within, G across) {
    for_parts(within);
    for (Stretch& stretch : stretches_)
      if (stretch.is_part) std::ranges::for_each(stretch.roots, across);
    for (Stretch& stretch : stretches_)
      if (!stretch.is_part) within(stretch), std::ranges::for_each(stretch.roots, across);
  }

  /// The other way round.
  template <class F, class G>
  void parents_first(F within, G across) {
    for (auto stretch = stretches_.rbegin(); stretch != stretches_.rend(); ++stretch)
      if (!stretch->is_part) std::for_each(stretch->roots.rbegin(), stretch->roots.rend(), across), within(*stretch);
    for (auto stretch = stretches_.rbegin(); stretch != stretches_.rend(); ++stretch)
      if (stretch->is_part) std::for_each(stretch->roots.rbegin(), stretch->roots.rend(), across);
    for_parts(within);
  }

  /// Finds the supernodes of a stretch.
  void eliminate(Stretch& stretch) {
    stretch.memory = std::make_unique<std::pmr::monotonic_buffer_resource>();
    std::vector<int32_t> own, rows, both;
    for (int64_t j = stretch.first; j < stretch.last; ++j) {
      own.clear();
      for (int64_t e = a_.row_ptr[order_[j]]; e < a_.row_ptr[order_[j] + 1]; ++e)
        if (const int32_t k = position_[a_.col[e]]; k > j) own.push_back(k);
      std::ranges::sort(own);
      int32_t s = child_[j];
      const auto below_j = [&](int32_t child) { return supernode_[child].below().subspan(1); };
      if (s < stretch.first || supernode_[s].sibling >= 0 || !std::ranges::includes(below_j(s), own)) {
        rows = own;
        for (; s >= 0; s = supernode_[s].sibling) {
          const auto more = below_j(s);
          both.resize(rows.size() + more.size());
          both.resize(std::ranges::set_union(rows, more, both.begin()).out - both.begin());
          rows.swap(both);
        }
        auto* const kept =
            static_cast<int32_t*>(stretch.memory->allocate(rows.size() * sizeof(int32_t), sizeof(int32_t)));
        std::ranges::copy(rows, kept);
        s = static_cast<int32_t>(stretch.end++);
        supernode_[s] = {.row = kept,
                         .rows = static_cast<int32_t>(rows.size()),
                         .first = static_cast<int32_t>(j),
                         .columns = 0,
                         .sibling = -1,
                         .into = -1,
                         .subtree = {},
                         .width = 0,
                         .place = 0,
                         .nonzeros = 0};
        supernode_at_[j] = s;
      }
      Supernode& node = supernode_[s];
      ++node.columns;
      ++node.width;
      const int64_t count = 1 + std::ssize(node.below());
      node.nonzeros += count;
      stretch.nonzeros += count;
      stretch.operations += static_cast<double>(count) * count;
      if (stretch.is_root(node))
        stretch.roots.push_back(s);
      else
        link(s);
    }
  }

  /// Makes a supernode a child of the first row below it, which has not been eliminated yet.
  void link(int32_t s) {
    Supernode& node = supernode_[s];
    if (node.below().empty()) return;
    node.sibling = std::exchange(child_[node.below().front()], s);
  }

  Supernode* parent(const Supernode& node) {
    return node.below().empty() ? nullptr : &supernode_[supernode_at_[node.below().front()]];
  }

  /// Merges supernodes of a stretch with their parents where that stores few zeros, and sums up subtrees.
  void merge(Stretch& stretch) {
    for (int64_t s = stretch.first; s < stretch.end; ++s) {
      Supernode& node = supernode_[s];
      if (stretch.is_root(node)) continue;
      Supernode& above = *parent(node);
      const int64_t width = node.width + above.width, nonzeros = node.nonzeros + above.nonzeros,
                    stored = width * (width + 1) / 2 + width * std::ssize(above.below());
      const double zeros = static_cast<double>(stored - nonzeros) / stored;
      if (std::ranges::any_of(kMerged, [&](auto most) { return width <= most.columns && zeros <= most.zeros; })) {
        node.into = supernode_at_[node.below().front()];
        above.width = static_cast<int32_t>(width);
        above.nonzeros = nonzeros;
      }
      add_to_parent(static_cast<int32_t>(s));
    }
  }
  void add_to_parent(int32_t s) {
    Supernode& node = supernode_[s];
    node.subtree.columns += node.columns;
    node.subtree.supernodes += node.into < 0;
    Supernode* const above = parent(node);
    Extent& whole = above ? above->subtree : all_;
    whole.columns += node.subtree.columns;
    whole.supernodes += node.subtree.supernodes;
  }

  /// Gives columns their positions in a postorder of the merged supernodes, from the last one back.
  void give_places(Stretch& stretch) {
    for (int64_t s = stretch.end - 1; s >= stretch.first; --s)
      if (!stretch.is_root(supernode_[s])) give_place(static_cast<int32_t>(s));
  }
  void give_place(int32_t s) {
    Supernode& node = supernode_[s];
    if (node.into < 0) {
      Supernode* const above = parent(node);
      Extent& before = !above ? all_ : above->into < 0 ? above->subtree : supernode_[above->into].subtree;
      node.place = before.columns;
      const Group group{s, before.columns - node.width};
      groups_[--before.supernodes] = group;
      const Extent own = std::exchange(node.subtree, {group.first, before.supernodes});
      before.columns -= own.columns;
      before.supernodes -= own.supernodes - 1;
    } else if (const int32_t top = supernode_[node.into].into; top >= 0) {
      node.into = top;
    }
    int32_t& place = node.into < 0 ? node.place : supernode_[node.into].place;
    place -= node.columns;
    for (int32_t k = 0; k < node.columns; ++k) final_[node.column(k)] = place + k;
  }

  const CsrMatrix& a_;
  const std::vector<int32_t>& order_;
  std::vector<int32_t> position_;   ///< of each unknown in the given order
  std::vector<Stretch> stretches_;  ///< ascending
  std::unique_ptr<Supernode[]> supernode_;
  std::vector<int32_t> child_;         ///< per column: the first of its children
  std::vector<int32_t> supernode_at_;  ///< per column that is the first of a supernode
  std::vector<int32_t> final_;         ///< the position of each column in the final order
  Extent all_{};
  std::vector<Group> groups_;
};

}  // namespace

cholmod_factor* analyze_dissected(const CsrMatrix& a, const Dissected& dissected, cholmod_common& common) {
  const auto free = [&common](cholmod_factor* factor) { cholmod_l_free_factor(&factor, &common); };
  std::unique_ptr<cholmod_factor, decltype(free)> factor(cholmod_l_allocate_factor(dissected.order.size(), &common),
                                                         free);
  if (!factor) return nullptr;
  factor->ordering = CHOLMOD_GIVEN;  // otherwise CHOLMOD overlooks the permutation
  Symbolic symbolic(a, dissected);
  common.lnz = symbolic.nonzeros();
  common.fl = symbolic.operations();
  const bool is_super = common.supernodal == CHOLMOD_SUPERNODAL ||
                        (common.supernodal == CHOLMOD_AUTO && common.fl >= common.supernodal_switch * common.lnz);
  if (!is_super || dissected.order.empty()) {
    symbolic.fill_simplicial(*factor);
  } else if (!symbolic.fill_supernodal(*factor, common)) {
    return nullptr;
  }
  return factor.release();
}

}  // namespace gridiron
