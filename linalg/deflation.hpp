// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "device/device.hpp"
#include "linalg/krylov.hpp"
#include "linalg/weak_clusters.hpp"
#include "linalg/weak_parts.hpp"
#include "support/lists.hpp"

namespace gridiron {

/// Whether some coupling or pad is very weak, or there are few pads: without that no part is weak. One pass.
template <class D>
bool has_weak_ties(const SellMatrix<D>& matrix) {
  const SellView<D, double> a = matrix.view();
  const auto diagonal = matrix.diagonal.view();
  const Sums<3> sums = D::template sum<3>(
      a.rows, GRIDIRON_KERNEL(int64_t i) {
        const double own = diagonal[i];
        double excess = own, least = own, entries = 1;
        for (const int64_t e : a.entries(i)) {
          const double value = a.value[e];
          excess += value;
          ++entries;
          if (value < 0 && -value < least) least = -value;
        }
        if (excess == own) return Sums<3>{};  // alone
        if (!(excess > weak::kRounding * entries * own)) excess = 0;
        const bool is_conspicuous = least < weak::kCoupling * own || (excess > 0 && excess < weak::kPad * own);
        return Sums<3>{{own, excess, is_conspicuous ? 1.0 : 0.0}};
      });
  return sums[2] > 0 || sums[1] < 10 * weak::kTie * sums[0];
}

/// Whether find_weak_parts() may find any. Devices that have the matrix in memory of their own look for clusters, too:
/// porous3d of 13.8 million unknowns, which has very weak ties but no weak part, takes the 16 cores beside an H200 100
/// ms.
template <class D>
bool may_have_weak_parts(const SellMatrix<D>& matrix) {
  return has_weak_ties(matrix) && (D::shares_host_memory || has_weak_clusters(matrix));
}

/// Σ value[e] · x[row[e]] for each of a few sparse vectors, on device D.
template <class D>
class PartSums {
 public:
  PartSums() = default;
  explicit PartSums(const PartVectors& vectors)
      : row_(vectors.row), value_(vectors.value), parts_(std::ssize(vectors.begin) - 1) {
    std::vector<int64_t> first, last, begin{0};
    for (int64_t k = 0; k < parts_; ++k) {
      for (int64_t e = vectors.begin[k]; e < vectors.begin[k + 1]; e += kPiece) {
        first.push_back(e);
        last.push_back(std::min(e + kPiece, vectors.begin[k + 1]));
      }
      begin.push_back(std::ssize(first));
    }
    first_ = Array<D, int64_t>(first);
    last_ = Array<D, int64_t>(last);
    begin_ = Array<D, int64_t>(begin);
  }

  int64_t pieces() const { return first_.size(); }
  int64_t bytes() const { return bytes_of(row_, value_, first_, last_, begin_); }

  /// sums[k] for every part; `partial` has pieces() entries.
  template <class V, class Wide>
  void operator()(View<D, const V> x, View<D, Wide> partial, View<D, Wide> sums) const {
    const auto row = row_.view();
    const auto value = value_.view();
    const auto first = first_.view(), last = last_.view(), begin = begin_.view();
    add_up(partial, first, last, Product<V>{row, value, x});
    const View<D, const int64_t> end = D::view(begin.data() + 1, parts_);
    add_up(sums, begin, end, View<D, const Wide>(partial));
  }

  template <class V>
  struct Product {
    View<D, const int32_t> row;
    View<D, const double> value;
    View<D, const V> x;
    GRIDIRON_HOST_DEVICE auto operator[](int64_t e) const { return value[e] * to<double>(x[row[e]]); }
  };

  /// out[k] = Σ term[e] for first[k] ≤ e < last[k]; public, as nvcc takes no kernels from private functions.
  template <class Wide, class Term>
  static void add_up(View<D, Wide> out, View<D, const int64_t> first, View<D, const int64_t> last, Term term) {
    constexpr int kLanes = 64;
    D::for_each_tile(
        out.size(), kLanes, kLanes * sizeof(Wide), GRIDIRON_KERNEL(typename D::Tile & tile) {
          const View<D, Wide> of_lane = tile.template shared<Wide>(kLanes);
          const int64_t k = tile.index();
          tile.each(kLanes, [&](int64_t lane) {
            Wide sum{};
            for (int64_t e = first[k] + lane; e < last[k]; e += kLanes) sum += term[e];
            of_lane[lane] = sum;
          });
          tile.each(1, [&](int64_t) {
            Wide sum{};
            for (int lane = 0; lane < kLanes; ++lane) sum += of_lane[lane];
            out[k] = sum;
          });
        });
  }

 private:
  static constexpr int64_t kPiece = 4096;

