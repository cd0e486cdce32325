// SPDX-License-Identifier: Apache-2.0
#include "engines/eliminating_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "engines/assemble.hpp"
#include "engines/condensation.hpp"
#include "engines/row_sums.hpp"
#include "regularize/eliminate.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {
namespace {

/// Unknowns of at most two couplings from which elimination pays, as a share of all, and of at most three.
constexpr double kMostly = 0.5, kNearlyAll = 0.9;

/// Pads below this share of a diagonal lose digits that count in it.
constexpr double kHidden = 1e-10;

/// The share of unknowns of at most so many couplings, none of them a positive entry.
double share_of_few(const CsrMatrix& a, int64_t most) {
  const auto few = parallel_sum<int64_t>(a.rows, [&](int64_t i) -> int64_t {
    if (a.row_ptr[i + 1] - a.row_ptr[i] > most + 1) return 0;
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k)
      if (a.col[k] != i && a.value[k] > 0) return 0;
    return 1;
  });
  return static_cast<double>(few) / static_cast<double>(a.rows);
}

MergedNetwork network_of(const CsrMatrix& a, std::vector<double> pads) {
  MergedNetwork network;
  network.nodes = static_cast<int32_t>(a.rows);
  network.pad = std::move(pads);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; ++k) {
      if (a.col[k] <= i || a.value[k] == 0) continue;
      network.a.push_back(static_cast<int32_t>(i));
      network.b.push_back(a.col[k]);
      network.conductance.push_back(-a.value[k]);
    }
  return network;
}

/// What eliminates most unknowns of the problem; nothing where that is not possible or does not pay.
std::optional<Elimination> elimination_of(const Problem& problem) {
  const CsrMatrix& a = problem.matrix;
  if (!problem.symmetric_positive_definite || !(share_of_few(a, 2) > kMostly)) return std::nullopt;
  std::vector<double> pads = row_sums_of(problem);
  if (pads.empty()) return std::nullopt;
  Elimination elimination = eliminate(network_of(a, std::move(pads)));
  if (static_cast<double>(elimination.steps.size()) < kMostly * static_cast<double>(a.rows)) return std::nullopt;
  return elimination;
}

/// The problem of the unknowns that are kept, which takes the matrix. Its network is told where the rounding of a
/// diagonal may hide a pad.
Problem problem_of(Condensation& condensation) {
  Problem problem;
  problem.matrix = std::move(condensation.matrix);
  std::vector<double> pads = std::move(condensation.pads);
  const CsrMatrix& a = problem.matrix;
  const bool are_in_sight = holds_for_all(a.rows, [&](int64_t i) {
    const auto row = std::span(a.value).subspan(a.row_ptr[i], a.row_ptr[i + 1] - a.row_ptr[i]);
    return pads[i] == 0 || pads[i] > kHidden * *std::ranges::max_element(row);
  });
  if (!are_in_sight)
    problem.structure = PowerGrid{std::make_shared<const MergedNetwork>(network_of(a, std::move(pads))), Geometry()};
  return problem;
}

