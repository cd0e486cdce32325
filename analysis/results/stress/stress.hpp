// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/topology.hpp"
#include "analysis/results/ir_report.hpp"
#include "analysis/results/stress/lifetime.hpp"
#include "analysis/results/stress/stress_report.hpp"
#include "netlist/tables/metal_tables.hpp"

namespace gridiron {

/// What the stress of metal is to be found from.
struct StressOptions {
  MetalParameters metal;
  std::vector<MetalLayer> layers;  ///< cross-sections that the netlist does not tell
  std::optional<double> limit;     ///< on the stress, as a share of the critical one
  std::optional<LifetimeOptions> lifetime = {};
  std::optional<CascadeOptions> cascade = {};  ///< with a lifetime: for find_cascade()
  std::vector<LifetimeLimit> lifetime_limits = {};
};

/// Errors: InputError for numbers of lifetimes and cascades that are out of range, in whatever way they came.
void require_ranges(const StressOptions& options);

/// The steady-state stress of all metal trees, and their lifetimes, from the voltages and the certificate of a report,
/// and what is to be said of it. Limits on the lifetime are judged by it; those of a cascade, once there is one, by
/// judge_lifetime_limits(). Without lifetimes linear in the size of the netlist. Errors: InputError where none of
/// the layers of the table is the netlist's.
StressReport find_stress(const IrReport& report, const Topology& topology, const StressOptions& options,
                         std::vector<Finding>& findings);

/// What findings on limits on drops are on that are of a cascade alone.
inline constexpr std::string_view kLimitsOfCascade = "limits of a cascade";

/// Gives a report its stress, and the findings on it in place of those of an earlier one.
void keep_stress(StressReport stress, std::vector<Finding> findings, IrReport& report);

/// "stress of 43.2 MPa in tree 7 exceeds 32.8 MPa, one of 12 trees that do".
std::string describe(const StressLimit& limit, const StressReport& stress);

/// Why a limit cannot be judged, however exact the voltages are; empty if it can.
std::string unknown_stress(const StressLimit& limit);

}  // namespace gridiron
