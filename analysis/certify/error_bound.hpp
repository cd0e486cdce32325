// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/certify/fine_injection.hpp"
#include "analysis/certify/fine_residual.hpp"
#include "analysis/certify/fine_voltages.hpp"
#include "analysis/certify/quick_residual.hpp"
#include "analysis/certify/weak_levels.hpp"
#include "analysis/model/data_error.hpp"
#include "linalg/shares.hpp"
#include "regularize/merge.hpp"

namespace gridiron {

class System;

/// (value, rest) += x, unrounded.
void add_unrounded(std::span<const double> x, std::span<double> value, std::span<double> rest);

/// A guaranteed bound on the error of node voltages. The matrix G of a merged network is an M-matrix, so a barrier
/// w ≥ 0 with (G w)ᵢ ≥ 1 − δ, δ < 1, gives |v̂ᵢ − vᵢ| ≤ wᵢ · max|r| / (1 − δ) with r = i − G v̂. Both products are
/// formed edge by edge, so rounding of G's diagonal does not enter: G v̂ in double-double arithmetic, G w in doubles
/// where a bound on their rounding allows it. That of the conductances is allowed for. Nothing that the elimination or
/// the engine did is trusted. Systems that are not connected with each other are bounded one by one.
class ErrorBound {
 public:
  /// What residual_majorant() is at least, as a share of its largest entry.
  static constexpr double kMajorantFloor = 1e-4;

  /// `system[i]` in [0, systems) names the connected system of node i, −1 leaves the node out (floating). Network,
  /// systems and given currents must outlive the bound. Where processes share the network, each has a bound on its
  /// part, with the nodes that others hold left out, and all of them call the same functions; `data_error` is of all.
  ErrorBound(const MergedNetwork& network, std::span<const int32_t> system, int32_t systems, DataError data_error = {},
             std::shared_ptr<const Shares> shares = nullptr);

  /// Sets w (V per A, one per node): any rough solution of G w = 1 will do. Returns false if it is not a barrier.
  bool set_barrier(FineVoltages w);

  /// The same where parts are tied weakly: w ≥ 0 is a rough solution of G w = levels.source() but for its level within
  /// each part. From then on, settle() voltages before they are bounded.
  bool set_barrier(FineVoltages w, WeakLevels levels);

  bool has_levels() const { return levels_.has_value(); }

  /// Whether the rows of the network and one weight per system are all there is to a bound, as quick bounds and those
  /// of residuals that are measured elsewhere need.
  bool is_plain() const { return !levels_ && network_->opposed.empty(); }

  /// Adds to the potentials of weakly tied parts what the sums of their currents ask for.
  void settle(const FineInjection& injection, std::span<double> value, std::span<double> rest) const;

  /// The levels of weakly tied parts, if some are so weakly tied that they are worth it, given a barrier w.
  std::optional<WeakLevels> levels_for(std::span<const double> w) const;

  /// Largest max-norm residual, A, that still certifies `tolerance` volts everywhere.
  double residual_for(double tolerance) const;

  struct Result {
    double max_error_v;  ///< includes rounding_v
    double rounding_v;   ///< the error of the data, and the rounding of the voltages
    double max_residual_a;
  };
  /// Of voltages that answer `injection`, A, which is rounded once where its rest is not known; one entry per node
  /// each.
  Result bound(FineVoltages voltage, const FineInjection& injection) const;

  /// The same from the residual as it was measured elsewhere, with weights() and given_currents(). Needs a barrier, and
  /// a bound that is_plain().
  Result bound(const FineResidual& residual) const;
  /// What a residual of 1 A at each node can do to any voltage, V; −1 where nodes float.
  std::vector<double> weights() const;
  std::span<const double> given_currents() const { return data_error_.given_currents; }

  /// The same by one pass in doubles, with what it finds of the residual: a bound some times larger where rounding
  /// decides, and none (infinite) where the bound is not plain. Call prepare_quick_bounds() before.
  struct QuickResult : Result {
    double residual_norm_a;   ///< at least ‖i − G v‖₂
    double injection_norm_a;  ///< ‖i‖₂
  };
  void prepare_quick_bounds();
  QuickResult quick_bound(std::span<const double> voltage, std::span<const double> injection) const;
  QuickResult quick_bound(const QuickResidual::Size& residual) const;
  const QuickResidual& quick_residual() const { return *quick_; }

  /// i − G v, A; 0 where nodes float.
  std::vector<double> residual(FineVoltages voltage, const FineInjection& injection) const;

  /// The sharper bound |v̂ − v| ≤ w with G w ≥ |r|: `w` is a rough solution of G w = residual_majorant(). Infinite if w
  /// is not such a barrier.
  std::vector<double> residual_majorant(FineVoltages voltage, const FineInjection& injection) const;
  double sharp_bound(std::span<const double> w, std::span<const double> majorant, FineVoltages voltage) const;

  /// The largest of a value over all processes.
  double largest_of_all(double value) const {
    if (shares_) shares_->largest({&value, 1});
    return value;
  }

  double max_w() const { return max_w_; }
  double delta() const { return delta_; }

 private:
  /// Calls take(i, A), several times for a node, with what the rounding of MergedNetwork::opposed leaves undecided of
  /// row i; `known`: 1 with the potentials that are known, 0 without.
  template <class Take>
  void take_undecided(FineVoltages voltage, double known, Take take) const;

  /// |i − G v|, and how far the rounding of i and G can be from it.
  std::vector<double> residual_magnitude(FineVoltages voltage, const FineInjection& injection) const;

  /// Calls take(i, sum of row i of G v), A, on all threads. Edge by edge: no diagonal is formed. A thread adds the
  /// currents of its own nodes, in the order of the edges, so that the sums do not depend on the number of threads.
  template <class Sum, class TakeSum>
  void apply(FineVoltages voltage, TakeSum take) const;

  /// What G v is at least, A, whatever is lost to rounding.
  template <class Sum>
  std::vector<double> at_least(FineVoltages voltage) const;

  bool check_barrier(std::span<const double> w, std::span<const double> gw);

  /// A bound on what the levels of weakly tied parts are off by, V.
  double level_error(FineVoltages voltage, const FineInjection& injection) const;

  /// What the rounding of injection[i] can change of it, A.
  double rounding_of_injection(int32_t i, const FineInjection& injection) const;

  /// Nodes are dealt to kZones zones of consecutive ones.
  static constexpr int64_t kZones = 64;
  int64_t zone_of(int64_t node) const { return node * kZones / network_->nodes; }
  int64_t first_of_zone(int64_t zone) const { return (zone * network_->nodes + kZones - 1) / kZones; }

  /// The largest of value(i), at least `least`, over the nodes of each system; those that float are left out.
  template <class Value>
  std::vector<double> most_of_systems(double least, Value value) const;

  const MergedNetwork* network_;
  std::vector<uint64_t> zones_;  ///< bit z: some of kEdgesTogether consecutive edges end in zone z
  std::span<const int32_t> system_;
  std::vector<double> system_w_, system_margin_;  ///< per system: max w, times its amplification; min G w = 1 − δ
  std::vector<char> has_weak_part_;               ///< per system
  std::optional<WeakLevels> levels_;
  DataError data_error_;
  std::shared_ptr<const Shares> shares_;
  std::optional<QuickResidual> quick_;
  double max_w_ = 0, delta_ = 0;
};

/// The bound on the error of voltages of a system's merged network. It refers to this system or any copy of it.
ErrorBound error_bound(const System& system);

}  // namespace gridiron
