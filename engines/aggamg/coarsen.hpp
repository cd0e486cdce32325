// SPDX-License-Identifier: Apache-2.0
#pragma once

// Aggregates by a maximal independent set at distance two: Gandham, Esler, Zhang, "A GPU accelerated aggregation
// algebraic multigrid method", Computers & Mathematics with Applications 68 (2014), §2.1.

#include <bit>

#include "linalg/sell.hpp"

namespace gridiron::aggamg {

GRIDIRON_HOST_DEVICE inline int trailing_zeros(uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __ffsll(static_cast<long long>(bits)) - 1;
#else
  return std::countr_zero(bits);
#endif
}
GRIDIRON_HOST_DEVICE inline int ones(uint64_t bits) {
#ifdef __CUDA_ARCH__
  return __popcll(bits);
#else
  return std::popcount(bits);
#endif
}

/// A node's rank in Algorithm 2 as one number, so that "larger" is one comparison: state, then degree plus a random
/// fraction, then index. The random bits are a hash of the index: the same everywhere.
namespace rank {
constexpr uint64_t kOut = 0, kUndecided = uint64_t{1} << 62, kRoot = uint64_t{2} << 62, kState = uint64_t{3} << 62;
constexpr int64_t kHighestDegree = 1023;

GRIDIRON_HOST_DEVICE inline uint64_t make(uint64_t state, int64_t degree, int64_t i) {
  uint32_t h = static_cast<uint32_t>(i) * 0x9e3779b9u;
  h = (h ^ (h >> 15)) * 0x85ebca6bu;
  h ^= h >> 13;
  return state | static_cast<uint64_t>(degree) << 52 | static_cast<uint64_t>(h & 0xfffffu) << 32 |
         static_cast<uint64_t>(i);
}
}  // namespace rank

/// What kernels see of the strong couplings: a bit per entry of a row. Couplings in the tail of a hub's row count as
/// weak; if they are strong at all, then in the rows at their other end.
template <class D>
struct StrongView {
  SellPatternView<D> pattern;
  View<D, const uint64_t> bits;
  View<D, const int32_t> hub;  ///< 1 for hubs: they become roots, and whatever hangs on them joins

  /// For (const int32_t j : strong.neighbours(i))
  struct Neighbours {
    struct End {};
    struct Iterator {
      const StrongView& graph;
      int64_t entry;
      uint64_t bits;
      GRIDIRON_HOST_DEVICE int32_t operator*() const { return graph.pattern.col[entry]; }
      GRIDIRON_HOST_DEVICE Iterator& operator++() {
        bits >>= 1;
        entry += 32;
        skip();
        return *this;
      }
      GRIDIRON_HOST_DEVICE bool operator!=(End) const { return bits != 0; }
      GRIDIRON_HOST_DEVICE void skip() {
        if (bits == 0) return;
        const int zeros = trailing_zeros(bits);
        bits >>= zeros;
        entry += 32 * zeros;
      }
    };
    const StrongView& graph;
    int64_t row;
    GRIDIRON_HOST_DEVICE Iterator begin() const {
      Iterator it{graph, 32 * int64_t{graph.pattern.begin[row / 32]} + row % 32, graph.bits[row]};
      it.skip();
      return it;
    }
    GRIDIRON_HOST_DEVICE End end() const { return {}; }
  };
  GRIDIRON_HOST_DEVICE bool is_alone(int64_t i) const { return bits[i] == 0 && hub[i] == 0; }
  GRIDIRON_HOST_DEVICE Neighbours neighbours(int64_t i) const { return {*this, i}; }
  GRIDIRON_HOST_DEVICE int64_t degree(int64_t i) const { return hub[i] ? rank::kHighestDegree : ones(bits[i]); }
};

/// The strong couplings of a matrix.
template <class D>
struct StrongGraph {
  Array<D, uint64_t> bits;
  Array<D, int32_t> hub;
  double hubs = 0;  ///< how many there are

  StrongView<D> view(const SellPattern<D>& pattern) const {
    return {SellPatternView<D>(pattern), bits.view(), hub.view()};
  }
};

/// Rows with more strong couplings, or with a tail, are of hubs. None of thousands of couplings is strong for a hub
/// unless it carries this share of all: two hubs that little connects would else be in one aggregate, with all that is
/// around them.
inline constexpr int kHubDegree = 32;
inline constexpr double kHubShare = 1.0 / 16;
/// Where more rows than this share are of hubs, as on the coarse grids of random graphs, none is treated as one.
inline constexpr double kMostHubs = 0.1;

/// Strong couplings of a matrix whose rows are divided by their diagonal: j is strong for i when −a_ij > α ·
/// max_k(−a_ik) (eq. 3; the division accounts for sign(a_ii)), and in the rows of hubs also −a_ij > kHubShare ·
/// Σ_k(−a_ik).
template <class D, class T>
StrongGraph<D> strong_couplings(const SellView<D, T>& a, double alpha, bool has_hubs = true) {
  StrongGraph<D> graph{Array<D, uint64_t>(a.rows), Array<D, int32_t>(a.rows)};
  const auto out = graph.bits.view();
  const auto hub = graph.hub.view();
  const T share = static_cast<T>(alpha);
  graph.hubs = D::template sum<1>(
      a.rows, GRIDIRON_KERNEL(int64_t i) {
        const int64_t s = i / 32, first = 32 * int64_t{a.begin[s]} + i % 32;
        const int32_t width = a.begin[s + 1] - a.begin[s];
        T largest = 0;
        for (int32_t k = 0; k < width; ++k)
          largest = -a.value[first + 32 * k] > largest ? -a.value[first + 32 * k] : largest;
        const auto above = [&](T least) {
          uint64_t strong = 0;
          for (int32_t k = 0; k < width; ++k) strong |= static_cast<uint64_t>(-a.value[first + 32 * k] > least) << k;
          return strong;
        };
        uint64_t strong = above(share * largest);
        const bool is_hub = has_hubs && width > kHubDegree && (ones(strong) > kHubDegree || a.has_tail(i));
        if (is_hub) {
          double all = 0;
          for (const int64_t e : a.entries(i)) all += a.value[e] < 0 ? -static_cast<double>(a.value[e]) : 0;
          strong &= above(static_cast<T>(kHubShare * all));
        }
        out[i] = strong;
        hub[i] = is_hub;
        return Sums<1>{{is_hub ? 1.0 : 0.0}};
      })[0];
  if (graph.hubs <= kMostHubs * static_cast<double>(a.rows)) return graph;
  return strong_couplings<D, T>(a, alpha, false);
}

/// Aggregates of the nodes of a strong graph: which one each node belongs to, and the nodes of each.
template <class D>
struct Aggregates {
  int64_t count = 0;
  Array<D, int32_t> of_node;
  Array<D, int32_t> begin;    ///< count + 1
  Array<D, int32_t> members;  ///< nodes, aggregate after aggregate, ascending within each

