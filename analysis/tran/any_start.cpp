// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/any_start.hpp"

#include <algorithm>
#include <utility>

#include "analysis/model/matrices/matrix_findings.hpp"
#include "analysis/solve/any_matrix/any_design.hpp"
#include "support/lists.hpp"

namespace gridiron {

AnyStart::AnyStart(std::shared_ptr<const Design> read, const DesignOptions& design, const SolverOptions& solver,
                   const Context& context)
    : read_((require_controls(*read), std::move(read))), equations_(*read_->circuit, solver, context) {
  at_zero_ = equations_.solve(circuit().current_sources.value);
  design_ = with_independent_sources(*read_, at_zero_, design);
}

std::vector<Answer> AnyStart::answers(const Loads& loads) {
  std::vector<Answer> answers;
  for (int64_t v = 0; v < loads.vectors(); ++v) {
    Answer& answer = answers.emplace_back(
        answer_of(equations_.solve(loads.vector(v)), circuit(), loads.vector(v), design_->topology->parts));
    answer.certificate.is_estimated = false;
    answer.certificate.valid = true;
  }
  return answers;
}

void AnyStart::add_to(IrReport& report) const {
  std::erase_if(report.findings, [](const Finding& f) { return f.code == kEstimateOnly; });
  append(report.findings, estimate_findings_of_steps(*read_));
  report.input = counts_of(circuit());
  report.reduced.unknowns = at_zero_.unknowns;
  report.reduced.nonzeros = at_zero_.nonzeros;
  report.reduced.merged_shorts = at_zero_.merged_shorts;
  report.reduced.eliminated = 0;
}

}  // namespace gridiron
