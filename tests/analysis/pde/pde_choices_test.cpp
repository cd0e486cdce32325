// SPDX-License-Identifier: Apache-2.0
#include "analysis/pde/choices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/pde/problems.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using Pairs = std::vector<std::pair<std::string, std::string>>;

std::vector<std::string> names() {
  std::vector<std::string> all;
  PdeChoices().visit([&](std::string_view name, const auto&...) { all.emplace_back(name); });
  return all;
}

Pairs parameters(const char* problem, const PdeChoices& choices) {
  Pairs pairs;
  for (const Param& p : pde_parameters(find_pde_problem(problem), choices)) pairs.emplace_back(p.name, p.value);
  return pairs;
}

TEST(PdeChoices, ProblemsHaveDeclaredOptionsOnly) {
  const std::vector<std::string> known = names();
  for (const PdeProblem& problem : pde_problems()) {
    std::istringstream options{std::string(problem.options)};
    for (std::string name; options >> name;) EXPECT_EQ(std::count(known.begin(), known.end(), name), 1) << name;
  }
  for (const std::string& name : known)
    EXPECT_TRUE(std::ranges::any_of(pde_problems(), [&](const PdeProblem& problem) { return problem.has(name); }))
        << name;
}

TEST(PdeChoices, AreRefusedByTheirNameWhereAProblemHasThemNot) {
  const auto refused = [](const PdeChoices& choices) -> std::string {
    try {
      check_choices(find_pde_problem("trefoil3d"), choices);
    } catch (const InputError& error) {
      return spelled(error.message(), [](std::string_view name) { return "<" + std::string(name) + ">"; });
    }
    return "taken";
  };
  const auto no_option = [](const std::string& name) { return "trefoil3d has no option <" + name + ">; leave it out"; };
  EXPECT_EQ(refused({.cells = {{9, 9, 9}}}), no_option("cells"));
  EXPECT_EQ(refused({.epsilon = 1}), no_option("epsilon"));
  EXPECT_EQ(refused({.seed = 1}), no_option("seed"));
  EXPECT_EQ(refused({.sigma = "1"}), no_option("sigma"));
  EXPECT_EQ(refused({.conditions = "x0=neumann"}), no_option("bc"));
  EXPECT_EQ(refused({.shift = 0}), no_option("shift"));
  EXPECT_EQ(refused({.sign = "+"}), no_option("sign"));
  EXPECT_EQ(refused({.curve = "x"}), no_option("curve"));
  EXPECT_EQ(refused({.size = 9, .stencil = 27}), "taken");
}

TEST(PdeChoices, ReportsTellWhatIsInForce) {
  EXPECT_EQ(parameters("poisson2d", {.size = 9}), (Pairs{{"stencil", "5"}}));
  EXPECT_EQ(parameters("poisson3d", {.stencil = 9, .shift = 0}), (Pairs{{"shift", "0"}, {"stencil", "27"}}));
  EXPECT_EQ(parameters("helmholtz3d", {}), (Pairs{{"shift", "-1"}, {"stencil", "7"}}));
  EXPECT_EQ(parameters("anisotropic2d", {.conditions = "x0=neumann"}),
            (Pairs{{"epsilon", "0.01"}, {"bc", "x0=neumann"}}));
  EXPECT_EQ(parameters("porous3d", {.cells = {{2, 3, 4}}}), (Pairs{{"seed", "1"}}));
  EXPECT_EQ(parameters("capacitor3d", {}), (Pairs{{"sign", "+"}, {"stencil", "7"}}));
  EXPECT_EQ(parameters("capacitor3d", {.sigma = "2"}), (Pairs{{"sigma", "2"}, {"stencil", "7"}}))
      << "no ball is left to have a sign";
}

}  // namespace
}  // namespace gridiron
