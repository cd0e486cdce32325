// SPDX-License-Identifier: Apache-2.0
#include "reports/text/engine_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/text_table.hpp"
#include "support/shown_number.hpp"

namespace gridiron {
namespace {

/// The shares of the original and the regular grids in a hybrid engine's time and memory.
std::string hybrid_line(const EngineRun& engine, const HybridParts& parts) {
  const int64_t unknowns = engine.levels.empty() ? 0 : engine.levels[0].unknowns;
  return fmt::format("Parts        original grid {}, {}; regular grids {}, {}; transfers {}; {} bytes per unknown\n",
                     seconds(parts.original_grid_s), byte_count(engine.bytes - parts.regular_grid_bytes),
                     seconds(parts.regular_grid_s), byte_count(parts.regular_grid_bytes), seconds(parts.transfers_s),
                     grouped(engine.bytes / std::max<int64_t>(unknowns, 1)));
}

}  // namespace

std::string parameters_text(const ParamList& parameters) {
  std::string text;
  for (const Param& p : parameters)
    text += fmt::format("{}{}={}", text.empty() ? "; " : " ", printable(p.name), printable(p.value));
  return text;
}

bool is_direct(const EngineRun& engine) {
  const auto found = std::ranges::find(engines(), engine.name, &EngineInfo::name);
  return found != engines().end() && found->is_direct();
}

std::string engine_lines(const EngineRun& engine, const SolveStats& solve) {
  std::string out = fmt::format("Engine       {} on {}{}, {}, {}", printable(engine.name), printable(engine.device),
                                engine.why_device.empty() ? "" : " (" + printable(engine.why_device) + ")",
                                count_of(engine.threads, "thread"), byte_count(engine.bytes));
  out += fmt::format("{}\nSolve        {}, relative residual {:.2e}{}\n", parameters_text(engine.parameters),
                     is_direct(engine) && solve.iterations == 0 ? "direct" : count_of(solve.iterations, "iteration"),
                     Shown{solve.relative_residual}, solve.converged ? "" : ", NOT CONVERGED");
  if (solve.hybrid) out += hybrid_line(engine, *solve.hybrid);
  if (!engine.figures.method.empty()) {
    out += fmt::format("{:<12} ", engine.figures.method);
    const char* comma = "";
    for (const auto& [name, value] : engine.figures.figures) {
      if (std::isnan(value)) continue;
      out += fmt::format("{}{} {:.6g}", comma, name, value);
      comma = ", ";
    }
    out += "\n";
  }
  if (!engine.note.empty()) out += "Note         " + printable(engine.note) + "\n";
  if (engine.levels.empty()) return out;

  const auto ratio = [](int64_t a, int64_t b) {
    return fmt::format("{:.2f}", static_cast<double>(a) / static_cast<double>(std::max<int64_t>(b, 1)));
  };
  TextTable table({"level>", "unknowns>", "nonzeros>", "per row>", "shrinks by>", "memory>"});
  int64_t unknowns = 0, nonzeros = 0;
  for (size_t k = 0; k < engine.levels.size(); ++k) {
    const LevelSummary& level = engine.levels[k];
    table.add({std::to_string(k), grouped(level.unknowns), grouped(level.nonzeros),
               ratio(level.nonzeros, level.unknowns),
               k == 0 ? "" : ratio(engine.levels[k - 1].unknowns, level.unknowns), byte_count(level.bytes)});
    unknowns += level.unknowns;
    nonzeros += level.nonzeros;
  }
  out += table.str();
  out += fmt::format("  operator complexity {}, grid complexity {}\n", ratio(nonzeros, engine.levels[0].nonzeros),
                     ratio(unknowns, engine.levels[0].unknowns));
  return out;
}

}  // namespace gridiron
