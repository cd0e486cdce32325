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

/// Failures of segments, one after the other.
struct CascadeOptions {
  static constexpr int64_t kMostStages = 1'000'000;
  int64_t stages = 0;  ///< at most
  double void_um = 0;  ///< a segment fails as its void reaches this length
  /// Of the liner, Ω/µm, which then carries the current past the void; without one the segment is open.
  std::optional<double> liner_ohm_per_um = {};
};

/// Why no further segment fails.
enum class CascadeEnd : uint8_t {
  stages,   ///< there are as many stages as were asked for
  limit,    ///< a limit on drops is exceeded
  cut_off,  ///< no path leads to some loads any more
  horizon,  ///< no further segment fails until then
};
inline constexpr std::array<std::string_view, 4> kCascadeEnds = {"stages", "limit", "cut_off", "horizon"};

/// A segment that fails, and the grid from then on.
struct CascadeStage {
  int64_t stage = 0;  ///< from 1
  double time_s = 0;
  double error_s = std::numeric_limits<double>::infinity();  ///< estimated; infinite: nothing tells it
  int32_t tree = -1, net = -1, layer = -1;                   ///< as of StressTree
  NodeId node = -1;                                          ///< where its void nucleated
  int64_t resistor = -1;                                     ///< the segment
  double before_ohm = 0, after_ohm = 0;                      ///< its resistance; infinite: open
  bool cuts_off = false;                                     ///< of loads, so that drops mean nothing
  NodeId worst_node = -1;
  double worst_drop_v = 0, bound_v = 0;   ///< of all nets the largest, and its certified error
  bool has_limit = false;                 ///< on drops, without which no drop is judged
  bool exceeds = false;                   ///< a limit
  bool is_undecided = false;              ///< no limit, but one by less than the bound
  std::optional<std::string> limit = {};  ///< the first that is exceeded, in words

  bool is_open() const { return !std::isfinite(after_ohm); }
  std::string_view verdict() const {
    if (cuts_off) return "cut off";
    if (!has_limit) return "no limit";
    return exceeds ? "exceeded" : is_undecided ? "undecided" : "ok";
  }
  /// Without a value in Python as well, as JSON has null.
  template <class T>
  static std::optional<T> known(T value, bool is_known) {
    return is_known ? std::optional<T>(value) : std::nullopt;
  }
  void visit(auto& v) const {
    v("stage", stage)("time_s", time_s, "When the segment fails.");
    v("error_s", known(error_s, std::isfinite(error_s)), "Estimated error of that.");
    v("tree", tree, "Its number in stress.csv.")("net", NetIndex{net})("layer", LayerIndex{layer});
    v("node", NodeIndex{node}, "Where its void nucleated.")("segment", ElementIndex{kResistor, resistor});
    v("before_ohm", before_ohm)("after_ohm", known(after_ohm, !is_open()), "null where it is open.");
    v("worst_node", known(NodeIndex{worst_node}, worst_node >= 0))("worst_drop_v", known(worst_drop_v, !cuts_off),
                                                                   "Of all nets, from then on.");
    v("bound_v", known(bound_v, !cuts_off && std::isfinite(bound_v)), "Certified error of that.");
    v("verdict", verdict(),
      "Of limits on drops: ok, exceeded, undecided within the bound, no limit; cut off: no path leads to some loads.");
    v("limit", limit, "The first limit that is exceeded, and by what.");
  }
};

/// What becomes of a grid whose segments fail by voids, one after the other.
struct CascadeReport {
  CascadeOptions options;
  double horizon_s = 0;
  std::vector<CascadeStage> stages;
  CascadeEnd end = CascadeEnd::horizon;
  int64_t unjudged_trees = 0;                ///< of unknown geometry, in which no segment fails
  bool has_limit = false;                    ///< on drops
  std::vector<std::string> limits = {};      ///< these
  bool exceeds_today = false;                ///< a limit is, before any failure
  std::optional<std::string> exceeded = {};  ///< the first limit that is, in words: at the last stage, or today

  /// Whether the grid fails, which the last stage does then.
  bool fails() const { return end == CascadeEnd::limit || end == CascadeEnd::cut_off; }
  /// The first stage whose drop keeps a limit by less than its bound, or null.
  const CascadeStage* first_undecided() const {
    for (const CascadeStage& stage : stages)
      if (stage.is_undecided) return &stage;
    return nullptr;
  }
  double failure_s() const { return !fails() ? HUGE_VAL : stages.empty() ? 0 : stages.back().time_s; }
  double failure_error_s() const { return !fails() ? HUGE_VAL : stages.empty() ? 0 : stages.back().error_s; }

  void visit(auto& v) const {
    v("horizon_s", horizon_s)("void_um", options.void_um, "A segment fails as its void reaches this length.");
    v("liner_ohm_per_um", options.liner_ohm_per_um, "null: segments that fail are open.");
    v("end", kCascadeEnds[static_cast<size_t>(end)], "Why no further segment fails: stages, limit, cut_off, horizon.");
    v("failure_s", Known{failure_s(), fails()}, "When a limit on drops is exceeded, or loads are cut off.");
    v("failure_error_s", Known{failure_error_s(), fails() && std::isfinite(failure_error_s())}, "Estimated.");
    v("unjudged_trees", unjudged_trees, "Trees of unknown geometry, in which no segment fails.");
    v("has_limit", has_limit, "On drops; without one, only loads that are cut off are a failure.");
    v("limits", limits, "These, such as n1:worst=5%.");
    v("exceeded", exceeded, "The first that is exceeded, and by what: at the last stage, or today if there is none.");
    v("stages", stages, "Segments as they fail.");
  }
};

}  // namespace gridiron
