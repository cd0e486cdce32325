// SPDX-License-Identifier: Apache-2.0
// The Tcl commands, in tclsh with the built module and in `gridiron tcl`.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "app/session/session_commands.hpp"
#include "tests/app/tool.hpp"
#include "tests/data.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kDeck = "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 a 0 0.1\nr2 a b 1\n.end\n";

class Tcl : public test::Tool {
 protected:
  void SetUp() override {
    if (!GRIDIRON_HAS_TCL) GTEST_SKIP() << "this build has no Tcl";
  }
  static std::string script(const std::string& name) { return (test::tests_dir() / "app" / "tcl" / name).string(); }

  /// Runs a script in the tool, and in tclsh where there is one and the package (tests in a bundle have neither).
  Outcome both(const std::string& words) const {
    Outcome tool = gridiron("tcl " + words);
    EXPECT_EQ(tool.code, 0) << tool.err;
    if (!std::filesystem::exists(GRIDIRON_TCL_PACKAGE "/pkgIndex.tcl") || shell("command -v tclsh").code != 0)
      return tool;
    const Outcome tclsh = shell("TCLLIBPATH='" GRIDIRON_TCL_PACKAGE "' tclsh " + words);
    EXPECT_EQ(tclsh.code, 0) << tclsh.err;
    return tool;
  }
};

TEST(SessionCommands, NothingLacksHelpExampleOrUnit) {
  for (const SessionCommand& command : session_commands()) {
    EXPECT_NE(command.help, "") << command.name;
    EXPECT_THAT(command.example, HasSubstr(command.name)) << command.name;
    for (const Argument& argument : command.arguments) {
      EXPECT_NE(argument.help, "") << command.name << ' ' << argument.field;
      const bool is_number = argument.kind == Argument::Kind::whole_number || argument.kind == Argument::Kind::number;
      EXPECT_TRUE(!is_number || !argument.unit.empty()) << command.name << ' ' << argument.field;
      EXPECT_TRUE(argument.is_flag() || !argument.value.empty()) << command.name << ' ' << argument.field;
    }
  }
}

TEST_F(Tcl, TablesOfPadsAndIslands) {
  write("bare.sp", "* t\nr1 a b 2\ni1 b 0 0.1\n.end\n");
  write("pads.csv", "name,ohm,volts\na,1,1\n");
  write("island.sp", "* t\nv1 VDD 0 1\nr1 VDD a 1\ni1 a 0 1m\nr2 x y 1\ni2 y 0 1m\n.end\n");
  write("script.tcl", R"(
package require gridiron
namespace import gridiron::*
proc worst {args} { dict get [lindex [dict get [analyze_power_grid -quiet {*}$args] nets] 0] worst_drop_v }
read_spice bare.sp -pads pads.csv
puts [format %.3f [worst]]
read_spice island.sp
puts [catch {worst} message]
puts [string match "*-ignore_opens*" $message]
puts [format %.4f [worst -ignore_opens]]
set_load i1 2mA
puts [format %.4f [worst -ignore_opens]]
puts [catch worst]
puts [format %.4f [worst -net VDD]]
puts [catch {check_power_grid}]
puts [llength [dict get [check_power_grid -ignore_opens] findings]]
)");
  EXPECT_THAT(both("script.tcl").out, testing::StartsWith("0.300\n1\n1\n0.0010\n0.0020\n1\n0.0020\n"));
}

TEST_F(Tcl, OneProcessDoesNothingTwice) {
  ASSERT_EQ(gridiron("generate --nodes 3000 --nets 1 grid.sp").code, 0);
  const Outcome names = shell("grep -m1 -oi '^i[^ ]*' grid.sp; grep -m1 -oi '^r[^ ]*' grid.sp");
  std::istringstream words(names.out);
  std::string load, resistor;
  words >> load >> resistor;
  const Outcome run = both(script("whole_flow.tcl") + " grid.sp " + load + ' ' + resistor + " reports");
  EXPECT_THAT(run.out, HasSubstr("done"));
}

TEST_F(Tcl, AWrittenDeckIsTheGridAsEdited) {
  ASSERT_EQ(gridiron("generate --nodes 2000 --nets 1 --seed 3 grid.sp").code, 0);
  const Outcome names = shell(
      "grep -m1 -i '^v[^ ]* [^ ]* 0 ' grid.sp | cut -d' ' -f1; grep -m1 -oi '^i[^ ]*' grid.sp; "
      "grep -m1 -i '^r[^ ]* n1_' grid.sp | cut -d' ' -f2");
  std::istringstream words(names.out);
  std::string source, load, node;
  words >> source >> load >> node;
  EXPECT_THAT(both(script("written_deck.tcl") + " grid.sp " + source + ' ' + node + ' ' + load + " VDD").out,
              HasSubstr("done"))
      << names.out;
}

TEST_F(Tcl, HostileNamesAreNames) {
  write("hostile.sp",
        "* t\nv1 vdd 0 1\nr$x vdd [boom] 1\nr2 [boom] a$x 1\nr3 a$x <b> 1\nr5 <b> #h 1\n"
        "i[boom] #h 0 1m\nr6 #h \\[boom] 1\n.end\n");
  const Outcome run = both(script("hostile.tcl") + " hostile.sp");
  EXPECT_THAT(run.out, HasSubstr("done"));
  EXPECT_THAT(run.out, Not(HasSubstr("BOOM")));
}

