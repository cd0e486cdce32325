// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "analysis/model/design.hpp"

namespace gridiron {

/// A design whose matrix may be any. Voltages of nets that controlled sources feed are not known yet, so that nominal
/// ones are left for the design that has independent sources in place of these.
std::shared_ptr<const Design> first_design(const Circuit& circuit, DesignOptions options);

/// That errors can be estimated only, and why; none where they are bounded.
std::vector<Finding> estimate_findings(const Design& design);
/// The same for a simulation, in whose steps negative capacitances and inductances are a reason, too.
std::vector<Finding> estimate_findings_of_steps(const Design& design);

/// Whether the matrix of a circuit is no M-matrix, so that errors are estimated.
bool is_estimate_only(const Design& design);

}  // namespace gridiron
