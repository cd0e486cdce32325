// SPDX-License-Identifier: Apache-2.0
#include "netlist/tables/waveform_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "support/error.hpp"
#include "tests/npz.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;
using test::npy;
using test::raw;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

using Members = std::map<std::string, std::string>;

class Waveforms : public testing::Test {
 protected:
  Waveforms() : folder_(test::temporary("waveforms")) { fs::create_directories(folder_); }
  ~Waveforms() override { fs::remove_all(folder_); }

  /// Two sources, two templates of three samples, two scenarios that differ in scale.
  static Members good() {
    return {{"time.npy", npy("<f8", "(3,)", raw<double>({0, 1e-9, 2e-9}))},
            {"templates.npy", npy("<f8", "(2, 3)", raw<double>({0, 1, 2, 3, 4, 5}))},
            {"source.npy", npy("|S2", "(2,)", "i1i2")},
            {"template.npy", npy("<i8", "(2,)", raw<int64_t>({1, 0}))},
            {"delay.npy", npy("<f8", "()", raw<double>({5e-10}))},
            {"scale.npy", npy("<f8", "(2, 2)", raw<double>({1, 2, 3, 4}))},
            {"scenario.npy", npy("|S4", "(2,)", "slowfast")}};
  }
  WaveformTable read(const Members& members) const {
    return read_waveforms(test::write_npz(folder_ / "w.npz", members, ZIP_CM_DEFLATE));
  }
  std::string error_of(const Members& members) const {
    try {
      read(members);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }
  std::string error_with(const std::string& name, const std::string& array) const {
    Members members = good();
    members[name + ".npy"] = array;
    std::string message = error_of(members);
    EXPECT_THAT(message, AllOf(HasSubstr("w.npz"), HasSubstr("array \"" + name + "\""))) << message;
    return message;
  }

  fs::path folder_;
};

TEST_F(Waveforms, ArraysAreSpreadOverSourcesAndScenarios) {
  const WaveformTable table = read(good());
  EXPECT_EQ(table.scenarios, 2);
  EXPECT_EQ(table.templates(), 2);
  EXPECT_THAT(table.sources, ElementsAre("i1", "i2"));
  EXPECT_THAT(table.scenario_names, ElementsAre("slow", "fast"));
  EXPECT_FALSE(table.shape.varies);
  EXPECT_EQ(table.shape.at(0, 1, 2), 1);
  EXPECT_EQ(table.delay_s.at(1, 1, 2), 5e-10);
  EXPECT_EQ(table.scale.at(0, 0, 2), 1);
  EXPECT_EQ(table.scale.at(0, 1, 2), 2);
  EXPECT_EQ(table.scale.at(1, 0, 2), 3);
  EXPECT_EQ(table.scale.at(1, 1, 2), 4);
}

TEST_F(Waveforms, FortranOrderIsTransposed) {
  Members members = good();
  members["scale.npy"] = npy("<f8", "(2, 2)", raw<double>({1, 3, 2, 4}), "True");
  members["templates.npy"] = npy("<f4", "(2, 3)", raw<float>({0, 3, 1, 4, 2, 5}), "True");
  const WaveformTable table = read(members);
  EXPECT_EQ(table.scale.at(0, 1, 2), 2);
  EXPECT_THAT(table.template_a, ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST_F(Waveforms, DelayScaleAndScenarioMayBeMissing) {
  Members members = good();
  for (const char* name : {"delay.npy", "scale.npy", "scenario.npy"}) members.erase(name);
  const WaveformTable table = read(members);
  EXPECT_EQ(table.scenarios, 1);
  EXPECT_EQ(table.delay_s.at(1, 0, 2), 0);
  EXPECT_EQ(table.scale.at(1, 0, 2), 1);
}

TEST_F(Waveforms, MissingArraysAreNamed) {
  for (const char* name : {"time", "templates", "source", "template"}) {
    Members members = good();
    members.erase(std::string(name) + ".npy");
    EXPECT_THAT(error_of(members), AllOf(HasSubstr(std::string("array \"") + name + "\" is missing"),
                                         HasSubstr("numpy.savez(FILE, time=")));
  }
}

TEST_F(Waveforms, NonsenseIsRefused) {
  const double nan = std::nan("");
  EXPECT_THAT(error_with("time", npy("<f8", "(3,)", raw<double>({0, 2, 1}))), HasSubstr("does not ascend"));
  EXPECT_THAT(error_with("time", npy("<f8", "(3,)", raw<double>({0, 1, 1}))), HasSubstr("does not ascend"));
  EXPECT_THAT(error_with("time", npy("<f8", "(3,)", raw<double>({0, nan, 1}))), HasSubstr("nan as value 1"));
  EXPECT_THAT(error_with("time", npy("<f8", "(0,)", "")), HasSubstr("shape (0)"));
  EXPECT_THAT(error_with("time", npy("<f8", "()", raw<double>({1}))), HasSubstr("one axis"));
  EXPECT_THAT(error_with("time", npy("|S1", "(3,)", "abc")), HasSubstr("expected numbers"));
  EXPECT_THAT(error_with("templates", npy("<f8", "(3, 2)", raw<double>({0, 1, 2, 3, 4, 5}))), HasSubstr("for 3 times"));
  EXPECT_THAT(error_with("templates", npy("<f8", "(0, 3)", "")), HasSubstr("shape (0, 3)"));
  EXPECT_THAT(error_with("templates", npy("<f8", "(1, 3)", raw<double>({0, HUGE_VAL, 0}))), HasSubstr("inf"));
  EXPECT_THAT(error_with("source", npy("|S2", "(2,)", "i1I1")), HasSubstr("twice"));
  EXPECT_THAT(error_with("source", npy("|S2", "(0,)", "")), HasSubstr("is empty"));
  EXPECT_THAT(error_with("template", npy("<i8", "(2,)", raw<int64_t>({0, 2}))), HasSubstr("0 to 1"));
  EXPECT_THAT(error_with("template", npy("<i8", "(2,)", raw<int64_t>({-1, 0}))), HasSubstr("-1 for source \"i1\""));
  EXPECT_THAT(error_with("template", npy("<f8", "(2,)", raw<double>({0.5, 0}))), HasSubstr("index"));
  EXPECT_THAT(error_with("template", npy("<i4", "(3,)", raw<int32_t>({0, 0, 0}))), HasSubstr("for 2 sources"));
  EXPECT_THAT(error_with("delay", npy("<f8", "(2, 0)", "")), HasSubstr("shape (2, 0)"));
  EXPECT_THAT(error_with("delay", npy("<f8", "(2,)", raw<double>({0, nan}))), HasSubstr("nan"));
  EXPECT_THAT(error_with("delay", npy("<f8", "(2, 1, 1)", raw<double>({0, 0}))), HasSubstr("(2, 1, 1)"));
  EXPECT_THAT(error_with("scenario", npy("|S4", "(1,)", "slow")), HasSubstr("1 names for 2 scenarios"));
  Members members = good();
  members["delay.npy"] = npy("<f8", "(2, 3)", raw<double>({0, 0, 0, 0, 0, 0}));
  EXPECT_THAT(error_of(members), AllOf(HasSubstr("array \"scale\""), HasSubstr("have 3")));
}

TEST_F(Waveforms, HugeShapesAndTruncatedFilesCostNothing) {
  EXPECT_THAT(error_with("delay", npy("<f8", "(2, 1000000000000)", raw<double>({1, 2}))), HasSubstr("ends before"));
  EXPECT_THAT(error_with("templates", npy("<f8", "(9000000000000000000, 3)", "")), HasSubstr("no file can hold"));
  EXPECT_THAT(error_with("time", npy("<f8", "(9223372036854775807,)", "")), HasSubstr("ends before"));
  const std::string whole = [&] {
    std::ifstream in(test::write_npz(folder_ / "w.npz", good(), ZIP_CM_DEFLATE), std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  for (size_t size = 0; size < whole.size(); size += 37) {
    std::ofstream(folder_ / "cut.npz", std::ios::binary) << whole.substr(0, size);
    EXPECT_THROW(read_waveforms((folder_ / "cut.npz").string()), InputError) << size;
  }
  EXPECT_THROW(read_waveforms((folder_ / "missing.npz").string()), InputError);
}

}  // namespace
}  // namespace gridiron