std::optional<Condensation> condensation_of(const Problem& problem) {
  if (!problem.symmetric_positive_definite || !(share_of_few(problem.matrix, 3) > kNearlyAll)) return std::nullopt;
  std::vector<double> pads = row_sums_of(problem);
  if (pads.empty()) return std::nullopt;
  Condensation condensation = condense(problem.matrix, std::move(pads));
  if (condensation.sets.empty()) return std::nullopt;
  return condensation;
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

int64_t arrivals_of(const Elimination& elimination) { return std::ssize(elimination.steps); }
int64_t arrivals_of(const Condensation& condensation) { return condensation.unknowns; }

class EliminatingEngine : public Engine {
 public:
  EliminatingEngine(std::unique_ptr<Engine> engine, EliminatedFor device)
      : engine_(std::move(engine)), device_(device) {}

  void do_setup(const Problem& problem) override;
  void do_update(const Problem& problem) override;
  SolveStats do_solve(Block<const double> b, Block<double> x, const StopRule& stop) override;

  bool takes_device_memory() const override { return !eliminates() && engine_->takes_device_memory(); }
  bool begins_at_zero() const override { return true; }
  int64_t bytes() const override;
  double bytes_per_iteration() const override { return engine_->bytes_per_iteration(); }
  std::vector<LevelSummary> levels() const override { return engine_->levels(); }
  MethodFigures figures() const override { return engine_->figures(); }
  std::string note() const override;
  ParamList parameters() const override { return engine_->parameters(); }

 private:
  bool eliminates() const { return elimination_ || condensation_; }
  template <class Reduction>
  SolveStats solve_reduced(const Reduction& reduction, Block<const double> b, Block<double> x, const StopRule& stop);
  bool update_condensed(const Problem& problem);

  std::unique_ptr<Engine> engine_;  ///< set up unless nothing is left to solve
  EliminatedFor device_;
  std::optional<Elimination> elimination_;    ///< of branches
  std::optional<Condensation> condensation_;  ///< without its matrix
  std::shared_ptr<const Problem> condensed_;
};

void EliminatingEngine::do_setup(const Problem& problem) {
  engine_->set_context(context());
  condensation_.reset();
  elimination_ = elimination_of(problem);
  if (!elimination_ && device_ == EliminatedFor::cpu) condensation_ = condensation_of(problem);
  if (condensation_) {
    condensed_ = std::make_shared<const Problem>(problem_of(*condensation_));
    return engine_->setup(condensed_);
  }
  if (!elimination_) return engine_->setup(incoming());
  if (elimination_->kept.empty()) return;
  Problem reduced;
  reduced.matrix = assemble(elimination_->network);
  reduced.structure = PowerGrid{std::make_shared<const MergedNetwork>(std::move(elimination_->network)), Geometry()};
  engine_->setup(std::move(reduced));
}

void EliminatingEngine::do_update(const Problem& problem) {
  if (condensation_ ? !update_condensed(problem) : elimination_.has_value()) return do_setup(problem);
  if (condensation_) return;
  engine_->set_context(context());
  engine_->update(incoming());
}

/// False if the new values are not those of an M-matrix any more, or zero elsewhere.
bool EliminatingEngine::update_condensed(const Problem& problem) {
  std::optional<Condensation> updated = condensation_of(problem);
  if (!updated || updated->matrix.row_ptr != condensed_->matrix.row_ptr ||
      updated->matrix.col != condensed_->matrix.col)
    return false;
  engine_->set_context(context());
  condensed_ = std::make_shared<const Problem>(problem_of(*updated));
  condensation_ = std::move(updated);
  engine_->update(condensed_);
  return true;
}

SolveStats EliminatingEngine::do_solve(Block<const double> b, Block<double> x, const StopRule& stop) {
  engine_->set_context(context());
  if (condensation_) return solve_reduced(*condensation_, b, x, stop);
  if (elimination_) return solve_reduced(*elimination_, b, x, stop);
  return engine_->solve(b, x, stop);
}

/// Rows of eliminated unknowns have no residual, so that its norm stays, and its share of that of b changes.
template <class Reduction>
SolveStats EliminatingEngine::solve_reduced(const Reduction& reduction, Block<const double> b, Block<double> x,
                                            const StopRule& stop) {
  const int64_t arrivals = arrivals_of(reduction), unknowns = std::ssize(reduction.kept);
  std::vector<double> arrived(arrivals * b.columns), reduced_b(unknowns * b.columns), reduced_x(unknowns * b.columns);
  const auto column = [](std::vector<double>& block, int64_t rows, int64_t j) {
    return std::span(block).subspan(j * rows, rows);
  };
  std::vector<double> share(b.columns, 1.0);
  StopRule rule = stop;
  for (int64_t j = 0; j < b.columns; ++j) {
    reduction.reduce(b.column(j), column(arrived, arrivals, j), column(reduced_b, unknowns, j));
    const double before = norm(b.column(j)), after = norm(column(reduced_b, unknowns, j));
    if (before > 0 && after > 0) share[j] = after / before;
    rule.relative_residual = std::min(rule.relative_residual, stop.relative_residual / share[j]);
    if (!stop.from_zero)
      for (int64_t i = 0; i < unknowns; ++i) reduced_x[j * unknowns + i] = x.column(j)[reduction.kept[i]];
  }
  std::vector<ColumnStats> stats(b.columns);
  if (unknowns > 0)
    stats = std::move(
        engine_->solve({reduced_b.data(), unknowns, b.columns}, {reduced_x.data(), unknowns, b.columns}, rule).columns);
  for (int64_t j = 0; j < b.columns; ++j) {
    reduction.recover(column(arrived, arrivals, j), column(reduced_x, unknowns, j), x.column(j));
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
  if (condensation_) return condensation_->bytes() + engine_->bytes();
  if (!elimination_) return engine_->bytes();
  const size_t own = elimination_->steps.size() * sizeof(Elimination::Step) +
                     (elimination_->kept.size() + elimination_->unknown.size()) * sizeof(int32_t);
  return static_cast<int64_t>(own) + (elimination_->kept.empty() ? 0 : engine_->bytes());
}

std::string EliminatingEngine::note() const {
  if (condensation_) {
    const auto kept = std::ssize(condensation_->kept);
    return fmt::format("{} unknowns with few couplings are eliminated, {} are left", condensation_->unknowns - kept,
                       kept);
  }
  if (!elimination_) return engine_->note();
  return fmt::format("{} unknowns with one or two couplings are eliminated, {} are left", elimination_->steps.size(),
                     elimination_->kept.size());
}

}  // namespace

bool is_mostly_branches(const CsrMatrix& matrix) { return share_of_few(matrix, 2) > kMostly; }

std::unique_ptr<Engine> eliminating_first(std::unique_ptr<Engine> engine, EliminatedFor device) {
  return std::make_unique<EliminatingEngine>(std::move(engine), device);
}

}  // namespace gridiron
