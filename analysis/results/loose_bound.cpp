// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/loose_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/field.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

std::string loose_bound(double bound_v, double rtol, double largest_drop_v) {
  constexpr double kUsual = 1e3;        // what a residual is amplified by on well-built grids, with room to spare
  constexpr double kNegligible = 1e-6;  // V
  if (bound_v <= std::max(kNegligible, kUsual * rtol * largest_drop_v)) return "";
  const std::string what = std::isfinite(bound_v) ? fmt::format("certifies voltages to {:.2e} V only", bound_v)
                                                  : std::string("certifies nothing");
  return fmt::format("a relative residual of {:g} {}, beside drops of up to {:.2e} V", rtol, what, largest_drop_v);
}

std::vector<Finding> check_bound(const IrReport& report, const std::optional<double>& rtol) {
  if (!rtol) return {};
  const std::vector<double>& drops = report.nodes.drop_v;
  const double largest = parallel_max(std::ssize(drops), [&](int64_t n) { return std::abs(drops[n]); });
  const Certificate& certificate = report.certificate;
  const std::string loose = loose_bound(certificate.valid ? certificate.max_error_v : NAN, *rtol, largest);
  if (loose.empty()) return {};
  return {{Finding::Severity::warning, "loose-bound", fmt::format("{}; ask for volts by {}", loose, field("tolerance")),
           ""}};
}

std::string certified_only_to(double bound, std::string_view unit) {
  return std::isfinite(bound) ? fmt::format("certified only to {:.2g} {}", bound, unit) : "not certified";
}

std::string by_less_than(double excess, double bound, std::string_view unit, std::string_view what) {
  if (excess > bound || !std::isfinite(bound)) return "";
  return fmt::format(" by {:.2g} {}, less than the {} of {:.2g} {}", excess, unit, what, bound, unit);
}

}  // namespace gridiron
