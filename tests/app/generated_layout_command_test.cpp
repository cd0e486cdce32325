// SPDX-License-Identifier: Apache-2.0
// `generate --style layout`, and what the other commands make of its files.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class GeneratedLayoutCommand : public test::Tool {
 protected:
  static constexpr const char* kFiles = " chip.def --lef chip.lef --power chip.power.csv ";
};

TEST_F(GeneratedLayoutCommand, IsSolvedWithADropOfAFewPercent) {
  for (const char* nodes : {"1", "7", "1000", "20000"}) {
    SCOPED_TRACE(nodes);
    ASSERT_EQ(gridiron(std::string("generate --style layout --nodes ") + nodes + " chip.def").code, 0);
    const Outcome checked = gridiron(std::string("check") + kFiles);
    EXPECT_EQ(checked.code, 0) << checked.err;
    EXPECT_THAT(checked.out, testing::Not(HasSubstr("open-")));
    const Outcome run = gridiron(std::string("ir") + kFiles + "--quiet --formats json --out r");
    ASSERT_EQ(run.code, 0) << run.err;
    const json report = json::parse(slurp(folder_ / "r/report.json"));
    ASSERT_EQ(report["nets"].size(), 2u);
    if (std::string(nodes).size() < 4) continue;
    for (const json& net : report["nets"]) {
      const double drop = net["worst_drop_v"].get<double>() / 1.1;
      EXPECT_GT(drop, 0.01) << net["name"];
      EXPECT_LT(drop, 0.1) << net["name"];
    }
  }
}

TEST_F(GeneratedLayoutCommand, ExtractedDecksHaveTheVoltagesOfTheLayout) {
  ASSERT_EQ(gridiron("generate --style layout --nodes 2000 chip.def.gz").code, 0);
  const std::string files = " chip.def.gz --lef chip.lef.gz --power chip.power.csv.gz --net VSS --quiet ";
  ASSERT_EQ(gridiron("extract" + files + "--digits 17 chip.sp").code, 0);
  ASSERT_EQ(gridiron("ir" + files + "--formats solution --out layout").code, 0);
  ASSERT_EQ(gridiron("ir chip.sp --quiet --formats solution --out deck").code, 0);
  const std::string solution = slurp(folder_ / "layout/chip.solution");
  EXPECT_GT(solution.size(), 50'000u);
  EXPECT_EQ(solution, slurp(folder_ / "deck/chip.solution"));
}

TEST_F(GeneratedLayoutCommand, WrongUsageIsOneLine) {
  for (const auto& [arguments, text] : std::initializer_list<std::pair<const char*, const char*>>{
           {"--style layout", "style layout writes several files"},
           {"--style layout chip", "a name that ends in .def"},
           {"--style layout --nodes 0 chip.def", "--nodes: '0': expected a whole number from 1"},
           {"--style layout --layers 9 chip.def", "style layout has 2 to 6 layers"},
           {"--style layout --routed 2 chip.def", "give a fraction from 0 to 1"},
           {"--style layout --nets 2 chip.def", "--nets style layout has none"},
           {"--style layout --tran chip.def", "--tran style layout has none"},
           {"--style layout --via-defects 0.1 chip.def", "--via-defects style layout has none"},
           {"--style layout --part 1/2 chip.def", "--part style layout has none"},
           {"--style ibm --routed 0.5 chip.sp", "--routed style ibm has no signal nets"},
           {"--style brick chip.sp", "choose one of ibm, openroad, layout"}}) {
    const Outcome refused = gridiron(std::string("generate ") + arguments);
    EXPECT_EQ(refused.code, 2) << arguments;
    EXPECT_THAT(refused.err, HasSubstr(text)) << arguments;
    EXPECT_EQ(std::ranges::count(refused.err, '\n'), 1) << refused.err;
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace gridiron
