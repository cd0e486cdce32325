// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/indices.hpp"
#include "netlist/tables/em_rules.hpp"
#include "support/visited.hpp"

namespace gridiron {

/// A rule at the temperature and the frequency of a run.
struct ActiveEmRule {
  std::string name;   ///< "met1 average a_per_um"
  std::string layer;  ///< as in EmRule
  EmKind kind = EmKind::average;
  EmUnit unit = EmUnit::per_um;
  EmRange width_um, length_um;
  std::string cut_class;              ///< empty: any
  std::vector<double> sizes, limits;  ///< as in EmRule, of one frequency; A by unit
  std::string place;

  /// For a wire of this width, µm, or a cut of this area, µm²: linear between sizes, constant beyond them.
  double limit_at(double size) const;

  void visit(auto& v) const {
    v("name", name)("layer", layer)("kind", name_of(kind))("unit", name_of(unit));
    v("least_limit", least(), "A by unit, of all sizes the least.")("place", Known{place, !place.empty()});
  }
  double least() const;
};

/// What became of a segment.
enum class EmVerdict : uint8_t {
  none,       ///< no rule is on its layer, or it is no metal
  kept,       ///< it keeps all rules, certified
  violated,   ///< it violates one
  undecided,  ///< it keeps them, but by less than the bound
  unknown,    ///< a rule is on its layer, but its width, cuts or length are not known, or no rule is for them
};
inline constexpr std::array<std::string_view, 5> kEmVerdicts = {"none", "kept", "violated", "undecided", "unknown"};
inline std::string_view name_of(EmVerdict verdict) { return kEmVerdicts[static_cast<size_t>(verdict)]; }

/// A segment under the rule that it comes nearest to, or violates most. NaN: not known, or of the other kind.
struct EmRow {
  int32_t rule = -1;      ///< index into EmReport::rules
  double width_um = NAN;  ///< of a wire
  double cuts = NAN;      ///< of a via
  double average_a = 0, rms_a = 0, peak_a = 0;
  double limit = 0, value = 0;  ///< A by the unit of the rule
  double ratio = 0;
};

/// The segments of a net on one layer or between two that rules are on.
struct EmLayerResult {
  int32_t net = -1;
  LayerPair layers;
  int64_t segments = 0, violated = 0, undecided = 0, unknown = 0;
  int64_t worst = -1;     ///< the resistor with the largest ratio; −1 where all are unknown
  double ratio = 0;       ///< its
  double bound = 0;       ///< how much larger a ratio may be than that; infinite where nothing is certified
  EmRow row = {};         ///< its
  std::string rule = {};  ///< the name of its rule

  void visit(auto& v) const {
    v("net", NetIndex{net})({"layer", "layers"}, layers)("segments", segments)("violated", violated);
    v("undecided", undecided)("unknown", unknown, "Segments whose width, cuts or length are not known.");
    v("rule", Known{rule, worst >= 0}, "That the segment with the largest ratio comes nearest to, or violates most.");
    v("value", Known{row.value, worst >= 0}, "A by the rule's unit.")("limit", Known{row.limit, worst >= 0});
    v("ratio", Known{ratio, worst >= 0})("bound", Known{bound, worst >= 0 && std::isfinite(bound)});
    v({"largest", "worst"}, SegmentIndex{worst}, "index of a resistor");
  }
};

/// A limit on the ratios of all segments to their rules, and what became of it.
struct EmRuleLimit {
  double limit = 0, value = 0, bound = 0;  ///< shares of the rules
  int64_t failed = 0, unknown = 0;
  bool exceeded = false;
  bool is_open = false;       ///< a simulation has left out what sources do between its steps
  bool undecided = false;     ///< within the limit, but by less than the bound, or open
  bool is_estimated = false;  ///< the bound is an estimate, not certified

  void visit(auto& v) const {
    v("limit", limit, "As a share of the rules.")("value", value)("bound", Known{bound, std::isfinite(bound)});
    v("failed", failed, "Segments above the limit.")("unknown", unknown, "Segments that no ratio is known of.");
    v("exceeded", exceeded)("undecided", undecided || (!exceeded && unknown > 0));
  }
};

/// Rules of electromigration, and what segments are to them.
struct EmReport {
  std::vector<ActiveEmRule> rules;
  std::optional<double> temperature_c, frequency_hz;
  double share = 1;                      ///< of the rules, that segments are judged by
  std::vector<double> layer_width_um;    ///< per layer: of wires that have no width of their own; NaN: not known
  std::vector<double> average_a, rms_a;  ///< per resistor, over time; empty in a static run, where all are the same
  std::vector<int32_t> rule;             ///< per resistor: that it comes nearest to, or violates most; −1: of none
  std::vector<EmVerdict> verdict;        ///< per resistor
  std::vector<EmLayerResult> layers;     ///< by net, lowest layer first
  int64_t segments = 0, violated = 0, undecided = 0, unknown = 0;
  std::optional<EmRuleLimit> limit;

  void visit(auto& v) const {
    v("rules", rules)("temperature_c", temperature_c)("frequency_hz", frequency_hz);
    v("share", share, "Of the rules, that segments are judged by.")("segments", segments)("violated", violated);
    v("undecided", undecided)("unknown", unknown, "Segments that no ratio is known of.");
    v("layers", layers)("limit", limit);
  }
};

}  // namespace gridiron
