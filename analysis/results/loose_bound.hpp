// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/ir_report.hpp"

namespace gridiron {

/// Empty unless what is certified lies far above what a relative residual of `rtol` suggests beside drops of up to
/// `largest_drop_v`; otherwise a line that says so. `bound_v`: NaN or infinite where nothing is certified.
std::string loose_bound(double bound_v, double rtol, double largest_drop_v);
/// A warning where the bound of a run that stopped by a residual is loose; `rtol`: none where it stopped by none.
std::vector<Finding> check_bound(const IrReport& report, const std::optional<double>& rtol);

/// "certified only to 1.2e-06 V", or that it is not certified.
std::string certified_only_to(double bound, std::string_view unit);

/// What to add to "exceeds …" where the excess is below a bound, called `what`, as where a limit is met exactly; empty
/// otherwise.
std::string by_less_than(double excess, double bound, std::string_view unit, std::string_view what = "certified error");

}  // namespace gridiron
