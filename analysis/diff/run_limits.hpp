// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "support/visited.hpp"

namespace gridiron {

/// A limit that a run was judged by.
struct RunLimit {
  /// A short lifetime is a loose limit on it, a large value of everything else.
  enum class Unit : uint8_t { volts, amperes, share, pascals, seconds };
  std::string quantity, net, layer;  ///< net and layer empty: of all
  Unit unit = Unit::volts;
  double value = 0;

  bool is_on_the_same(const RunLimit& other) const {
    return quantity == other.quantity && net == other.net && layer == other.layer && unit == other.unit;
  }
  bool is_looser_than(const RunLimit& other) const {
    return unit == Unit::seconds ? value < other.value : value > other.value;
  }
};
inline const char* name_of(RunLimit::Unit unit) {
  constexpr const char* kNames[] = {"V", "A", "1", "Pa", "s"};
  return kNames[static_cast<int>(unit)];
}

/// The quantity of a limit on lifetimes, which is of one of kLifetimesOf: "lifetime of 5 % of the samples".
std::string lifetime_name(std::string_view of, const std::optional<double>& percent);

/// Of several limits on the same only the tightest. In their order.
std::vector<RunLimit> limits_of(const IrReport& report);
void add_limit(std::vector<RunLimit>& limits, RunLimit limit);

/// A limit that is not the same in both runs.
struct RunLimitChange {
  RunLimit of;  ///< that of the second run, or of the first where the second has none
  std::optional<double> before, after;

  enum class Kind : uint8_t { looser, tighter, added, gone };
  Kind kind = Kind::looser;
  /// The second run allows more.
  bool allows_more() const { return kind == Kind::looser || kind == Kind::gone; }

  void visit(auto& v) const {
    constexpr const char* kKinds[] = {"looser", "tighter", "new", "gone"};
    v("quantity", of.quantity)("net", Known{of.net, !of.net.empty()})("layer", Known{of.layer, !of.layer.empty()});
    v("unit", name_of(of.unit))("before", before)("after", after)("kind", kKinds[static_cast<int>(kind)]);
  }
};

/// Those that allow more first.
std::vector<RunLimitChange> limit_changes(const std::vector<RunLimit>& before, const std::vector<RunLimit>& after);

}  // namespace gridiron