TEST_F(Tcl, ErrorsAreCaughtAndTheSessionGoesOn) {
  ASSERT_EQ(gridiron("generate --nodes 3000 --nets 1 grid.sp").code, 0);
  write("good.sp", kDeck);
  write("floating.sp", "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 b 0 0.1\nr2 b c 1\n.end\n");
  const std::string unconnected = (test::tests_dir() / ".." / "examples" / "floating.sp").string();
  EXPECT_THAT(both(script("errors.tcl") + " good.sp floating.sp grid.sp '" + unconnected + "'").out, HasSubstr("done"));
}

/// Rows of a CSV file, after its header.
std::vector<std::string> rows_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> rows;
  for (std::string line; std::getline(stream, line);) rows.push_back(line);
  return rows;
}

/// Without the last field, which is a number.
std::string key_of(const std::string& row) { return row.substr(0, row.rfind(',')); }
double number_of(const std::string& row) { return std::stod(row.substr(row.rfind(',') + 1)); }

TEST_F(Tcl, FilesAreOpenRoads) {
  GRIDIRON_DATA_OR_SKIP(deck, "openroad/gcd_vss.sp");
  GRIDIRON_DATA_OR_SKIP(their_voltages, "openroad/gcd_vss.voltage.csv");
  GRIDIRON_DATA_OR_SKIP(their_currents, "openroad/gcd_vss.em.csv");
  const Outcome run = both(script("openroad.tcl") + " '" + deck + "' voltages.csv currents.csv");
  EXPECT_THAT(run.out, HasSubstr("########## IR report #################\nNet              : VSS\nCorner           : "
                                 "default\nTotal power      : "));
  EXPECT_THAT(run.out, HasSubstr("########## EM analysis ###############\nNet                : VSS\n"));

  const std::string text = slurp(deck);
  std::map<std::string, double> ours;
  for (const std::string& row : rows_of(slurp(folder_ / "voltages.csv")))
    if (row.back() != 'e') ours[key_of(row)] = number_of(row);
  size_t without_sink = 0;
  for (const std::string& row : rows_of(slurp(their_voltages))) {
    if (row.back() == 'e') continue;
    if (const auto found = ours.find(key_of(row)); found != ours.end())
      EXPECT_NEAR(found->second, number_of(row), 1.0001e-6) << row;
    else
      without_sink += text.find(" " + row.substr(0, row.find(',')) + "/") == std::string::npos;
  }
  EXPECT_EQ(ours.size() + without_sink, 624u) << "all but the tap cells, which the deck does not mention";

  const std::vector<std::string> currents = rows_of(slurp(folder_ / "currents.csv")),
                                 published = rows_of(slurp(their_currents));
  ASSERT_EQ(currents.size(), published.size());
  EXPECT_EQ(currents.front(), published.front());
  for (size_t k = 1; k < currents.size(); ++k) {
    ASSERT_EQ(key_of(currents[k]), key_of(published[k]));
    const double theirs = number_of(published[k]);
    EXPECT_NEAR(number_of(currents[k]), theirs, theirs > 1e-9 ? 1e-3 * theirs : 1e-9) << currents[k];
  }
}

TEST_F(Tcl, ExitCodesOfScripts) {
  write("good.sp", kDeck);
  write("floating.sp", "* t\nv1 vdd 0 1\nr1 vdd a 2\ni1 b 0 0.1\nr2 b c 1\n.end\n");
  EXPECT_EQ(shell("echo 'read_spice good.sp; analyze_power_grid' | \"$G\" tcl").code, 0);
  EXPECT_EQ(shell("echo 'read_spice missing.sp' | \"$G\" tcl").code, 2);
  EXPECT_EQ(shell("echo 'read_spice floating.sp; analyze_power_grid' | \"$G\" tcl -").code, 3);
  EXPECT_EQ(shell("echo 'read_spice good.sp; exit 7' | \"$G\" tcl").code, 7);
  write("wrong.tcl", "puts $argv\nset a 1\nfrobnicate\n");
  const Outcome run = gridiron("tcl wrong.tcl --engine x -- y");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "--engine x -- y\n");
  EXPECT_THAT(run.err, HasSubstr("gridiron: invalid command name \"frobnicate\"\n"));
  EXPECT_THAT(run.err, HasSubstr("(file \"wrong.tcl\" line 3)"));
  EXPECT_EQ(gridiron("tcl missing.tcl").code, 2);
  write("full.tcl", "puts a\nflush stdout\n");
  EXPECT_EQ(gridiron("tcl full.tcl >/dev/full").code, 5);
  const Outcome full = shell("echo 'puts a' | \"$G\" tcl >/dev/full");
  EXPECT_EQ(full.code, 5);
  EXPECT_THAT(full.err, HasSubstr("no space left on device"));
}

TEST_F(Tcl, HelpOfEveryCommand) {
  for (const SessionCommand& command : session_commands()) {
    const Outcome run = shell("echo 'help " + command.name + "' | \"$G\" tcl");
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("Usage: " + command.name));
    EXPECT_THAT(shell("echo help | \"$G\" tcl").out, HasSubstr(command.help.substr(0, 30)));
  }
}

/// In a terminal: the prompt, completion, results, an error that ends nothing, Ctrl-C during a loop and a solve.
TEST_F(Tcl, ShellInATerminal) {
  ASSERT_EQ(shell("\"$G\" generate --nodes 3000 --nets 1 grid.sp && sed '0,/^i[^ ]*/s//i1/' grid.sp >mesh.sp").code, 0);
  const Outcome run = shell("HOME=$T python3 '" + script("terminal.py") + "' \"$G\"");
  EXPECT_EQ(run.code, 0) << run.out << run.err;
  EXPECT_THAT(slurp(folder_ / ".gridiron_history"), HasSubstr("set\\040a\\04041"));
}

}  // namespace
}  // namespace gridiron
