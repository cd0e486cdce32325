// SPDX-License-Identifier: Apache-2.0
// What is counted beside the solves is the same for any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <tuple>
#include <vector>

#include "analysis/tran/steps/integrator.hpp"
#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

Circuit circuit_of(const std::string& supply) {
  Circuit circuit = read_netlist_text(
      "* t\nvp p 0 " + supply +
      "\nlp p a 1n\nr1 a b 0.5\nr2 b c 1\nr3 a c 2\nc1 b 0 1n\nc2 c g 2n\nrg g 0 0.2\n"
      "iu_v c 0 pulse(1m 30m 1n 1n 1n 3n 8n)\niu_g 0 g pulse(1m 30m 1n 1n 1n 3n 8n)\ni2 b g pwl(0 0 5n 20m 9n 0)\n"
      ".print tran v(c)\n.tran 0.25n 20n 1n\n.end\n");
  start_at_time_zero(circuit);
  return circuit;
}

class Threads : public testing::TestWithParam<const char*> {};

TEST_P(Threads, GiveTheSameBits) {
  const Circuit circuit = circuit_of(GetParam());
  const auto run = [&](int threads) {
    TranOptions options;
    options.engine = "cholmod";
    options.segments = true;
    options.context.threads = threads;
    return analyse_transient(circuit, options);
  };
  const TranReport one = run(1), three = run(3);
  EXPECT_EQ(one.worst.nodes.drop_v, three.worst.nodes.drop_v);
  EXPECT_EQ(one.worst_time_s, three.worst_time_s);
  EXPECT_EQ(one.average_drop_v, three.average_drop_v);
  EXPECT_EQ(one.rms_drop_v, three.rms_drop_v);
  EXPECT_EQ(one.overshoot_v, three.overshoot_v);
  EXPECT_EQ(one.row_time_s, three.row_time_s);
  EXPECT_EQ(one.probes.at(0).voltage_v, three.probes.at(0).voltage_v);
  EXPECT_EQ(one.instance_time_s, three.instance_time_s);
  EXPECT_EQ(one.segments.rms_a, three.segments.rms_a);
  EXPECT_EQ(one.pads.at(0).rms_a, three.pads.at(0).rms_a);
  EXPECT_EQ(one.charge.supplied_c, three.charge.supplied_c);
  EXPECT_EQ(one.accuracy.accumulated_v, three.accuracy.accumulated_v);
  EXPECT_EQ(one.accuracy.local_time_error_v, three.accuracy.local_time_error_v);
  EXPECT_GT(one.accuracy.local_time_error_v, 0);
}

INSTANTIATE_TEST_SUITE_P(Supplies, Threads, testing::Values("1.8", "pwl(0 1.8 9n 1.7 20n 1.9)"));

/// The states of a simulation, and of the steps to them the certified errors, V.
struct Course {
  std::vector<std::vector<double>> volts, amperes;
  std::vector<double> bounds;
  int ahead = 0;  ///< steps made before their accuracy was known

  void add(const Integrator& integrator) {
    const std::span<const double> v = integrator.voltage(0).merged, i = integrator.current(0);
    volts.emplace_back(v.begin(), v.end());
    amperes.emplace_back(i.begin(), i.end());
  }
  void add(const std::vector<Accuracy>& accuracy) {
    for (const Accuracy& of_scenario : accuracy) bounds.push_back(of_scenario.certificate.max_error_v);
  }
};

/// Steps of two sizes, one of them damped, whose loads change.
Course course_of(bool goes_ahead, double tolerance, int threads) {
  const Circuit circuit = circuit_of("1.8");
  SolverOptions options;
  options.engine = "cholmod";
  options.tolerance_v = tolerance;
  Integrator integrator(make_design(circuit), Method::trapezoidal, options, Context{.threads = threads});
  Course course;
  const auto add = [&] {
    course.add(integrator);
    if (goes_ahead) course.add(integrator.present().accuracy);
  };
  for (int k = 0; k < 12; ++k) {
    const std::vector<double> load(circuit.current_sources.value.size(), 1e-3 * (k % 5));
    const Block<const double> block{load.data(), std::ssize(load), 1};
    const double h = k % 4 == 3 ? 0.5e-9 : 0.25e-9;
    const StepSize size{h, k == 7};
    if (goes_ahead) {
      integrator.accept(integrator.step_ahead(size, {block}, add));
    } else {
      add();
      integrator.accept(integrator.step(size, {block}));
      course.add(integrator.present().accuracy);
    }
    course.ahead += integrator.present().accuracy.empty();
  }
  integrator.settle();
  add();
  return course;
}

void expect_same(const Course& a, const Course& b) {
  EXPECT_EQ(a.volts, b.volts);
  EXPECT_EQ(a.amperes, b.amperes);
  EXPECT_EQ(a.bounds, b.bounds);
}

TEST(Integrator, GoesAheadOfTheCertificateToTheSameStates) {
  const Course reference = course_of(false, 10e-6, 1);
  ASSERT_EQ(reference.volts.size(), 13);
  ASSERT_EQ(reference.bounds.size(), 12);
  for (const int threads : {1, 2, 3}) {
    const Course course = course_of(true, 10e-6, threads);
    EXPECT_EQ(course.ahead, 12);
    expect_same(course, reference);
  }
}

TEST(Integrator, StatesThatMissTheToleranceAreFoundAgainBeforeTheyAreSeen) {
  const Course within = course_of(false, 10e-6, 1);
  const double tolerance = 0.5 * std::ranges::max(within.bounds);
  const Course reference = course_of(false, tolerance, 1);
  EXPECT_NE(reference.bounds, within.bounds);
  for (const int threads : {1, 2, 3}) {
    const Course course = course_of(true, tolerance, threads);
    EXPECT_GT(course.ahead, 0);
    EXPECT_LT(course.ahead, 12);
    expect_same(course, reference);
  }
}

TEST(Integrator, AnErrorBesideASolveEndsTheStep) {
  const Circuit circuit = circuit_of("1.8");
  SolverOptions options;
  options.engine = "cholmod";
  const std::vector<double> load(circuit.current_sources.value.size(), 1e-3);
  const Block<const double> block{load.data(), std::ssize(load), 1};
  for (const int threads : {1, 3}) {
    Integrator integrator(make_design(circuit), Method::trapezoidal, options, Context{.threads = threads});
    int runs = 0;
    EXPECT_THROW(std::ignore = integrator.step({0.25e-9}, {block},
                                               [&] {
                                                 ++runs;
                                                 throw InputError("beside");
                                               }),
                 InputError);
    EXPECT_EQ(runs, 1);
    EXPECT_LT(integrator.step({0.25e-9}, {block}).accuracy.at(0).certificate.max_error_v, 1e-6);
  }
}

}  // namespace
}  // namespace gridiron