  int64_t bytes() const { return bytes_of(of_node, begin, members); }
};

/// Maximal independent set at distance two (Algorithm 2): 1 for roots, else 0. A round finds the highest rank next to
/// each node, then by it the highest within distance two, so that its result does not depend on the order of nodes. It
/// keeps no list of the nodes that are still undecided, which would take a GPU several kernels.
template <class D>
Array<D, int32_t> independent_set(const StrongView<D>& strong) {
  const int64_t n = strong.pattern.rows;
  Array<D, uint64_t> rank_array(n), near_array(n);
  const auto rank = rank_array.view(), near = near_array.view();
  D::for_each(
      n, GRIDIRON_KERNEL(int64_t i) {
        rank[i] = rank::make(rank::kUndecided, strong.degree(i), i);
        near[i] = rank::kUndecided;
      });
  const auto look = GRIDIRON_KERNEL(int64_t i) {
    if ((near[i] & rank::kState) != rank::kUndecided) return;  // a root stays one, and nodes that are out stay so
    uint64_t largest = rank[i];
    for (const int32_t j : strong.neighbours(i)) largest = rank[j] > largest ? rank[j] : largest;
    near[i] = largest;
  };
  const auto decide = GRIDIRON_KERNEL(int64_t i) {
    const uint64_t mine = rank[i];
    if ((mine & rank::kState) != rank::kUndecided) return Sums<1>{};
    uint64_t largest = near[i];
    for (const int32_t j : strong.neighbours(i)) largest = near[j] > largest ? near[j] : largest;
    const bool is_root = largest == mine, is_out = (largest & rank::kState) == rank::kRoot;
    if (is_root || is_out) rank[i] = (mine & ~rank::kState) | (is_root ? rank::kRoot : rank::kOut);
    return Sums<1>{{is_root || is_out ? 0.0 : 1.0}};
  };
  for (double undecided = n; undecided > 0;) {
    D::for_each(n, look);
    D::for_each(n, decide);
    D::for_each(n, look);
    undecided = D::template sum<1>(n, decide)[0];
  }
  Array<D, int32_t> roots(n);
  const auto root = roots.view();
  D::for_each(
      n, GRIDIRON_KERNEL(int64_t i) { root[i] = (rank[i] & rank::kState) == rank::kRoot; });
  return roots;
}

/// Every node joins its nearest root: a neighbour, else through the neighbour that has one. Nodes without any strong
/// coupling, but for hubs, share one aggregate: smoothing alone solves for them, and singletons would never coarsen.
/// With unsymmetric strength a node may have no root within distance two; it becomes a singleton.
template <class D>
Aggregates<D> aggregate(const StrongView<D>& strong) {
  const int64_t n = strong.pattern.rows;
  const Array<D, int32_t> roots = independent_set(strong);
  const auto root = roots.view();
  Array<D, int32_t> near_array(n), far_array(n), alone_array(n), number_array(n + 1);
  const auto near = near_array.view(), far = far_array.view(), leader = alone_array.view(),
             number = number_array.view();
  D::for_each(
      n, GRIDIRON_KERNEL(int64_t i) {
        int32_t best = root[i] ? static_cast<int32_t>(i) : -1;
        if (best < 0)
          for (const int32_t j : strong.neighbours(i)) best = best < 0 && root[j] ? j : best;
        near[i] = best;
      });
  const int32_t last_alone = static_cast<int32_t>(D::max(
      n, GRIDIRON_KERNEL(int64_t i) { return strong.is_alone(i) ? static_cast<double>(i) : 0.0; }));
  D::for_each(
      n, GRIDIRON_KERNEL(int64_t i) {
        int32_t best = strong.is_alone(i) ? last_alone : near[i];
        if (best < 0)
          for (const int32_t j : strong.neighbours(i)) best = best < 0 ? near[j] : best;
        if (best < 0) best = static_cast<int32_t>(i);
        far[i] = best;
        leader[i] = best == i;
      });

  Aggregates<D> out;
  out.count = D::exclusive_scan(leader, number);
  out.of_node = Array<D, int32_t>(n);
  const auto of_node = out.of_node.view();
  D::for_each(
      n, GRIDIRON_KERNEL(int64_t i) { of_node[i] = number[far[i]]; });
  out.begin = Array<D, int32_t>(out.count + 1);
  out.members = Array<D, int32_t>(n);
  D::group_by(out.of_node.view(), out.count, out.begin.view(), out.members.view());
  return out;
}

}  // namespace gridiron::aggamg
