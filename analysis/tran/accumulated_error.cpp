// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/accumulated_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "support/error.hpp"

namespace gridiron {
namespace {

constexpr double kResolved = 0.1;  ///< of a value

bool is_resolved(double value, double difference) { return difference <= kResolved * std::abs(value); }

/// Of the worst drop of a net, whether or not a limit is on it.
void take_nets(TranReport& report, const TranReport& other) {
  const NetResult* worst = nullptr;
  double largest = 0;
  for (size_t k = 0; k < report.worst.nets.size(); ++k) {
    const NetResult& net = report.worst.nets[k];
    const double difference = std::abs(net.worst_drop_v - other.worst.nets[k].worst_drop_v);
    largest = std::max(largest, difference);
    if (!worst && !is_resolved(net.worst_drop_v, difference)) worst = &net;
  }
  report.accuracy.accumulated_time_error_v = largest;
  if (worst)
    report.worst.findings.push_back(
        {Finding::Severity::warning, "ringing-missed",
         fmt::format("steps of {:.4g} s do not resolve how inductors and capacitors ring: the worst drop of net {}, "
                     "{:.4g} V, differs by more than a tenth where they are {}; limits that are not exceeded are "
                     "undecided; give a shorter {}",
                     report.largest_step_s, worst->name, worst->worst_drop_v,
                     report.method == Method::trapezoidal ? "twice as long" : "made by the trapezoidal rule",
                     field("step")),
         ""});
}

}  // namespace

void allow_for_accumulated_errors(TranReport& report, const TranReport& other) {
  take_nets(report, other);
  for (size_t i = 0; i < report.worst.limits.size(); ++i) {
    LimitResult& limit = report.worst.limits[i];
    const double difference = std::abs(limit.value_v - other.worst.limits[i].value_v);
    limit.time_error_v = std::max(limit.time_error_v, difference);
    if (limit.exceeded) continue;
    limit.is_open |= !is_resolved(limit.value_v, difference);
    limit.undecided |=
        limit.is_open || !(limit.value_v + limit.allowed_error_v() + limit.time_error_v <= limit.limit_v);
  }
  for (size_t i = 0; i < report.worst.em_limits.size(); ++i) {
    EmLimitResult& limit = report.worst.em_limits[i];
    const double difference = std::abs(limit.value_a - other.worst.em_limits[i].value_a);
    const bool is_kept = limit.value_a + limit.bound_a + difference <= limit.limit_a;
    if (limit.exceeded || (is_kept && is_resolved(limit.value_a, difference))) continue;
    limit.is_open |= !limit.undecided;
    limit.undecided = true;
  }
  if (!report.worst.em || !report.worst.em->limit) return;
  EmRuleLimit& limit = *report.worst.em->limit;
  const double difference = std::abs(limit.value - other.worst.em->limit->value);
  const bool is_kept = limit.value + limit.bound + difference <= limit.limit;
  if (limit.exceeded || (is_kept && is_resolved(limit.value, difference))) return;
  limit.is_open |= !limit.undecided;
  limit.undecided = true;
}

}  // namespace gridiron
