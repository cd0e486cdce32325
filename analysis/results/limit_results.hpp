// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "support/visited.hpp"

namespace gridiron {

/// What a limit on currents is on: "current", over time "rms current".
inline std::string current_name(const std::string& quantity) {
  return quantity.empty() ? "current" : quantity + " current";
}

/// An electromigration limit on the segments of a net.
struct EmLimitResult {
  std::string net, layer;             ///< "M1", or "M1-M2" for what joins two layers
  std::string quantity = {};          ///< over time: average, rms or peak; empty in a static run
  double limit_a = 0;                 ///< of one segment
  double a_per_um = 0, width_um = 0;  ///< what limit_a is the product of; 0 where it was given itself
  double value_a = 0, bound_a = 0;    ///< the largest current, and how much larger a current may be than that
  int64_t worst = -1;                 ///< the resistor with the largest current; −1 where IrReport::circuit is null
  std::string resistor = {};          ///< its name
  int64_t segments = 0, failed = 0;   ///< how many there are, and how many exceed the limit
  bool exceeded = false;
  bool is_open = false;       ///< a simulation has left out what sources do between its steps
  bool undecided = false;     ///< within the limit, but by less than the bound, or open
  bool is_estimated = false;  ///< bound_a is an estimate, not certified
  double ratio() const { return value_a / limit_a; }

  void visit(auto& v) const {
    v("quantity", current_name(quantity))("net", net);
    v({"limit_v", ""}, nullptr)({"value_v", ""}, nullptr)({"bound_v", ""}, nullptr);
    v("exceeded", exceeded)("undecided", undecided)("layer", layer)("limit_a", limit_a)("value_a", value_a);
    v("bound_a", Known{bound_a, !is_estimated})("ratio", ratio())("a_per_um", Known{a_per_um, a_per_um > 0});
    v("width_um", Known{width_um, width_um > 0})("segments", segments)("failed", failed);
    v({"resistor", ""}, resistor)({"", "worst"}, worst, "index of a resistor");
  }
};

/// A limit on the drop of a net, or of one of its layers.
struct LimitResult {
  std::string quantity;  ///< worst, average, p50, p95, p99, p99.9
  std::string net;
  double limit_v = 0, value_v = 0;
  bool exceeded = false;
  std::string layer;          ///< empty for the whole net
  double bound_v = 0;         ///< certified error of the value; infinite without a certificate
  double time_error_v = 0;    ///< of a simulation, estimated
  bool is_open = false;       ///< a simulation has left out what sources do between its steps
  bool undecided = false;     ///< within the limit, but by less than these errors, or open
  bool is_estimated = false;  ///< bound_v is an estimate, not certified
  bool is_accepted = false;   ///< such an estimate, too, may keep the limit
  /// Of the net or layer how many nodes there are, how many of them are above the limit, and how many instances have a
  /// pin at one of these; −1 where that is not known or, as of an average, means nothing.
  int64_t nodes = -1, failed = -1, failed_instances = -1;

  /// What the limit allows for.
  double allowed_error_v() const { return is_estimated && !is_accepted ? HUGE_VAL : bound_v; }

  void visit(auto& v) const {
    v("quantity", quantity)("net", net)("limit_v", limit_v)("value_v", value_v);
    v("bound_v", Known{bound_v, !is_estimated}, "Certified error of the value, V.")("exceeded", exceeded);
    v("undecided", undecided, "Within the limit, but by less than these errors, or open.");
    v("nodes", Known{nodes, nodes >= 0}, "Nodes that it judges; -1 where unknown, as all that follow.");
    v("failed", Known{failed, failed >= 0}, "Nodes above the limit.");
    v("failed_instances", Known{failed_instances, failed_instances >= 0}, "Instances with a pin at one of these.");
    v("layer", Present{layer, !layer.empty()});
    v("estimated_error_v", Present{bound_v, is_estimated}, "Of the value, where no error is certified, V.");
    v("time_error_v", Present{time_error_v, time_error_v > 0}, "Of a simulation, estimated, V.");
    v("open", Present{is_open, is_open}, "A simulation has left out what sources do between its steps.");
  }
};

}  // namespace gridiron
