// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "analysis/diff/diff_runs.hpp"

namespace gridiron {

/// None unless both runs have times of voids.
std::optional<LifetimesChange> lifetimes_change(const RunData& before, const RunData& after);

/// Those that are not the same in both runs, whatever the case of names of nets and layers in them; empty text: only
/// the other run has it. Only of what both runs have: stress, rules.
std::vector<EmParameterChange> em_parameter_changes(const RunData& before, const RunData& after);

/// What one of the runs has and the other not, as "the stress of metal (stress.csv)".
std::vector<OneSided> one_sided(const RunData& before, const RunData& after);

/// Of a report.
std::optional<RunData::Lifetimes> lifetimes_of(const IrReport& report);
std::vector<RunData::EmParameter> em_parameters_of(const IrReport& report);

/// Values in six digits, so that a report in memory has the same text as its files.
std::string em_value(double value);
/// Adds the limit of a rule to what is known of those of its name.
void add_em_rule(const std::string& name, double least_limit, std::vector<RunData::EmParameter>& parameters);
/// Adds the limits on drops that a cascade ends at.
void add_cascade_limits(std::vector<std::string> limits, std::vector<RunData::EmParameter>& parameters);

}  // namespace gridiron
