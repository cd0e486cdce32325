// SPDX-License-Identifier: Apache-2.0
// Coupled inductors: what is known of them in closed form, and what is refused.
#include "analysis/tran/steps/coupled_inductors.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/tran/tran_limits.hpp"
#include "analysis/tran/transient.hpp"
#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

TranReport simulated(const Circuit& circuit, const TranOptions& options = {}) {
  return analyse_transient(circuit, options);
}

std::string error_of(const std::string& cards, const TranOptions& options = {}) {
  const Circuit circuit = read_netlist_text("* t\n" + cards, "deck.sp");
  try {
    analyse_transient(circuit, options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

/// The last voltage of node b. A ramp of the load draws a constant di/dt, and with it a constant voltage over
/// inductors.
double last_volts(const std::string& couplings) {
  const Circuit circuit = read_netlist_text("* t\nv1 a 0 1\nl1 a b 1n\nl2 c 0 1n\ni1 b c pwl(0 0 1n 0 2n 1 20n 19)\n" +
                                            couplings + ".tran 50p 10n\n.print tran v(b) v(c)\n.end\n");
  TranOptions options;
  options.method = Method::backward_euler;  // the trapezoidal rule rings where nothing damps it
  const TranReport report = simulated(circuit, options);
  return report.probes.at(0).voltage_v.back();
}

TEST(CoupledInductors, AddToTheVoltageOfEachOther) {
  // The current flows from a to b and on from c to 0: both enter the first node, so that M adds to L.
  EXPECT_NEAR(last_volts(""), 1 - 1.0, 1e-6);
  EXPECT_NEAR(last_volts("k1 l1 l2 0.5\n"), 1 - 1.5, 1e-6);
  EXPECT_NEAR(last_volts("k1 l1 l2 -0.5\n"), 1 - 0.5, 1e-6);
  EXPECT_NEAR(last_volts("k1 l1 l2 0.99\n"), 1 - 1.99, 1e-6);
  EXPECT_NEAR(last_volts("k1 l1 l2 0\n"), 1 - 1.0, 1e-6);
}

const std::string kGrid =
    "v1 a 0 1\nl1 a b 1n\nl2 a c 1n\nl3 a d 1n\nr1 b g 0.1\nr2 c g 0.1\nr3 d g 0.1\ni1 g 0 pulse(0 10m 1n 0.2n 0.2n 1n "
    "4n)\n"
    "c1 g 0 1n\n.tran 20p 4n\n";

TEST(CoupledInductors, AreEstimated) {
  const Circuit circuit = read_netlist_text("* t\n" + kGrid + "k1 l1 l2 l3 0.3\n.end\n");
  TranOptions options;
  options.limits = {parse_tran_limit("99%")};
  TranReport report = simulated(circuit, options);
  EXPECT_TRUE(report.accuracy.is_estimated);
  EXPECT_FALSE(report.accuracy.is_guaranteed);
  EXPECT_STREQ(report.worst.certificate.kind(), "estimated");
  EXPECT_TRUE(report.worst.limits.at(0).undecided);
  options.accept_estimate = true;
  EXPECT_FALSE(simulated(circuit, options).worst.limits.at(0).undecided);
}

TEST(CoupledInductors, ThatNoCoilsAreLikeAreRefused) {
  EXPECT_THAT(error_of(kGrid + "k1 l1 l2 1\n"), HasSubstr("deck.sp:12:1: the coefficients of couplings contradict"));
  EXPECT_THAT(error_of(kGrid + "k1 l1 l2 0.9\nk2 l2 l3 0.9\nk3 l1 l3 -0.9\n"), HasSubstr("contradict each other"));
  EXPECT_THAT(error_of(kGrid + "k1 l1 l2 0.5\nk2 l2 l1 0.4\n"),
              HasSubstr("'k2' couples two inductors that another card"));
  EXPECT_THAT(error_of(kGrid + "l9 g g 1n\nk1 l1 l9 0.5\n"),
              HasSubstr("'l9' is coupled, and leads from a node to itself"));
  EXPECT_THAT(error_of(kGrid + "l9 g h 0\nr9 h 0 1\nk1 l1 l9 0.5\n"), HasSubstr("'l9' is coupled, and has 0 H"));
  EXPECT_THAT(error_of(kGrid + "l9 g 0 -1n\nk1 l1 l9 0.5\n"), HasSubstr("'l9' is coupled, and has a negative"));
  TranOptions options;
  options.engine = "aggamg";
  EXPECT_THAT(error_of(kGrid + "k1 l1 l2 0.5\n", options), HasSubstr("coupled inductors, as at deck.sp:12:1"));
}

}  // namespace
}  // namespace gridiron
