// SPDX-License-Identifier: Apache-2.0
#include "engines/eliminating_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engines/assemble.hpp"
#include "engines/row_sums.hpp"
#include "regularize/eliminate.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// Unknowns of at most two couplings from which elimination pays, as a share of all.
constexpr double kMostly = 0.5;

/// What eliminates most unknowns of the problem; nothing where that is not possible or does not pay.
std::optional<Elimination> elimination_of(const Problem& problem) {
  const CsrMatrix& a = problem.matrix;
  if (!problem.symmetric_positive_definite || !is_mostly_branches(a)) return std::nullopt;
  MergedNetwork network;
  network.nodes = static_cast<int32_t>(a.rows);
  network.pad = row_sums_of(problem);
  if (network.pad.empty()) return std::nullopt;
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      if (a.col[k] <= i || a.value[k] == 0) continue;
      network.a.push_back(static_cast<int32_t>(i));
      network.b.push_back(a.col[k]);
      network.conductance.push_back(-a.value[k]);
    }
  Elimination elimination = eliminate(network);
  if (static_cast<double>(elimination.steps.size()) < kMostly * static_cast<double>(a.rows)) return std::nullopt;
  return elimination;
}

double norm(std::span<const double> v) {
  return std::sqrt(parallel_sum<double>(std::ssize(v), [&](int64_t i) { return v[i] * v[i]; }));
}

/// The statistics of a solution without iterations.
ColumnStats judged(const CsrMatrix& a, std::span<const double> b, std::span<const double> x, const StopRule& stop) {
  std::vector<double> r(b.size());
  multiply(a, x.data(), r.data());
  ColumnStats stats;
  for (size_t i = 0; i < r.size(); ++i) {
    r[i] = b[i] - r[i];
    stats.max_residual = std::max(stats.max_residual, std::abs(r[i]));
  }
  const double residual = norm(r);
  stats.relative_residual = residual == 0 ? 0.0 : residual / norm(b);
  stats.history = {stats.relative_residual};
  stats.converged = stats.relative_residual <= stop.relative_residual || stats.max_residual <= stop.absolute_max;
  return stats;
}

class EliminatingEngine : public Engine {
 public:
  explicit EliminatingEngine(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}

  void do_setup(const Problem& problem) override;
  void do_update(const Problem& problem) override;
  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override;

  bool takes_device_memory() const override { return !elimination_ && engine_->takes_device_memory(); }
  bool begins_at_zero() const override { return true; }
  int64_t bytes() const override;
  double bytes_per_iteration() const override { return engine_->bytes_per_iteration(); }
  std::vector<LevelSummary> levels() const override { return engine_->levels(); }
  MethodFigures figures() const override { return engine_->figures(); }
  std::string note() const override;
  ParamList parameters() const override { return engine_->parameters(); }

 private:
  SolveStats solve_reduced(Block<const double> b, Block<double> x, const StopRule& stop);

  std::unique_ptr<Engine> engine_;  ///< set up unless nothing is left to solve
  std::optional<Elimination> elimination_;
};

void EliminatingEngine::do_setup(const Problem& problem) {
  engine_->set_context(context());
  elimination_ = elimination_of(problem);
  if (!elimination_) return engine_->setup(incoming());
  if (elimination_->kept.empty()) return;
  Problem reduced;
  reduced.matrix = assemble(elimination_->network);
  reduced.structure = PowerGrid{std::make_shared<const MergedNetwork>(std::move(elimination_->network)), Geometry()};
  engine_->setup(std::move(reduced));
}

void EliminatingEngine::do_update(const Problem& problem) {
  if (elimination_) return do_setup(problem);
  engine_->set_context(context());
  engine_->update(incoming());
}

SolveStats EliminatingEngine::do_solve(Block<const double> b, Block<double> x, const StopRule& stop) {
  engine_->set_context(context());
  if (!elimination_) return engine_->solve(b, x, stop);
  return solve_reduced(b, x, stop);
}

/// Rows of eliminated unknowns have no residual, so that its norm stays, and its share of that of b changes.
SolveStats EliminatingEngine::solve_reduced(Block<const double> b, Block<double> x, const StopRule& stop) {
  const Elimination& elimination = *elimination_;
  const auto steps = std::ssize(elimination.steps), unknowns = std::ssize(elimination.kept);
  std::vector<double> arrived(steps * b.columns), reduced_b(unknowns * b.columns), reduced_x(unknowns * b.columns);
  const auto column = [](std::vector<double>& block, int64_t rows, int64_t j) {
    return std::span(block).subspan(j * rows, rows);
  };
  std::vector<double> share(b.columns, 1.0);
  StopRule rule = stop;
  for (int64_t j = 0; j < b.columns; ++j) {
    elimination.reduce(b.column(j), column(arrived, steps, j), column(reduced_b, unknowns, j));
    const double before = norm(b.column(j)), after = norm(column(reduced_b, unknowns, j));
    if (before > 0 && after > 0) share[j] = after / before;
    rule.relative_residual = std::min(rule.relative_residual, stop.relative_residual / share[j]);
    if (!stop.from_zero)
      for (int64_t i = 0; i < unknowns; ++i) reduced_x[j * unknowns + i] = x.column(j)[elimination.kept[i]];
  }
  std::vector<ColumnStats> stats(b.columns);
  if (unknowns > 0)
    stats = std::move(
        engine_->solve({reduced_b.data(), unknowns, b.columns}, {reduced_x.data(), unknowns, b.columns}, rule).columns);
  for (int64_t j = 0; j < b.columns; ++j) {
    elimination.recover(column(arrived, steps, j), column(reduced_x, unknowns, j), x.column(j));
    if (unknowns == 0) {
      stats[j] = judged(problem().matrix, b.column(j), x.column(j), stop);
      continue;
    }
    stats[j].relative_residual *= share[j];
    for (double& residual : stats[j].history) residual *= share[j];
  }
  return summed_up(std::move(stats));
}

int64_t EliminatingEngine::bytes() const {
  if (!elimination_) return engine_->bytes();
  const size_t own = elimination_->steps.size() * sizeof(Elimination::Step) +
                     (elimination_->kept.size() + elimination_->unknown.size()) * sizeof(int32_t);
  return static_cast<int64_t>(own) + (elimination_->kept.empty() ? 0 : engine_->bytes());
}

std::string EliminatingEngine::note() const {
  if (!elimination_) return engine_->note();
  return fmt::format("{} unknowns with one or two couplings are eliminated, {} are left", elimination_->steps.size(),
                     elimination_->kept.size());
}

}  // namespace

bool is_mostly_branches(const CsrMatrix& a) {
  const auto few = parallel_sum<int64_t>(a.rows, [&](int64_t i) -> int64_t {
    if (a.row_ptr[i + 1] - a.row_ptr[i] > 3) return false;
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (a.col[k] != i && a.value[k] > 0) return false;
    return true;
  });
  return static_cast<double>(few) > kMostly * static_cast<double>(a.rows);
}

std::unique_ptr<Engine> eliminating_first(std::unique_ptr<Engine> engine) {
  return std::make_unique<EliminatingEngine>(std::move(engine));
}

}  // namespace gridiron
