// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/indices.hpp"
#include "support/visited.hpp"

namespace gridiron {

inline constexpr double kSecondsPerYear = 365.25 * 86400;

/// When a void nucleates in a metal tree. Infinite: not until the horizon, or an error that nothing tells.
struct TreeLifetime {
  int32_t tree = -1;             ///< index into StressReport::trees
  int32_t net = -1, layer = -1;  ///< as of StressTree
  NodeId node = kGround;         ///< where; kGround: nowhere until the horizon
  bool is_undecided = false;     ///< there may be a void, within errors: at the time, or without one
  double time_s = std::numeric_limits<double>::infinity();
  double error_s = std::numeric_limits<double>::infinity();  ///< estimated: own_error_s, and by the certified stress
  double own_error_s = 0, s_per_pa = 0;                      ///< of what is no error of voltages; and of these

  bool nucleates() const { return node != kGround && !is_undecided; }
  void visit(auto& v) const {
    v("tree", tree, "Its number in stress.csv.")("net", NetIndex{net})("layer", LayerIndex{layer});
    v("node", NodeIndex{node}, "Where the void nucleates.")("time_s", time_s, "When.");
    v("error_s", error_s, "Estimated error of that, by doubled cells, and for the certified error of the stress.");
  }
};

/// The stress of a node over time; for pictures.
struct StressCurve {
  std::vector<double> time_s, stress_pa;
};

/// Of random lifetimes.
struct LifetimePercentile {
  double percent = 0, time_s = 0;
  double low_s = 0, high_s = 0;  ///< an interval of order statistics; infinite beyond the horizon

  void visit(auto& v) const {
    v("percent", percent, "Of the samples that have failed.")("time_s", time_s, "null beyond the horizon.");
    v("low_s", low_s, "95 % interval, by order statistics.")("high_s", high_s);
  }
};

/// Lifetimes of the grid, each the least of its trees' with random diffusivities.
struct LifetimeSamples {
  int64_t samples = 0;
  double sigma = 0;  ///< of the logarithm of a tree's diffusivity
  int64_t seed = 0;
  int64_t censored = 0;  ///< samples in which nothing nucleates until the horizon
  std::vector<LifetimePercentile> percentiles;

  void visit(auto& v) const {
    v("samples", samples)("sigma", sigma, "Of the logarithm of a tree's diffusivity.")("seed", seed);
    v("censored", censored, "Samples in which nothing nucleates until the horizon.")("percentiles", percentiles);
  }
};

/// What a limit on lifetimes is on.
enum class LifetimeOf : uint8_t {
  first_void,  ///< of the grid
  failure,     ///< a drop that exceeds its limit, or loads that are cut off, as segments fail
  samples,     ///< the first void of those that random diffusivities let fail first
};
inline constexpr std::array<std::string_view, 3> kLifetimesOf = {"first_void", "ir_drop_failure", "samples"};

/// A limit on lifetimes, and what became of it.
struct LifetimeLimit {
  double limit_s = 0;
  std::optional<double> percent = {};  ///< of samples
  LifetimeOf of = LifetimeOf::first_void;
  double value_s = std::numeric_limits<double>::infinity();  ///< infinite: not until the horizon
  double error_s = 0;                                        ///< estimated
  int32_t tree = -1;                                         ///< of the first void
  int64_t stage = 0;                                         ///< that fails
  int64_t failed = 0;                                        ///< trees with a void before the limit
  bool exceeded = false;                                     ///< it is shorter
  bool undecided = false;                                    ///< it is not, but by less than the error
  std::string open = {};                                     ///< why it cannot be judged; empty where it is
  static constexpr bool is_estimated = true;                 ///< errors of times always are

  void visit(auto& v) const {
    v("of", kLifetimesOf[static_cast<size_t>(of)], "What it is on: first_void, ir_drop_failure, samples.");
    v("percent", percent, "Of the samples that fail by then.")("limit_s", limit_s);
    v("value_s", Known{value_s, std::isfinite(value_s)}, "null: not until the horizon.");
    v("error_s", Known{error_s, std::isfinite(error_s)}, "Estimated.")("failed", failed, "Trees with an earlier void.");
    v("exceeded", exceeded, "The lifetime is shorter.")("undecided", undecided || !open.empty());
  }
};

/// Times to the nucleation of voids.
struct LifetimeReport {
  double horizon_s = 0;
  double diffusivity_m2_s = 0;      ///< κ, of stress
  std::vector<TreeLifetime> trees;  ///< those in which stress might become critical, by number
  int64_t nucleating = 0;           ///< of these, until the horizon
  int64_t undecided = 0;            ///< and those that might, within errors
  std::vector<int32_t> first;       ///< indices of those that are the first to nucleate, in order
  std::vector<StressCurve> curves;  ///< of these, where the void nucleates: what the stress would be without it
  std::optional<LifetimeSamples> samples;

  std::vector<TreeLifetime> first_trees() const {
    std::vector<TreeLifetime> list;
    for (const int32_t k : first) list.push_back(trees[k]);
    return list;
  }
  void visit(auto& v) const {
    v("horizon_s", horizon_s)("stress_diffusivity_m2_s", diffusivity_m2_s, "Of stress: D B Ω / kT.");
    v("followed", static_cast<int64_t>(trees.size()), "Trees in which stress might become critical.");
    v("nucleating", nucleating, "Of these, until the horizon.");
    v("undecided", undecided, "Others of which errors leave it open.")("first", first_trees(),
                                                                       "The first to nucleate.");
    v("samples", samples);
  }
};

}  // namespace gridiron
