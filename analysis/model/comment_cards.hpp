// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/model/nets.hpp"

namespace gridiron {

/// Comments with a meaning that have none here, all with a warning: `* nominal:` of a net that the deck does not have,
/// or that its sources overrule, and two comments that contradict each other. `nets` bear their names without voltages;
/// `overrides` decide the nominal voltage of theirs.
std::vector<Finding> check_comments(const Circuit& circuit, const NodePlaces& places, const std::vector<Net>& nets,
                                    const std::map<std::string, double>& overrides);

}  // namespace gridiron
