// SPDX-License-Identifier: Apache-2.0
#include "analysis/plan/plan_step.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/plan/linear_program.hpp"

namespace gridiron {
namespace {

constexpr int kPieces = 8;         ///< of the curve of a strap
constexpr double kNothing = 1e-7;  ///< share of a limit that all straps together are not missed by

}  // namespace

double PlanModel::value(size_t k, std::span<const double> to) const {
  double value = watched[k].value;
  for (size_t s = 0; s < to.size(); ++s)
    if (to[s] != factor[s]) value += change(k, s, to[s]);
  return value;
}

double PlanModel::excess(std::span<const double> to) const {
  double most = -1;
  for (size_t k = 0; k < watched.size(); ++k) most = std::max(most, value(k, to) / watched[k].allowed - 1);
  return most;
}

PlanStep find_step(const PlanGrid& grid, const PlanModel& model, double trust, double margin) {
  const std::vector<Strap>& straps = grid.straps();
  const auto rows = static_cast<int32_t>(model.watched.size());
  std::vector<double> low(straps.size()), high(straps.size());
  std::vector<double> room;  // of each watched quantity, as a share of what is allowed
  for (const Watched& w : model.watched) room.push_back(1 - margin - w.value / w.allowed);
  const double all_means = grid.cost_of_all_means();
  for (size_t s = 0; s < straps.size(); ++s) {
    low[s] = std::max(1.0, model.factor[s] / trust);
    high[s] = std::min(straps[s].most, model.factor[s] * trust);
    for (int32_t k = 0; k < rows; ++k) room[k] -= model.change(k, s, low[s]) / model.watched[k].allowed;
  }

  LinearProgram program(room);
  struct Piece {
    size_t strap;
    int32_t column;
  };
  std::vector<Piece> pieces;
  for (size_t s = 0; s < straps.size(); ++s) {
    const auto matters = [&](int32_t k) {
      return std::abs(model.slope[k][s]) * static_cast<double>(straps.size()) > kNothing * model.watched[k].allowed;
    };
    bool helps = false;
    for (int32_t k = 0; k < rows; ++k) helps |= matters(k) && model.slope[k][s] < 0;
    if (!helps || high[s] <= low[s]) continue;
    double from = low[s];
    for (int piece = 1; piece <= kPieces; ++piece) {
      const double to = low[s] * std::pow(high[s] / low[s], static_cast<double>(piece) / kPieces);
      std::vector<LinearProgram::Entry> entries;
      for (int32_t k = 0; k < rows; ++k)
        if (matters(k))
          entries.push_back(
              {k, (model.change(k, s, to) - model.change(k, s, from)) / (to - from) / model.watched[k].allowed});
      pieces.push_back({s, program.add_column(straps[s].unit_cost / all_means, 0, to - from, entries)});
      from = to;
    }
  }
  const int32_t first_slack = pieces.empty() ? 0 : pieces.back().column + 1;
  for (int32_t k = 0; k < rows; ++k) program.add_column(kPenaltyOfExcess, 0, HUGE_VAL, {{k, -1.0}});

  const LinearProgram::Solution solution = program.solve();
  PlanStep step{low, {}, true};
  for (const auto& [strap, column] : pieces) step.factor[strap] += solution.x[column];
  for (size_t s = 0; s < straps.size(); ++s) step.factor[s] = std::clamp(step.factor[s], low[s], high[s]);
  for (int32_t k = 0; k < rows; ++k) {
    step.price.push_back(all_means * solution.price[k] / model.watched[k].allowed);
    step.is_kept &= solution.x[first_slack + k] <= kNothing;
  }
  return step;
}

}  // namespace gridiron
