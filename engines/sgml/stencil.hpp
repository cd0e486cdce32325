// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "engines/sgml/lattice.hpp"
#include "grid/stencil.hpp"

namespace gridiron::sgml {

/// The operator of a level, integrated over the cell of each point: flows between neighbours are conductance ×
/// difference. Half of the neighbours are stored: each pair at the point that comes first in memory.
template <class Field>
struct BasicStencilData {
  Lattice lattice{};
  bool all_around = false;  ///< 9 or 27 points, else 5 or 7
  bool uniform = true;

  // A uniform stencil is given by its weights: per set of axes the conductance between two inner points, and their sum
  // with a uniform reaction at an inner point.
  std::array<double, kAxisSets> weight{};
  double diagonal = 0;

  // Otherwise it is given by fields in the layout of the lattice.
  std::vector<Field> conductance{};  ///< per half neighbour
  Field diagonals{};
};
using StencilData = BasicStencilData<std::vector<double>>;
template <class D>
using StencilDataOn = BasicStencilData<Array<D, double>>;

inline const StencilData& on_host(const StencilData& data) { return data; }
template <class D>
StencilData on_host(const StencilDataOn<D>& data) {
  StencilData copy{data.lattice, data.all_around,         data.uniform, data.weight, data.diagonal,
                   {},           data.diagonals.to_host()};
  for (const Array<D, double>& field : data.conductance) copy.conductance.push_back(field.to_host());
  return copy;
}

/// A uniform stencil as kernels see it.
template <class D, class T, int kDimensions, bool kAllAround>
struct UniformView {
  /// What is constant along a line: its weights, by axes, and the diagonal without the share along x.
  struct Line {
    int64_t at, pitch, plane;
    T weight[kAxisSets], diagonal, inverse;
  };
  static constexpr bool kHasColumns = kDimensions == 3 && kAllAround;
  static constexpr int kAxes = kDimensions;
  static constexpr bool kFitsTiles = kDimensions == 2;
  static constexpr int kHeld = 3;  ///< numbers that a kernel keeps of a point: shares along x and y, inverse diagonal
  Lattice lattice;
  T weight[kAxisSets];
  T diagonal, inverse;       ///< 1 / diagonal
  View<D, const T> share_x;  ///< Lattice::share along x

  GRIDIRON_HOST_DEVICE Line line(int64_t line) const {
    const int64_t y = lattice.y_of(line), z = lattice.z_of(line);
    const T sy = static_cast<T>(lattice.share(1, y)), sz = static_cast<T>(lattice.share(2, z));
    return {
        lattice.at(0, y, z),
        lattice.pitch(),
        lattice.plane(),
        {0, weight[1] * sy * sz, weight[2] * sz, weight[3] * sz, weight[4] * sy, weight[5] * sy, weight[6], weight[7]},
        diagonal * sy * sz,
        inverse * (3 - 2 * sy) * (3 - 2 * sz)};
  }
  /// Σ conductance × u over the neighbours of unknown i of a line.
  template <class U>
  GRIDIRON_HOST_DEVICE T inflow(const Line& line, int64_t i, const U& u) const {
    return inflow_at(line.at + i, line.pitch, line.plane, line.weight, share_x[i], u);
  }
  /// Σ conductance × u over the neighbours of entry `at` of a field with rows p and planes q apart; w: Line::weight.
  template <class Index, class U>
  GRIDIRON_HOST_DEVICE static T inflow_at(Index at, Index p, Index q, const T (&w)[kAxisSets], T share, const U& u) {
    const auto pair = [&](Index o) { return u[at - o] + u[at + o]; };
    T across = w[2] * pair(p), sum = w[1] * pair(1);
    if constexpr (kAllAround) sum += w[3] * (pair(p - 1) + pair(p + 1));
    if constexpr (kDimensions == 3) {
      across += w[4] * pair(q);
      if constexpr (kAllAround) {
        across += w[6] * (pair(q - p) + pair(q + p));
        sum += w[5] * (pair(q - 1) + pair(q + 1)) +
               w[7] * (pair(q - p - 1) + pair(q - p + 1) + pair(q + p - 1) + pair(q + p + 1));
      }
    }
    return sum + share * across;
  }

