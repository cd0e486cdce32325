// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/results/indices.hpp"
#include "analysis/results/stress/cascade_report.hpp"
#include "analysis/results/stress/lifetime_report.hpp"
#include "netlist/tables/metal_tables.hpp"
#include "support/visited.hpp"

namespace gridiron {

/// Whether a metal tree nucleates a void, however long its currents flow.
enum class StressVerdict : uint8_t {
  immortal,   ///< its stress stays below the critical one at all times, certified
  mortal,     ///< in the steady state it does not, certified
  undecided,  ///< neither is proved, or some of its geometry is not known
};
inline constexpr std::array<std::string_view, 3> kStressVerdicts = {"immortal", "mortal", "undecided"};
inline std::string_view verdict_name(StressVerdict verdict) { return kStressVerdicts[static_cast<size_t>(verdict)]; }

/// Connected metal of one layer. Stresses are tensile, Pa; NaN where the geometry is not known.
struct StressTree {
  int32_t number = -1;           ///< index into StressReport::trees
  int32_t net = -1, layer = -1;  ///< indices into IrReport::nets and layer_names; −1 unknown
  int64_t segments = 0;
  double volume_um3 = 0;
  double first_v = 0;      ///< the voltage of its first node, which
  double mean_v = 0;       ///< the mean over its volume is measured from
  double stress_pa = 0;    ///< the largest of its nodes
  double ceiling_pa = 0;   ///< on the way to the steady state no stress is above this, but for volts_pa + rounding_pa
  double bound_pa = 0;     ///< certified: stresses are off by this at most, the sum of
  double volts_pa = 0;     ///< what errors of voltages do, infinite where nothing is certified,
  double rounding_pa = 0;  ///< what rounding does,
  double ends_pa = 0;      ///< and what metal beyond the last nodes of straps may do
  NodeId worst = kGround;  ///< where the stress is largest
  bool is_known = true;    ///< all of its geometry is
  StressVerdict verdict = StressVerdict::undecided;

  void visit(auto& v) const {
    v("tree", number, "Its number in stress.csv.")("net", NetIndex{net})(
        "layer", LayerIndex{layer}, "null where names tell none.")("segments", segments);
    v("volume_um3", Known{volume_um3, is_known})("stress_pa", Known{stress_pa, is_known}, "Of its nodes the largest.");
    v("bound_pa", Known{bound_pa, std::isfinite(bound_pa)}, "Certified error of the stresses of its nodes.");
    v("node", NodeIndex{worst}, "Where the stress is largest.")("verdict", verdict_name(verdict));
  }
};

/// A limit on the stress of all trees, and what became of it.
struct StressLimit {
  double share = 0;  ///< of the critical stress
  double limit_pa = 0, value_pa = 0, bound_pa = 0;
  int64_t failed = 0;   ///< trees above it
  int64_t unknown = 0;  ///< trees whose stress is not known
  bool exceeded = false;
  bool undecided = false;     ///< within the limit, but by less than the bound
  bool is_estimated = false;  ///< errors of voltages are,
  bool is_accepted = false;   ///< which is accepted; otherwise there is no bound
  bool is_empty = false;      ///< there is no tree that could be judged

  bool is_open() const { return !exceeded && (is_empty || unknown > 0); }
  void visit(auto& v) const {
    v("share", share, "Of the critical stress.")("limit_pa", limit_pa)("value_pa", value_pa);
    v("bound_pa", Known{bound_pa, std::isfinite(bound_pa)})("failed", failed, "Trees above the limit.");
    v("unknown", unknown, "Trees whose stress is not known.")("exceeded", exceeded);
    v("undecided", undecided || is_open());
  }
};

/// The elementary charge, C (CODATA 2018, exact).
inline constexpr double kElementaryCharge = 1.602176634e-19;

/// The hydrostatic stress that electromigration leads to in the steady state.
struct StressReport {
  MetalParameters metal;
  std::vector<StressTree> trees;  ///< by their lowest node
  std::vector<int32_t> tree;      ///< per node; −1: of none
  int64_t immortal = 0, mortal = 0, undecided = 0;
  int64_t unknown = 0;         ///< of the undecided ones those whose geometry is not known
  std::vector<int32_t> worst;  ///< the trees with the largest stress, the worst first
  std::optional<StressLimit> limit;
  std::optional<LifetimeReport> lifetime;
  std::optional<CascadeReport> cascade;
  std::vector<LifetimeLimit> lifetime_limits;

  std::vector<StressTree> worst_trees() const {
    std::vector<StressTree> list;
    for (const int32_t k : worst) list.push_back(trees[k]);
    return list;
  }
  void visit(auto& v) const {
    v("parameters", metal)("trees", static_cast<int64_t>(trees.size()))("immortal", immortal)("mortal", mortal);
    v("undecided", undecided)("unknown", unknown, "Undecided trees some of whose geometry is not known.");
    v("worst", worst_trees(), "The trees with the largest stress, the worst first.");
    v("lifetime", lifetime)("cascade", cascade)("limit", limit);
    v("lifetime_limits", lifetime_limits, "What became of limits on lifetimes.");
  }

  /// e|Z*|/Ω, Pa/V.
  double pa_per_volt() const { return kElementaryCharge * metal.effective_charge / metal.atomic_volume_m3; }
  /// Of a node of this tree at `voltage`, Pa.
  double stress_at(const StressTree& tree, double voltage) const {
    return pa_per_volt() * (tree.mean_v - (voltage - tree.first_v)) + metal.residual_stress_pa;
  }
};

}  // namespace gridiron
