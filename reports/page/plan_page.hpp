// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/plan/find_plan.hpp"
#include "reports/diff_report.hpp"

namespace gridiron {

/// What diff.html of a plan that was found tells before what changes at which node: limits and edits, and where on the
/// maps they are.
ChangeStory plan_story(const Plan& plan);

}  // namespace gridiron
