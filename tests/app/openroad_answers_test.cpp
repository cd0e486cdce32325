// SPDX-License-Identifier: Apache-2.0
// The blocks that OpenROAD has printed for layouts, against what we print for the same layouts: to the digit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>

#include "tests/app/tool.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

/// The lines from "########## IR report" to "####…", of all blocks in a text.
std::string blocks_of(std::istream& text) {
  std::string out;
  bool is_inside = false;
  for (std::string line; std::getline(text, line);) {
    const bool begins = line.starts_with("########## IR report");
    is_inside = is_inside || begins;
    if (is_inside) out += line + "\n";
    if (!begins && line.starts_with("####")) is_inside = false;
  }
  return out;
}

/// By the name behind "===".
std::map<std::string, std::string> read_answers(const std::string& path) {
  std::ifstream file(path);
  std::map<std::string, std::string> sections;
  std::string name;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("=== "))
      name = line.substr(4, line.find(':') - 4);
    else
      sections[name] += line + "\n";
  }
  std::map<std::string, std::string> blocks;
  for (const auto& [section, text] : sections) {
    std::istringstream lines(text);
    blocks[section] = blocks_of(lines);
  }
  return blocks;
}

class OpenRoadAnswers : public test::Tool {
 protected:
  void SetUp() override {
    const std::string answers = test::data_file("layout/nangate45/openroad_answers.txt");
    if (answers.empty()) GTEST_SKIP() << "layout/nangate45/openroad_answers.txt not found below " << test::data_dir();
    data_ = std::filesystem::path(answers).parent_path();
    answers_ = read_answers(answers);
  }

  std::string file(const std::string& name) const { return (data_ / name).string(); }
  std::string powers() const { return " --power " + file("gcd_power.csv"); }

  /// Compares the blocks that `ir` of gcd prints with those of a section.
  void expect_answer(const std::string& section, const std::string& options) {
    const std::string& theirs = answers_[section];
    ASSERT_FALSE(theirs.empty()) << section;
    const Outcome outcome =
        gridiron("ir " + file("gcd.def.gz") + " --lef " + file("Nangate45.lef.gz") + " --full" + options);
    ASSERT_EQ(outcome.code, 0) << section << ": " << outcome.err;
    std::istringstream ours(outcome.out);
    EXPECT_EQ(blocks_of(ours), theirs) << section;
  }

  std::filesystem::path data_;
  std::map<std::string, std::string> answers_;
};

TEST_F(OpenRoadAnswers, SourcesFromAFile) {
  expect_answer("gcd_test_vdd", powers() + " --nominal VDD=1.1 --net VDD --sources " + file("Vsrc_gcd_vdd.loc"));
}

/// OpenROAD adds an assigned power to what the instance had.
TEST_F(OpenRoadAnswers, AssignedPowers) {
  std::ifstream all(file("gcd_power.csv"));
  std::string assigned = "instance,power_w\n";
  for (std::string line; std::getline(all, line);)
    for (const std::string name : {"_440_", "_829_"})
      if (line.starts_with(name + ",")) assigned += fmt::format("{},{}\n", name, 1e-5 + std::stod(line.substr(6)));
  write("assigned.csv", assigned);
  expect_answer("gcd_test_assign_power", powers() + " --power $T/assigned.csv --nominal VDD=1.1 --net VDD --sources " +
                                             file("Vsrc_gcd_vdd.loc"));
}

/// Both nets in one run: a ground net refers to the volts of the power net.
TEST_F(OpenRoadAnswers, BumpsWhereNoSourcesAreGiven) { expect_answer("gcd_no_vsrc", powers() + " --nominal VDD=1.5"); }

TEST_F(OpenRoadAnswers, AGroundNetAlone) {
  expect_answer("gcd_vss_no_vsrc", powers() + " --nominal VDD=1.1 --net VSS");
}

TEST_F(OpenRoadAnswers, ResistancesOfSources) {
  expect_answer("gcd_all_vss_source_res", powers() + " --nominal VDD=1.1 --net VSS --source-resistance 100 --sources " +
                                              file("Vsrc_gcd_vss.loc"));
}

}  // namespace
}  // namespace gridiron
