// SPDX-License-Identifier: Apache-2.0
#include "analysis/run/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/insight/budget_bound.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/em_limits.hpp"
#include "analysis/results/limits.hpp"
#include "analysis/results/stress/lifetime_limit.hpp"
#include "analysis/results/stress/stress.hpp"
#include "support/error_text.hpp"

namespace gridiron {

Verdict::Outcome Verdict::outcome() const {
  if (exceeded_ > 0) return Outcome::exceeded;
  if (undecided_ > 0 || !left_out_text_.empty()) return Outcome::undecided;
  return kept_ > 0 ? Outcome::kept : Outcome::none;
}

std::string Verdict::undecided_text(std::string_view of_what) const {
  if (!open_text_.empty())
    return fmt::format("{}{}{}", undecided_text_, undecided_text_.empty() ? "" : "; ", open_text_);
  return fmt::format(
      "{}{}{}{}{}", undecided_text_, needs_tolerance_ || needs_steps_ ? "; " : "",
      needs_tolerance_ ? fmt::format("lower {}{}", field("tolerance"), of_what) : "",
      needs_tolerance_ && needs_steps_ ? ", and " : "",
      needs_steps_ ? fmt::format("give a shorter {}, or {}", field("step"), field("time_tolerance")) : "");
}

const char* name_of(Verdict::Outcome outcome) {
  constexpr const char* kNames[] = {"none", "kept", "undecided", "exceeded"};
  return kNames[static_cast<int>(outcome)];
}

Verdict verdict_of(const IrReport& result) {
  Verdict verdict;
  for (const LimitResult& limit : result.limits) verdict.add(limit, describe(limit));
  for (const EmLimitResult& limit : result.em_limits) verdict.add(limit, describe(limit));
  if (result.em && result.em->limit) {
    const EmRuleLimit& limit = *result.em->limit;
    verdict.add(limit, describe(limit, result, *result.em), unknown_ratio(limit, *result.em));
  }
  if (result.stress && result.stress->limit) {
    const StressLimit& limit = *result.stress->limit;
    verdict.add(limit, describe(limit, *result.stress), unknown_stress(limit));
  }
  if (result.stress)
    for (const LifetimeLimit& limit : result.stress->lifetime_limits)
      limit.open.empty() || limit.exceeded ? verdict.add(limit, describe(limit)) : verdict.leave_open(limit.open);
  if (result.budget)
    for (const BudgetNet& net : result.budget->nets)
      if (net.limit_v) verdict.add(net, describe(net, result));
  const auto left_out = std::ranges::find(result.findings, kLimitLeftOut, &Finding::code);
  if (left_out != result.findings.end()) verdict.leave_out(left_out->message);
  return verdict;
}

}  // namespace gridiron
