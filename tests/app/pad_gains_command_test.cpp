// SPDX-License-Identifier: Apache-2.0
// `gridiron ir --pad-gains` from outside.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/app/tool.hpp"
#include "tests/reports/json/schema_validator.hpp"

namespace gridiron {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class PadGainsCommand : public test::Tool {
 protected:
  void SetUp() override {
    write("d.sp",
          "* t\nv1 src 0 1\nrpad src n1_m2_0_0 0.5\nr1 n1_m2_0_0 n1_m2_2000_0 1\nr2 n1_m2_2000_0 n1_m2_4000_0 1\n"
          "r3 n1_m2_4000_0 n1_m1_4000_0 1\ni1 n1_m1_4000_0 0 10m\n.end\n");
  }
};

TEST_F(PadGainsCommand, APadOfTheListDoesWhatItSays) {
  const Outcome run = gridiron("ir d.sp --pad-gains 2 --limit 30mV --out o");
  ASSERT_EQ(run.code, 1) << run.err;
  EXPECT_THAT(run.out,
              HasSubstr("\nWhere one more pad (500.0 mOhm, the median of 1) lowers the 35.00 mV at n1_m1_4000_0 "
                        "(n1) most\n  pad at        layer"));
  EXPECT_THAT(run.out, HasSubstr("  Of 3 free nodes on m2 no other gains 0.1 % of the drop more.\n"));
  const std::string text = slurp(folder_ / "o/report.json");
  EXPECT_EQ(test::violations("gridiron.ir-1", text), "");
  EXPECT_THAT(slurp(folder_ / "o/report.html"), HasSubstr("\"pad_gains\":[{"));
  const json gains = json::parse(text)["where"]["pad_gains"][0];
  EXPECT_EQ(gains["layers"], json::array({"m2"}));
  ASSERT_EQ(gains["places"].size(), 2u);
  for (const json& place : gains["places"]) {
    write("pads.csv", fmt::format("name,ohm,volts\n{},0.5,1\n", place["node"].get<std::string>()));
    ASSERT_EQ(gridiron("ir d.sp --pads pads.csv --out again").code, 0);
    const json net = json::parse(slurp(folder_ / "again/report.json"))["nets"][0];
    EXPECT_NEAR(net["worst_drop_v"], place["worst_drop_v"].get<double>(), 1e-12);
    EXPECT_EQ(net["worst_node"], place["worst_node"]);
  }
}

TEST_F(PadGainsCommand, IsNotThereUnlessAskedFor) {
  const Outcome run = gridiron("ir d.sp --limit 30mV --full");
  EXPECT_THAT(run.out, HasSubstr("\nWhere the 35.00 mV at n1_m1_4000_0 (n1) fall\n"));
  EXPECT_THAT(run.out, Not(HasSubstr("one more pad")));
}

TEST_F(PadGainsCommand, SaysWhenNothingHelps) {
  write("s.sp", "* t\nv1 n1_m1_0_0 0 1\nv2 n1_m1_1_0 0 1\nr1 n1_m1_0_0 n1_m1_1_0 1\ni1 n1_m1_0_0 0 1m\n.end\n");
  EXPECT_THAT(gridiron("ir s.sp --pad-gains 1").out, HasSubstr("  There are 0 free nodes on m1 that lead there.\n"));
  write("e.sp",
        "* t\nv1 n1_m1_2_0 0 1\nr1 n1_m1_0_0 n1_m1_2_0 1\nr2 n1_m1_2_0 n1_m1_4_0 1\ni1 n1_m1_0_0 0 1m\n"
        "i2 n1_m1_4_0 0 1m\n.end\n");
  EXPECT_THAT(gridiron("ir e.sp --pad-gains 1").out,
              HasSubstr("  Of 2 free nodes on m1 none gains 0.1 % of the drop.\n"));
}

TEST_F(PadGainsCommand, RefusesWhatIsNoPad) {
  const auto error = [&](const std::string& options) {
    const Outcome run = gridiron("ir d.sp " + options);
    EXPECT_EQ(run.code, 2) << options;
    return run.err;
  };
  EXPECT_EQ(error("--pad-layer m2"), "gridiron: --pad-layer: there is no --pad-gains that it is for\n");
  EXPECT_EQ(error("--pad-resistance 1"), "gridiron: --pad-resistance: there is no --pad-gains that it is for\n");
  EXPECT_THAT(error("--pad-gains 0"), HasSubstr("--pad-gains: '0': expected a whole number from 1 to 1000"));
  EXPECT_THAT(error("--pad-gains 1 --pad-layer m9"),
              HasSubstr("--pad-layer m9: the netlist has no such layer; it has m1"));
  EXPECT_THAT(error("--pad-gains 1 --pad-resistance -1"), HasSubstr("-1: a resistance is finite and not negative"));
  EXPECT_THAT(error("--pad-gains 1 --pad-resistance 1V"), HasSubstr("--pad-resistance: '1V': expected a number"));
  write("c.sp", "* t\nv1 a 0 1\nr1 a 0 1\ne1 b 0 a 0 3\nr2 b 0 1\n.end\n");
  const Outcome controlled = gridiron("ir c.sp --pad-gains 1");
  EXPECT_EQ(controlled.code, 2);
  EXPECT_THAT(controlled.err, HasSubstr("--pad-gains takes no such circuit"));
}

}  // namespace
}  // namespace gridiron
