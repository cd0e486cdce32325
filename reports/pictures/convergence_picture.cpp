// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/convergence_picture.hpp"

#include <fmt/format.h>

#include "reports/pictures/chart.hpp"
#include "reports/text/numbers.hpp"
#include "support/shown_number.hpp"

namespace gridiron {

std::string convergence_picture(std::string_view name, std::string_view remark, const EngineRun& engine,
                                const SolveStats& solve) {
  Panel panel{.x_label = "iteration", .y_label = "relative residual", .y_is_logarithmic = true, .series = {}};
  panel.series.push_back({engine.name, {}, solve.history});
  for (size_t i = 0; i < solve.history.size(); ++i) panel.series[0].x.push_back(static_cast<double>(i));
  return chart_png({fmt::format("{} · convergence", name),
                    std::string(remark),
                    fmt::format("{} to {:.2e}, {}", count_of(solve.iterations, "iteration"),
                                Shown{solve.relative_residual}, engine.name),
                    {panel}});
}

}  // namespace gridiron
