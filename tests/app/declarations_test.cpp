// SPDX-License-Identifier: Apache-2.0
// What is declared of commands, and what is made of it: help, the manual page, completion.
#include <gmock/gmock.h>

#include <fmt/format.h>

#include <set>

#include "app/commands.hpp"
#include "app/session/help.hpp"
#include "app/session/option_name.hpp"
#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;
using Kind = Argument::Kind;

/// Why the declaration is incomplete; empty if it is not.
std::string lacks(const Argument& argument) {
  if (argument.help.empty()) return "help";
  if (argument.is_flag()) return argument.value.empty() ? "" : "no value, as it is a flag";
  if (argument.value.empty()) return "a word for its value";
  const bool is_number = argument.kind == Kind::whole_number || argument.kind == Kind::number;
  if (is_number && argument.unit.empty()) return "unit";
  if (argument.value.find("VOLTS") != std::string::npos && argument.unit != "V") return "unit V";
  return "";
}

TEST(Declarations, NothingLacksHelpExampleOrUnit) {
  EXPECT_EQ(lacks({.field = "f", .value = "N", .help = "h", .kind = Kind::number}), "unit");
  EXPECT_EQ(lacks({.field = "f", .value = "N", .unit = "1"}), "help");
  EXPECT_EQ(lacks({.field = "f", .help = "h"}), "a word for its value");
  for (const ToolCommand& command : commands()) {
    if (command.is_internal) continue;
    EXPECT_NE(command.help, "") << command.name;
    EXPECT_THAT(command.example, HasSubstr("gridiron " + command.name)) << command.name;
    for (const Argument& argument : command.arguments)
      EXPECT_EQ(lacks(argument), "") << command.name << ' ' << argument.field;
  }
}

TEST(Declarations, FieldsAreDistinctAndExclusionsExist) {
  for (const ToolCommand& command : commands()) {
    std::set<std::string> fields;
    for (const Argument& argument : command.arguments) {
      EXPECT_TRUE(fields.insert(argument.field).second) << command.name << ' ' << argument.field;
      EXPECT_TRUE(argument.excludes.empty() || command.find(argument.excludes)) << argument.field;
    }
  }
}

TEST(Declarations, WhatWritesReportsTakesFormatsAndQuiet) {
  int folders = 0;
  for (const ToolCommand& command : commands()) {
    if (!command.find("out")) continue;
    ++folders;
    EXPECT_TRUE(command.find("formats")) << command.name;
    EXPECT_TRUE(command.find("quiet")) << command.name;
  }
  EXPECT_EQ(folders, 9) << "ir, tran, fix, check, pde, compare, diff, papers, regularize";
}

struct Sample {
  double volts = 0.5;
  int count = 3;
  bool flag = false;
  std::string text = "usual";
  std::vector<int64_t> sizes = {7};
};

TEST(Declarations, TypeAndDefaultComeFromTheStruct) {
  Declaration<Sample> sample({.name = "sample"});
  sample.add(&Sample::volts, {.field = "volts"});
  sample.add(&Sample::count, {.field = "count"});
  sample.add(&Sample::flag, {.field = "flag"});
  sample.add(&Sample::text, {.field = "text", .choices = {"usual", "other"}});
  sample.add(&Sample::sizes, {.field = "sizes"});
  EXPECT_EQ(sample.find("volts")->initial, "0.5");
  EXPECT_EQ(sample.find("count")->kind, Kind::whole_number);
  EXPECT_TRUE(sample.find("flag")->is_flag());
  EXPECT_TRUE(sample.find("sizes")->is_repeatable);

  EXPECT_EQ(sample.find("volts")->fault("1e-3"), "");
  EXPECT_EQ(sample.find("volts")->fault("1e-3V"), "'1e-3V': expected a number");
  EXPECT_EQ(sample.find("volts")->fault("nan"), "'nan': expected a number");
  EXPECT_THAT(sample.find("count")->fault("99999999999"), HasSubstr("expected a whole number"));
  EXPECT_EQ(sample.find("text")->fault("odd"), "'odd': expected one of usual, other");

  const std::shared_ptr<void> made = sample.make();
  sample.find("sizes")->take(made.get(), {"1", "2"});
  sample.find("flag")->take(made.get(), {"true"});
  const Sample& values = *static_cast<const Sample*>(made.get());
  EXPECT_THAT(values.sizes, testing::ElementsAre(1, 2)) << "values given replace the default";
  EXPECT_TRUE(values.flag);
  EXPECT_EQ(values.text, "usual");
}

