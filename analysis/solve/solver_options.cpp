// SPDX-License-Identifier: Apache-2.0
#include "analysis/solve/solver_options.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/model/double_range.hpp"
#include "support/field.hpp"

namespace gridiron {

std::string tolerance_miss(const ColumnStats& stats, const Certificate& certificate, const std::string& engine,
                           const SolverOptions& options) {
  if (!std::isfinite(stats.relative_residual)) return kNotFinite;
  if (options.rtol)
    return stats.converged
               ? ""
               : fmt::format(
                     "engine {} stopped after {} iterations at a relative residual of {:.2e}, asked for {:.2e}; raise "
                     "{} or try another {}",
                     engine, stats.iterations, stats.relative_residual, *options.rtol, field("max_iterations"),
                     field("engine"));
  if (certificate.is_estimated)
    return certificate.max_error_v <= options.tolerance_v
               ? ""
               : fmt::format(
                     "the error is estimated at {:.2e} V, above the tolerance of {:.2e} V; raise {}, or check "
                     "gains and negative resistances, which nearly leave the circuit without a unique solution",
                     certificate.max_error_v, options.tolerance_v, field("tolerance"));
  if (!certificate.valid && !stats.converged && stats.iterations < options.max_iterations)
    return fmt::format(
        "engine {} no longer converges: after {} iterations its relative residual of {:.2e} does not fall; try {} "
        "cholmod",
        engine, stats.iterations, stats.relative_residual, field("engine"));
  if (!certificate.valid && !stats.converged)
    return fmt::format(
        "engine {} stopped after {} iterations at a relative residual of {:.2e}, too early for any error bound; raise "
        "{} or try {} cholmod",
        engine, stats.iterations, stats.relative_residual, field("max_iterations"), field("engine"));
  if (!certificate.valid)
    return "the error of the voltages could not be bounded; conductances are too far apart for double precision";
  if (certificate.max_error_v <= options.tolerance_v) return "";
  if (certificate.rounding_v > options.tolerance_v)
    return fmt::format(
        "the certified error bound is {:.2e} V; rounding of the potentials alone is {:.2e} V, above the tolerance of "
        "{:.2e} V, which no engine can reach; raise {}",
        certificate.max_error_v, certificate.rounding_v, options.tolerance_v, field("tolerance"));
  return fmt::format(
      "the certified error bound is {:.2e} V, above the tolerance of {:.2e} V; raise {} or try another {}",
      certificate.max_error_v, options.tolerance_v, field("tolerance"), field("engine"));
}

}  // namespace gridiron
