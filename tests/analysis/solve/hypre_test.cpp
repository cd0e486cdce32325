// SPDX-License-Identifier: Apache-2.0
// Engine hypre against CHOLMOD on real and generated decks, node by node.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "netlist/generator.hpp"
#include "tests/analysis/sessions.hpp"
#include "tests/data.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

class HypreOnDecks : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = find_engine("hypre").declines(Problem())) GTEST_SKIP() << *reason;
  }

  /// Both certified: they differ by no more than the sum of their bounds.
  static void expect_agreement(const Circuit& circuit) {
    const auto design = make_design(std::make_shared<const Circuit>(circuit));
    const auto solved = [&](const char* engine) {
      SolverOptions options;
      options.engine = engine;
      options.tolerance_v = 1e-8;
      Solver solver(System(design), options, test::on_cpu());
      Answer answer = solver.solve();
      EXPECT_EQ(solver.engine_run().name, engine) << "no other engine took over";
      EXPECT_TRUE(answer.certificate.valid);
      EXPECT_LE(answer.certificate.max_error_v, 1e-8);
      return answer;
    };
    const Answer direct = solved("cholmod"), multigrid = solved("hypre");
    EXPECT_LE(multigrid.stats.iterations, 20);
    const double apart = direct.certificate.max_error_v + multigrid.certificate.max_error_v;
    for (size_t n = 0; n < direct.voltage_v.size(); ++n)
      ASSERT_LE(std::abs(direct.voltage_v[n] - multigrid.voltage_v[n]), apart) << n;
  }

  static void expect_agreement_on(const std::string& name) {
    GRIDIRON_DATA_OR_SKIP(deck, name);
    expect_agreement(read_netlist(deck));
  }
};

TEST_F(HypreOnDecks, Ibmpg1) { expect_agreement_on("ibm/ibmpg1.spice.bz2"); }
TEST_F(HypreOnDecks, Ibmpg2) { expect_agreement_on("ibm/ibmpg2.spice.bz2"); }
TEST_F(HypreOnDecks, Testcase1) { expect_agreement_on("iccad23/testcase1/netlist.sp.gz"); }
TEST_F(HypreOnDecks, Gcd) { expect_agreement_on("openroad/gcd_vss.sp"); }

TEST_F(HypreOnDecks, Generated) {
  for (const char* style : {"ibm", "openroad"}) {
    const std::string path = test::temporary("hypre.sp");
    GeneratorOptions options;
    options.style = style;
    options.nodes = 30'000;
    generate(options, path);
    expect_agreement(read_netlist(path));
    std::filesystem::remove(path);
  }
}

TEST_F(HypreOnDecks, GridsOfOneNodeAndOfNone) {
  expect_agreement(read_netlist_text("* one\nv1 a 0 1\nr1 a b 2\ni1 b 0 0.1\n.end\n"));
  expect_agreement(read_netlist_text("* none\nv1 a 0 1\nr1 a 0 2\n.end\n"));
  expect_agreement(read_netlist_text(
      "* two islands\nv1 a 0 1\nr1 a b 2\ni1 b 0 0.1\nv2 c 0 1\nr2 c d 3\nr3 d e 1\ni2 e 0 0.1\n.end\n"));
}

}  // namespace
}  // namespace gridiron
