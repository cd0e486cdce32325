// SPDX-License-Identifier: Apache-2.0
// Decks with a hundred thousand findings: each kind is listed a few times and counted exactly, in seconds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/model/findings.hpp"
#include "analysis/run/ir_drop.hpp"
#include "netlist/reader.hpp"
#include "tests/thread_time.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

constexpr int kMany = 100'000;
constexpr double kPatience = 20;  // s; work that grows with the square of kMany takes minutes

template <class F>
std::string repeated(F&& card) {
  std::string text;
  for (int i = 0; i < kMany; ++i) text += card(std::to_string(i));
  return text;
}

/// The closing line of a kind of finding, after the 20 that are listed in full.
std::string closing(const std::vector<Finding>& findings, const std::string& code) {
  std::vector<std::string> told;
  for (const Finding& f : findings)
    if (f.code == code) told.push_back(f.message);
  EXPECT_EQ(told.size(), 21u) << code;
  return told.empty() ? "" : told.back();
}

class ManyFindings : public testing::Test {
 protected:
  ~ManyFindings() override { EXPECT_LT(watch_.seconds(), kPatience); }
  test::ThreadTime watch_;
};

TEST_F(ManyFindings, DuplicateNames) {
  const std::string cards = repeated([](const std::string& i) { return "r" + i + " a n" + i + " 1\n"; });
  const std::vector<Finding> findings = check_values(read_netlist_text("* t\n" + cards + cards + cards));
  EXPECT_THAT(closing(findings, "duplicate-name"), HasSubstr("and 199980 more"));
}

TEST_F(ManyFindings, BadValues) {
  const auto card = [](const std::string& i) { return "r" + i + " a n" + i + " 1e-310\n"; };
  const std::vector<Finding> findings = check_values(read_netlist_text("* t\n" + repeated(card)));
  EXPECT_THAT(closing(findings, "bad-value"), HasSubstr("and 99980 more"));
}

TEST_F(ManyFindings, LongLoopsOfSources) {
  // A ring of consistent sources, with 100 contradicting ones at its far end.
  std::string text = "* t\nr1 n0 0 1\nvx n0 n" + std::to_string(kMany) + " " + std::to_string(kMany) + "\n";
  text += repeated(
      [](const std::string& i) { return "v" + i + " n" + i + " n" + std::to_string(std::stoi(i) + 1) + " 1\n"; });
  const std::string far = "n" + std::to_string(kMany / 2) + " n" + std::to_string(kMany / 2 + 1) + " ";
  for (int i = 0; i < 100; ++i) text += "vy" + std::to_string(i) + " " + far + std::to_string(2 + i) + "\n";
  const CheckResult result = check_netlist(read_netlist_text(text), {});
  EXPECT_THAT(closing(result.findings, "source-loop"), HasSubstr("and 80 more"));
}

TEST_F(ManyFindings, Nets) {
  const Circuit circuit =
      read_netlist_text("* t\n" + repeated([](const std::string& i) {
                          const std::string node = "net" + i + "_m" + i + "_0_0";
                          return "v" + i + " " + node + " 0 1\nr" + i + " " + node + " net" + i + "_m1_10_0 1\n";
                        }));
  const IrReport result = analyse_ir_drop(circuit, {});
  ASSERT_EQ(result.nets.size(), static_cast<size_t>(kMany));
  EXPECT_EQ(result.nets[5].nodes, 2);
  ASSERT_EQ(result.nets[5].layers.size(), 2u);
  EXPECT_EQ(result.nets[5].layers[0].nodes, 1);
}

}  // namespace
}  // namespace gridiron
