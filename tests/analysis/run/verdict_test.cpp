// SPDX-License-Identifier: Apache-2.0
// What all limits of a run come to, in one place for texts, pages and exit codes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/results/limits.hpp"
#include "analysis/run/verdict.hpp"
#include "support/field.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;
using testing::Not;
using Outcome = Verdict::Outcome;

LimitResult limit(double value_v, double bound_v, bool exceeded, bool undecided) {
  LimitResult of;
  of.quantity = "worst";
  of.net = "VDD";
  of.limit_v = 0.05;
  of.value_v = value_v;
  of.bound_v = bound_v;
  of.exceeded = exceeded;
  of.undecided = undecided;
  return of;
}
const LimitResult kKept = limit(0.04, 1e-6, false, false), kAbove = limit(0.06, 1e-6, true, false),
                  kNear = limit(0.0499999, 1e-6, false, true);

TEST(Verdict, TheWorstOfAllLimits) {
  IrReport report;
  EXPECT_EQ(verdict_of(report).outcome(), Outcome::none);
  report.limits = {kKept};
  EXPECT_EQ(verdict_of(report).outcome(), Outcome::kept);
  report.limits = {kKept, kNear, kNear};
  EXPECT_EQ(verdict_of(report).outcome(), Outcome::undecided);
  EXPECT_EQ(verdict_of(report).undecided(), 2);
  EXPECT_TRUE(verdict_of(report).needs_tolerance());
  report.limits = {kNear, kAbove};
  const Verdict verdict = verdict_of(report);
  EXPECT_EQ(verdict.outcome(), Outcome::exceeded);
  EXPECT_EQ(verdict.all(), 2);
  EXPECT_THAT(verdict.exceeded_text(), HasSubstr("60 mV"));
}

TEST(Verdict, WhatWouldDecide) {
  Verdict steps;
  LimitResult open = kNear;
  open.is_open = true;
  steps.add(open, "a");
  EXPECT_FALSE(steps.needs_tolerance());
  EXPECT_TRUE(steps.needs_steps());
  EXPECT_THAT(spelled(steps.undecided_text()), HasSubstr("a; give a shorter step"));

  Verdict estimated;
  LimitResult by_estimate = kNear;
  by_estimate.is_estimated = true;
  estimated.add(by_estimate, "a");
  EXPECT_EQ(estimated.undecided_text(), "a") << "its words say what to do";
}

TEST(Verdict, ASearchThatEndedEarlyIsDecidedByNoTolerance) {
  IrReport report;
  report.nets.resize(1);
  report.budget.emplace();
  BudgetNet& net = report.budget->nets.emplace_back();
  net.net = 0;
  EXPECT_EQ(verdict_of(report).outcome(), Outcome::none) << "no limit is on it";
  net.limit_v = 0.05;
  net.undecided = true;
  const Verdict verdict = verdict_of(report);
  EXPECT_EQ(verdict.outcome(), Outcome::undecided);
  EXPECT_THAT(verdict.undecided_text(), HasSubstr("raise"));
  EXPECT_THAT(verdict.undecided_text(), Not(HasSubstr("lower")));
}

TEST(Verdict, LimitsOnWhatIsLeftOutAreNotKept) {
  IrReport report;
  report.limits = {kKept};
  report.findings = {{Finding::Severity::warning, kLimitLeftOut, "left out", ""}};
  EXPECT_EQ(verdict_of(report).outcome(), Outcome::undecided);
  EXPECT_EQ(verdict_of(report).left_out_text(), "left out");
  report.limits = {kAbove};
  EXPECT_EQ(verdict_of(report).outcome(), Outcome::exceeded);
}

}  // namespace
}  // namespace gridiron
