// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/steps/any_steps.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/model/findings.hpp"
#include "support/error_text.hpp"

namespace gridiron {

AnyStep::AnyStep(const Circuit& circuit, const StepElements& elements, const SolverOptions& options,
                 const Context& context)
    : circuit_(circuit),
      a_(elements.a.begin(), elements.a.end()),
      b_(elements.b.begin(), elements.b.end()),
      tolerance_v_(options.rtol ? 0.0 : options.tolerance_v),
      equations_(circuit, elements),
      solver_(equations_.factorized(options, context)) {
  work_.setups = 1;
  work_.setup_s = watch_.lap();
}

Accuracy AnyStep::solve(const StepDrive& drive, int64_t j, std::span<const double> history, const State& state) {
  constexpr double kMostVolts = 1e12;  ///< which no circuit has that keeps to any supply
  const Stopwatch watch;
  const std::span<const double> load = drive.load.column(j);
  std::vector<double> b = equations_.right_hand_side(load, drive.volts, !drive.is_none);
  for (size_t e = 0; e < history.size(); ++e) equations_.equations().add_current(a_[e], b_[e], -history[e], b);
  LuSolver::Solution solution = solver_.solve_in_turn(b);
  const auto places = std::ssize(state.volts);
  for (NodeId node = 1; node < circuit_.node_count(); ++node) {
    const double v = equations_.voltage(node, solution.x);
    (state.place[node] < places ? state.volts[state.place[node]] : state.held[node]) = v;
    if (!(std::abs(v) <= kMostVolts))
      throw SolverError(
          fmt::format("the circuit is unstable: the voltage of node {} grows without bound; check gains, "
                      "signs of controls and negative values, or give an earlier {}",
                      shown(circuit_.node_name(node)), field("stop")));
  }
  auto more = std::ranges::copy(load.first(circuit_.current_sources.size()), state.load.begin()).out;
  for (size_t k = 0; k < circuit_.controlled_sources.size(); ++k)
    if (circuit_.controlled_sources[k].kind == kCurrentSource) *more++ = equations_.value(k, solution.x);

  Accuracy accuracy;
  Certificate& certificate = accuracy.certificate;
  certificate.valid = true;  // as far as steps go: the run calls it an estimate
  certificate.delta = 1;     // there is no barrier
  certificate.max_error_v = solution.error;
  certificate.max_residual_a = solution.max_residual;
  certificate.tolerance_v = tolerance_v_;
  accuracy.stats = std::move(solution.stats);
  accuracy.stats.converged = tolerance_v_ == 0 || solution.error <= tolerance_v_;
  ++work_.vectors;
  work_.solve_s += watch.seconds();
  return accuracy;
}

std::unique_ptr<AnyStep> AnySteps::make(const std::vector<double>& conductance, const SolverOptions& options,
                                        const Context& context) const {
  StepElements elements{storage_.a, storage_.b, conductance, {}};
  if (!coupled_.empty()) {
    const DenseMatrix added = coupled_.addition(conductance);
    for (int64_t i = 0; i < added.n; ++i)
      for (int64_t j = 0; j < added.n; ++j)
        if (added.at(i, j) != 0)
          elements.mutual.push_back({coupled_.elements()[i], coupled_.elements()[j], added.at(i, j)});
  }
  return std::make_unique<AnyStep>(circuit_, elements, options, context);
}

}  // namespace gridiron
