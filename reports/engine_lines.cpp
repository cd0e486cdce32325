// SPDX-License-Identifier: Apache-2.0
#include "reports/engine_lines.hpp"

#include <fmt/format.h>

#include "reports/escape.hpp"
#include "reports/numbers.hpp"

namespace gridiron {

std::string engine_lines(const EngineRun& engine, const SolveStats& solve) {
  std::string out = fmt::format("Engine       {} on {}, {}, {}", printable(engine.name), printable(engine.device),
                                count_of(engine.threads, "thread"), byte_count(engine.bytes));
  const char* separator = "; ";
  for (const Param& p : engine.parameters) {
    out += fmt::format("{}{}={}", separator, printable(p.name), printable(p.value));
    separator = " ";
  }
  out += fmt::format("\nSolve        {}, relative residual {:.2e}{}\n", count_of(solve.iterations, "iteration"),
                     solve.relative_residual, solve.converged ? "" : ", NOT CONVERGED");
  return out;
}

}  // namespace gridiron
