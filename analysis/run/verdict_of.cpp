// SPDX-License-Identifier: Apache-2.0
#include "analysis/run/verdict_of.hpp"

#include <algorithm>

#include "analysis/insight/budget_bound.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/results/em/judge_em.hpp"
#include "analysis/results/em_limits.hpp"
#include "analysis/results/limits.hpp"
#include "analysis/results/stress/lifetime_limit.hpp"
#include "analysis/results/stress/stress.hpp"

namespace gridiron {

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
