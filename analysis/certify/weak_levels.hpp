// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/certify/fine_injection.hpp"
#include "analysis/certify/fine_voltages.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

/// Parts of a merged network that are tied so weakly to everything else that the level of their potentials hangs on a
/// tiny current: a mesh behind one pad of 1 MΩ, a domain behind switches that are off. That current is known from the
/// sum of the part's loads to all digits, whatever an engine left of the residual. With Z the columns that are one on a
/// part, G = the matrix of the network and C = ZᵀG Z, an error e with G e = r is Z c + f, C c = Zᵀr, where f is as
/// small as if each part were held at one node of it, its anchor (weak_levels.cpp says why).
class WeakLevels {
 public:
  /// The weak parts of the systems of a network (`system[i]` < 0: node i floats and is left out), which must outlive
  /// them. Nothing if there is none.
  static std::optional<WeakLevels> find(const MergedNetwork& network, std::span<const int32_t> system);

  int32_t part(int32_t node) const { return part_[node]; }  ///< −1: tied well
  bool is_anchor(int32_t node) const { return part_[node] >= 0 && anchor_[part_[node]] == node; }

  /// 1 A into every node, and out of the anchors what their parts receive, so that no current flows through ties.
  std::vector<double> source() const;

  /// Makes the lowest entry of w within each part 0.
  void lower(std::span<double> w) const;

  /// Zᵀr, A, for r = i − G v, and what the rounding of the conductances of ties leaves undecided of it; one entry per
  /// part.
  struct Sums {
    std::vector<double> value, rounding;
  };
  Sums sums(FineVoltages voltage, const FineInjection& injection) const;

  /// C⁻¹ Zᵀr, V: what the potentials of each part lack.
  std::vector<double> shifts(const Sums& sums) const;

  /// A bound on the entries of C⁻¹ s for any |s| ≤ `magnitude`, A; infinite if there is none.
  double bound(std::span<const double> magnitude) const;

  /// Of a network with max |f| ≤ u where anchors are held: max |f| ≤ amplification · u where they are free. `held` is
  /// max w of a barrier with anchors held, divided by what G w is at least elsewhere. Infinite where ties are too
  /// strong.
  double amplification(double held) const;

  /// max over nodes of the conductance of a node's own ties, S: |G Z c| ≤ 2 strongest_tie() · max |c|.
  double strongest_tie() const { return strongest_tie_; }

 private:
  WeakLevels() = default;
  void collect_ties();

  /// An edge between a part and the rest, or a pad of a part.
  struct Tie {
    int32_t from, to;  ///< nodes; `from` lies in a part, `to` is −1 for a pad
    double conductance;
  };

  const MergedNetwork* network_ = nullptr;
  std::vector<int32_t> part_, anchor_;
  std::vector<int64_t> nodes_;  ///< per part
  std::vector<Tie> ties_;
  std::vector<double> total_;    ///< per part: conductance of all its ties, S
  std::vector<double> inverse_;  ///< C⁻¹, row after row
  double rounding_of_sums_ = 0;  ///< relative, of sums over ties in doubles
  double strongest_tie_ = 0;
  double spread_ =
      0;  ///< a bound on the entries of C⁻¹ `total_`: 1 for parts tied to ground or to well-tied nodes only
};

}  // namespace gridiron