  /// hold(k, number) for the kHeld numbers of unknown (x, y).
  template <class H>
  GRIDIRON_HOST_DEVICE void hold_point(int32_t, int32_t x, int32_t y, H hold) const {
    const T sx = share_x[x], sy = static_cast<T>(lattice.share(1, y));
    hold(0, sx);
    hold(1, sy);
    hold(2, inverse * (3 - 2 * sx) * (3 - 2 * sy));
  }
  /// (f + inflow) / diagonal, where held(k) are the numbers of entry `at` of a field with other strides.
  template <class H, class U>
  GRIDIRON_HOST_DEVICE T solved(const H& held, int at, int pitch, int plane, T f, const U& u) const {
    const T w[kAxisSets] = {0, weight[1] * held(1), weight[2], weight[3]};
    return (f + inflow_at(at, pitch, plane, w, held(0), u)) * held(2);
  }

  /// The nine points across a line at its unknown i, −1 and the number of unknowns included: what flows from them to
  /// the adjacent unknowns, and to the one between them. Neighbours along the line share that work: inflow(i) =
  /// column(i − 1).beside + column(i + 1).beside + share_x[i] · column(i).within.
  struct Column {
    T beside, within;
  };
  template <class U>
  GRIDIRON_HOST_DEVICE Column column(const Line& line, int64_t i, const U& u) const {
    const int64_t at = line.at + i, p = line.pitch, q = line.plane;
    const auto pair = [&](int64_t o) { return u[at - o] + u[at + o]; };
    const T along_y = pair(p), along_z = pair(q), corners = pair(q - p) + pair(q + p);
    const T* const w = line.weight;
    return {w[1] * u[at] + w[3] * along_y + w[5] * along_z + w[7] * corners,
            w[2] * along_y + w[4] * along_z + w[6] * corners};
  }

  GRIDIRON_HOST_DEVICE T diagonal_at(const Line& line, int64_t i) const { return line.diagonal * share_x[i]; }
  /// value / diagonal_at(line, i); 1 / share is 3 − 2 share, as that is 1 or ½ (in line() too).
  GRIDIRON_HOST_DEVICE T divided(const Line& line, int64_t i, T value) const {
    return value * line.inverse * (3 - 2 * share_x[i]);
  }
};

/// A stencil that varies from point to point as kernels see it.
template <class D, class T, int kDimensions, bool kAllAround>
struct VariableView {
  static constexpr int kHalf = half_neighbour_count(kDimensions, kAllAround);
  static constexpr bool kHasColumns = false;
  static constexpr int kAxes = kDimensions;
  static constexpr bool kFitsTiles = kDimensions == 2 || !kAllAround;
  static constexpr int kHeld = 2 * kHalf + 1;  ///< conductances to and from neighbours, inverse diagonal
  struct Line {
    int64_t at;
  };
  Lattice lattice;
  View<D, const T> conductance[kHalf];
  int64_t offset[kHalf];
  View<D, const T> diagonal;

  GRIDIRON_HOST_DEVICE Line line(int64_t line) const { return {lattice.at(line, 0)}; }
  template <class U>
  GRIDIRON_HOST_DEVICE T inflow(const Line& line, int64_t i, const U& u) const {
    const int64_t at = line.at + i;
    T sum = 0;
    for (int k = 0; k < kHalf; ++k)
      sum += conductance[k][at] * u[at + offset[k]] + conductance[k][at - offset[k]] * u[at - offset[k]];
    return sum;
  }
  GRIDIRON_HOST_DEVICE T diagonal_at(const Line& line, int64_t i) const { return diagonal[line.at + i]; }
  GRIDIRON_HOST_DEVICE T divided(const Line& line, int64_t i, T value) const {
    return value * (1 / diagonal[line.at + i]);
  }