class Help : public test::Tool {};

TEST_F(Help, NamesEveryArgumentOnEveryWay) {
  for (const ToolCommand& command : commands()) {
    if (command.is_internal) continue;
    const Outcome help = gridiron("help " + command.name);
    EXPECT_EQ(help.code, 0) << help.err;
    EXPECT_EQ(help.out, gridiron(command.name + " --help").out);
    for (const Argument& argument : command.arguments)
      EXPECT_THAT(help.out, HasSubstr(usage_of(argument, option_name))) << command.name;
  }
  EXPECT_EQ(gridiron("help").out, gridiron("--help").out);
  const Outcome unknown = gridiron("help ri");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("did you mean 'ir'?"));
}

TEST_F(Help, TheManualPageHasNoTroffWarnings) {
  if (shell("command -v groff").code != 0) GTEST_SKIP() << "no groff here";
  const Outcome page = shell("\"$G\" help --man | groff -man -Tutf8 -ww -K utf8 | sed 's/.\\x08//g'");
  EXPECT_EQ(page.code, 0);
  EXPECT_EQ(page.err, "");
  for (const char* text : {"gridiron", "--limit", "EXIT STATUS"}) EXPECT_THAT(page.out, HasSubstr(text));
}

class Completion : public test::Tool {
 protected:
  /// What bash offers for the last of the words.
  std::string offers(const std::string& words, int last) const {
    const Outcome run =
        shell(fmt::format("\"$G\" completion bash >gridiron.bash && bash -c 'source ./gridiron.bash; "
                          "COMP_WORDS=({}); COMP_CWORD={}; _gridiron; echo ${{COMPREPLY[@]}}'",
                          words, last));
    EXPECT_EQ(run.err, "");
    return run.out;
  }
};

TEST_F(Completion, OfBash) {
  EXPECT_EQ(offers("gridiron ge", 1), "generate\n");
  EXPECT_EQ(offers("gridiron compare-w", 1), "\n") << "internal";
  EXPECT_EQ(offers("gridiron ir --tol", 2), "--tolerance\n");
  EXPECT_EQ(offers("gridiron ir --engine chol", 3), "cholmod\n");
  EXPECT_EQ(offers("gridiron ir --device \"\"", 3), "auto cpu cuda\n");
  EXPECT_EQ(offers("gridiron compare --engine cholmod,super", 3), "cholmod,superlu\n");
  EXPECT_EQ(offers("gridiron ir --set orderi", 3), "ordering=\n");
  EXPECT_EQ(offers("gridiron pde poisson3", 2), "poisson3d\n");
  EXPECT_EQ(offers("gridiron ir --formats text,c", 3), "text,csv\n");
  EXPECT_EQ(offers("gridiron help i", 2), "ir\n");
  EXPECT_THAT(shell("\"$G\" completion bash").out, HasSubstr("tcl:*) words='--help' path=file ;;"));
}

TEST_F(Completion, OfZshIsAScript) {
  if (shell("command -v zsh").code != 0) GTEST_SKIP() << "no zsh here";
  const Outcome run = shell("\"$G\" completion zsh >_gridiron && zsh -n _gridiron");
  EXPECT_EQ(run.code, 0) << run.err;
}

}  // namespace
}  // namespace gridiron