  Array<D, int32_t> row_;
  Array<D, double> value_;
  int64_t parts_ = 0;
  Array<D, int64_t> first_, last_;  ///< per piece its entries
  Array<D, int64_t> begin_;         ///< per part its pieces
};

/// Takes the levels of weakly tied parts out of a Krylov method that works in single precision (deflated conjugate
/// gradients: Nicolaides, SIAM J. Numer. Anal. 24, 1987; Saad et al., SIAM J. Sci. Comput. 21, 2000): sets them exactly
/// where the true residual is known, and keeps directions A-orthogonal to them.
template <class D>
class Deflation {
 public:
  Deflation() = default;
  /// `row_of_unknown` maps to the rows of the vectors, `rows` of them.
  template <class RowOfUnknown>
  Deflation(const WeakParts& parts, int64_t rows, RowOfUnknown row_of_unknown)
      : count_(parts.count()), inverse_(parts.inverse) {
    PartVectors ties = parts.ties, members;
    for (int32_t& row : ties.row) row = static_cast<int32_t>(row_of_unknown(row));
    ties_ = PartSums<D>(ties);
    std::vector<int32_t> part_of_row(rows, -1);
    std::vector<std::vector<int32_t>> rows_of_part(count_);
    for (size_t i = 0; i < parts.of_unknown.size(); ++i) {
      const int32_t part = parts.of_unknown[i];
      const int32_t row = row_of_unknown(static_cast<int64_t>(i));
      part_of_row[row] = part;
      if (part >= 0) rows_of_part[part].push_back(row);
    }
    part_of_row_ = Array<D, int32_t>(part_of_row);
    std::vector<double> share;
    for (const std::vector<int32_t>& part : rows_of_part) {
      share.push_back(1.0 / part.size());
      append(members.row, part);
      members.begin.push_back(std::ssize(members.row));
    }
    members.value.assign(members.row.size(), 1.0);
    members_ = PartSums<D>(members);
    share_ = Array<D, double>(share);
  }

  bool empty() const { return count_ == 0; }
  View<D, const int32_t> part_of_row() const { return part_of_row_.view(); }  ///< −1: none
  int64_t bytes() const { return bytes_of(part_of_row_, inverse_, share_, members_, ties_); }

  /// Room for the levels of K columns.
  template <int K>
  struct Vectors {
    Array<D, Columns<double, K>> partial, sums, levels;
    int64_t bytes() const { return bytes_of(partial, sums, levels); }
  };

  /// x += Z (ZᵀA Z)⁻¹ Zᵀ r in the chosen columns: their residuals then sum to zero over each part.
  template <int K>
  void set_levels(View<D, const Columns<double, K>> r, View<D, Columns<double, K>> x, const Chosen<K>& chosen,
                  Vectors<K>& vectors) const {
    const View<D, const Columns<double, K>> level = levels<K>(members_, r, vectors);
    const auto part = part_of_row_.view();
    D::for_each(
        x.size(), GRIDIRON_KERNEL(int64_t i) {
          if (part[i] < 0) return;
          for (int c = 0; c < K; ++c)
            if (chosen[c]) column(x[i], c) += column(level[part[i]], c);
        });
  }

  /// Takes the mean over each part out of the chosen columns of r: after set_levels() it is rounding, which no
  /// direction that is A-orthogonal to the parts could reduce.
  template <int K>
  void balance(View<D, Columns<double, K>> r, const Chosen<K>& chosen, Vectors<K>& vectors) const {
    make_room(vectors);
    const View<D, const Columns<double, K>> now = r;
    members_(now, D::view(vectors.partial.view().data(), members_.pieces()), vectors.sums.view());
    const View<D, const Columns<double, K>> sum = vectors.sums.view();
    const auto part = part_of_row_.view();
    const auto share = share_.view();
    D::for_each(
        r.size(), GRIDIRON_KERNEL(int64_t i) {
          if (part[i] < 0) return;
          for (int c = 0; c < K; ++c)
            if (chosen[c]) column(r[i], c) -= share[part[i]] * column(sum[part[i]], c);
        });
  }

  /// p −= Z (ZᵀA Z)⁻¹ (A Z)ᵀ p, which makes p A-orthogonal to every part.
  template <class T, int K>
  void project(View<D, Columns<T, K>> p, Vectors<K>& vectors) const {
    const View<D, const Columns<double, K>> level = levels<K>(ties_, View<D, const Columns<T, K>>(p), vectors);
    const auto part = part_of_row_.view();
    D::for_each(
        p.size(), GRIDIRON_KERNEL(int64_t i) {
          if (part[i] >= 0) p[i] = to<T>(p[i] - level[part[i]]);
        });
  }

  // Public, as nvcc takes no kernels from private functions.

  /// (ZᵀA Z)⁻¹ times the sums over the parts of a vector.
  template <int K, class V>
  View<D, const Columns<double, K>> levels(const PartSums<D>& of_parts, View<D, const V> vector,
                                           Vectors<K>& vectors) const {
    using Wide = Columns<double, K>;
    const int64_t count = count_;
    make_room(vectors);
    of_parts(vector, D::view(vectors.partial.view().data(), of_parts.pieces()), vectors.sums.view());
    const View<D, const Wide> sums = vectors.sums.view();
    const auto out = vectors.levels.view();
    const auto inverse = inverse_.view();
    D::for_each(
        count, GRIDIRON_KERNEL(int64_t k) {
          Wide level{};
          for (int64_t l = 0; l < count; ++l) level += inverse[k * count + l] * sums[l];
          out[k] = level;
        });
    return vectors.levels.view();
  }

 private:
  template <int K>
  void make_room(Vectors<K>& vectors) const {
    using Wide = Columns<double, K>;
    const int64_t pieces = std::max(members_.pieces(), ties_.pieces());
    if (vectors.partial.size() == pieces && vectors.sums.size() == count_) return;
    vectors.partial = Array<D, Wide>(pieces);
    vectors.sums = Array<D, Wide>(count_);
    vectors.levels = Array<D, Wide>(count_);
  }

  int64_t count_ = 0;
  Array<D, int32_t> part_of_row_;     ///< −1: none
  Array<D, double> inverse_, share_;  ///< (ZᵀA Z)⁻¹; per part what a member is of it
  PartSums<D> members_, ties_;
};

}  // namespace gridiron