  /// As of UniformView, for the unknown at `at`.
  template <class H>
  GRIDIRON_HOST_DEVICE void hold_point(int32_t at, int32_t, int32_t, H hold) const {
    for (int k = 0; k < kHalf; ++k) {
      hold(2 * k, conductance[k][at]);
      hold(2 * k + 1, conductance[k][at - offset[k]]);
    }
    hold(2 * kHalf, 1 / diagonal[at]);
  }
  template <class H, class U>
  GRIDIRON_HOST_DEVICE T solved(const H& held, int at, int pitch, int plane, T f, const U& u) const {
    T sum = 0;
    for (int k = 0; k < kHalf; ++k) {
      const int step = kAllAround ? (k == 0 ? 1 : pitch + k - 2) : k == 0 ? 1 : k == 1 ? pitch : plane;
      sum += held(2 * k) * u[at + step] + held(2 * k + 1) * u[at - step];
    }
    return (f + sum) * held(2 * kHalf);
  }
};

/// As the other round_to(), of values of the host or of device D.
template <class D, class T>
void round_to(const std::vector<double>& values, Array<D, T>& array) {
  gridiron::round_to<D, T>(Upload<D, double>(values).view(), array);
}
template <class D, class T>
void round_to(const Array<D, double>& values, Array<D, T>& array) {
  gridiron::round_to<D, T>(values.view(), array);
}

/// A stencil in the memory of device D, in precision T.
template <class D, class T>
class Stencil {
 public:
  Stencil() = default;
  template <class Field>
  explicit Stencil(const BasicStencilData<Field>& data)
      : lattice_(data.lattice), all_around_(data.all_around), uniform_(data.uniform) {
    for (const StencilOffset& o : half_neighbours(lattice_.dimensions, all_around_))
      offset_.push_back(o.x + o.y * lattice_.pitch() + o.z * lattice_.plane());
    if (uniform_) {
      std::vector<T> share(lattice_.unknowns(0));
      for (size_t i = 0; i < share.size(); ++i) share[i] = static_cast<T>(lattice_.share(0, i));
      share_x_ = Array<D, T>(share);
    } else {
      conductance_.resize(data.conductance.size());
    }
    refill(data);
  }

  /// Whether refill() accepts the data.
  template <class Field>
  bool has_shape_of(const BasicStencilData<Field>& data) const {
    return lattice_ == data.lattice && all_around_ == data.all_around && uniform_ == data.uniform;
  }
  /// Refills with new values; fields stay in place.
  template <class Field>
  void refill(const BasicStencilData<Field>& data) {
    weight_ = data.weight;
    diagonal_ = data.diagonal;
    if (uniform_) return;
    for (size_t k = 0; k < conductance_.size(); ++k) round_to<D, T>(data.conductance[k], conductance_[k]);
    round_to<D, T>(data.diagonals, diagonals_);
  }

  const Lattice& lattice() const { return lattice_; }
  /// Whether relax_tiles.hpp has kernels for it.
  bool fits_tiles() const { return lattice_.dimensions == 2 || (!uniform_ && !all_around_); }
  int64_t half_neighbours_count() const { return std::ssize(offset_); }

  /// kernel(view) for the kind of view this stencil has.
  template <class Kernel>
  void visit(Kernel&& kernel) const {
    if (lattice_.dimensions == 2)
      all_around_ ? visit_as<2, true>(kernel) : visit_as<2, false>(kernel);
    else
      all_around_ ? visit_as<3, true>(kernel) : visit_as<3, false>(kernel);
  }

  /// Bytes of the stencil that a pass over all points reads.
  int64_t bytes() const { return bytes_of(share_x_, diagonals_, conductance_); }

 private:
  template <int kDimensions, bool kAllAround, class Kernel>
  void visit_as(Kernel& kernel) const {
    if (uniform_) {
      UniformView<D, T, kDimensions, kAllAround> view{
          lattice_, {}, static_cast<T>(diagonal_), 1 / static_cast<T>(diagonal_), share_x_.view()};
      for (int axes = 0; axes < kAxisSets; ++axes) view.weight[axes] = static_cast<T>(weight_[axes]);
      kernel(view);
    } else {
      VariableView<D, T, kDimensions, kAllAround> view;
      view.lattice = lattice_;
      for (int k = 0; k < view.kHalf; ++k) {
        view.conductance[k] = conductance_[k].view();
        view.offset[k] = offset_[k];
      }
      view.diagonal = diagonals_.view();
      kernel(view);
    }
  }

  Lattice lattice_;
  bool all_around_ = false, uniform_ = true;
  std::array<double, kAxisSets> weight_{};
  double diagonal_ = 1;
  std::vector<int64_t> offset_;
  Array<D, T> share_x_, diagonals_;
  std::vector<Array<D, T>> conductance_;
};

}  // namespace gridiron::sgml
