// SPDX-License-Identifier: Apache-2.0
// Small decks that cannot be analysed: the exit code, one line that says what and where, no file, no crash.
#include <gmock/gmock.h>

#include "engines/engine.hpp"
#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

struct Broken {
  const char* name;
  int code;
  std::string message;  ///< must appear on stderr
  std::string deck;
  const char* arguments = "";
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

const std::string kGood = "* t\nv1 a 0 1\nr1 a b 1\ni1 b 0 1m\n";

std::string nested_definitions(int depth) {
  std::string text;
  for (int i = 0; i < depth; ++i) text += ".subckt s" + std::to_string(i) + " a\n";
  return text;
}

std::vector<Broken> broken_decks() {
  const std::string nul("\0\1\2\3 r1 a b 1\n", 14);
  return {
      // not a netlist
      {"empty", 2, "no elements", ""},
      {"only_comments", 2, "no elements", "* nothing\n* here\n"},
      {"only_end", 2, "no elements", ".end\n"},
      {"blank_lines", 2, "no elements", "\n\n   \n\t\n"},
      {"nul_bytes", 2, "deck.sp:1:1: this is not text", nul},
      {"elf_header", 2, "deck.sp: this is a program; name a SPICE netlist",
       std::string("\x7f"
                   "ELF\2\1\1\0\0\0",
                   10)},
      {"title_then_binary", 2, "deck.sp:2:1: this is not text", "title\n" + nul},
      {"prose", 2, "unknown card", "Dear sir\nplease find the netlist attached\n"},
      {"json", 2, "deck.sp: this is a JSON file; name a SPICE netlist", "{\n \"a\": 1\n}\n"},
      // wrong arity
      {"resistor_alone", 2, "deck.sp:2:3: expected a node name", "* t\nr1\n"},
      {"resistor_one_node", 2, "deck.sp:2:5: expected a node name", "* t\nr1 a\n"},
      {"resistor_no_value", 2, "deck.sp:2:7: expected a number", "* t\nr1 a b\n"},
      {"resistor_two_values", 2, "deck.sp:2:10: expected the end of the card", "* t\nr1 a b 1 2\n"},
      {"resistor_model", 2, "expected a number", "* t\nr1 a b rmod\n"},
      {"resistor_unknown_parameter", 2, "deck.sp:2:10: expected the end of the card", "* t\nr1 a b 1 foo=2\n"},
      {"resistance_negative_by_temperature", 2, "deck.sp:2:1: the value becomes -8800",
       "* t\nr1 a b 1k tc1=-0.1\nv1 a 0 1\n.temp 125\n"},
      {"two_temperatures", 2, "deck.sp:3:1: .temp asks for runs at 2", "* t\nr1 a b 1\n.temp 25 125\n"},
      {"source_two_values", 2, "deck.sp:2:10: expected the end of the card", "* t\nv1 a 0 1 2\n"},
      {"source_two_dc_values", 2, "deck.sp:2:10: a second DC value", "* t\nv1 a 0 1 DC 2\n"},
      {"source_words", 2, "deck.sp:2:8: unknown parameter 'abc'", "* t\nv1 a 0 abc\n"},
      {"truncated_last_line", 2, "r1 a b 1.5k'; the file ends here, it may be cut", "* t\nv1 a 0 1\nr1 a"},
      {"truncated_in_continuation", 2, "expected a number", "* t\nr1 a b\n+"},
      {"plus_first", 2, "continues nothing", "+ r1 a b 1\n"},
      // bad numbers
      {"nan", 2, "deck.sp:2:8: expected a number", "* t\nr1 a b nan\n"},
      {"infinity", 2, "expected a number", "* t\nr1 a b inf\n"},
      {"overflow", 2, "beyond what a double holds", "* t\nr1 a b 1e999\n"},
      {"overflow_by_suffix", 2, "'k' makes it larger than a number can be", "* t\nr1 a b 1e308k\n"},
      {"two_points", 2, "expected a number", "* t\nr1 a b 1.2.3\n"},
      {"number_with_junk", 2, "deck.sp:2:8:", "* t\nr1 a b 1k-5\n"},
      {"hexadecimal", 2, "deck.sp:2:9:", "* t\nr1 a b 0x10\n"},
      {"lone_sign", 2, "expected a number", "* t\nr1 a b -\n"},
      {"resistances_that_cancel", 3, "nothing determines the voltage of node b",
       "* t\nv1 a 0 1\nr1 a b -5\nr2 b 0 5\n"},
      {"denormal_resistance", 2, "'r1' has the value 1e-310", "* t\nv1 a 0 1\nr1 a b 1e-310\n"},
      // unknown cards
      {"transistor", 2, "deck.sp:2:1: unknown card 'm1'", "* t\nm1 d g s b nmos\n"},
      {"diode", 2, "unknown card 'd1'", "* t\nd1 a b dmod\n"},
      {"behavioural_source", 2, "deck.sp:2:14: value= of voltages", "* t\ng1 a b value={v(c)}\n"},
      {"unknown_directive", 2, "unknown card '.frobnicate'", "* t\n.frobnicate a b\n"},
      {"joined_nodes", 2, "deck.sp:2:1: .connect joins two nodes, got 1", "* t\n.connect a\n"},
      {"control_block_without_end", 2, "deck.sp:3:1: .control has no .endc", "* t\nr1 a 0 1\n.control\nrun\n.end\n"},
      {"condition", 2, "deck.sp:3:5: unknown parameter 'x'", "* t\nr1 a 0 1\n.if (x)\nr2 a 0 1\n.endif\n"},
      {"several_runs", 2, "deck.sp:3:1: .alter is not supported", "* t\nr1 a 0 1\n.alter\nr1 a 0 2\n.end\n"},
      {"slash", 2, "unknown card '//'", "* t\n// comment\n"},
      // waveforms
      {"pulse_of_one", 2, "PULSE takes 2 to 8 numbers", "* t\ni1 a 0 pulse(1)\n"},
      {"pwl_odd", 2, "PWL takes pairs", "* t\ni1 a 0 pwl(0 1 2)\n"},
      {"pwl_backwards", 2, "must not decrease", "* t\ni1 a 0 pwl(0 1 2n 1 1n 0)\n"},
      {"unknown_waveform", 2, "deck.sp:2:8:", "* t\ni1 a 0 noise(1 2)\n"},
      {"tran_without_times", 2, "deck.sp:2:", "* t\n.tran\nr1 a 0 1\n"},
      {"tran_negative", 2, "with positive times", "* t\n.tran -1n 1u\nr1 a 0 1\n"},
      // parameters
      {"unknown_parameter", 2, "unknown parameter 'w'", "* t\nr1 a 0 {w}\n"},
      {"parameter_cycle", 2, "depends on itself", "* t\n.param a={b} b={a}\nr1 x 0 {a}\n"},
      {"division_by_zero", 2, "not a finite number", "* t\nr1 x 0 {1/0}\n"},
      {"bytes_beyond_ascii", 2, "deck.sp:2:10: '\xc3\xa9' is no unit of a resistance", "* t\nr1 x 0 {1\xc3\xa9}\n"},
      {"open_brace", 2, "expected a number or {expression}", "* t\nr1 x 0 {1+2\n"},
      {"empty_braces", 2, "expected a number or {expression}", "* t\nr1 x 0 {}\n"},
      {"unknown_function", 2, "unknown function", "* t\nr1 x 0 {foo(1)}\n"},
      {"deep_parentheses", 2, "nested parentheses",
       "* t\nr1 x 0 {" + std::string(3000, '(') + "1" + std::string(3000, ')') + "}\n"},
      {"param_without_value", 2, "deck.sp:2:", "* t\n.param a\nr1 x 0 1\n"},
      // structure
      {"subckt_without_ends", 2, "has no .ends", "* t\n.subckt s a\nr1 a 0 1\n"},
      {"ends_without_subckt", 2, ".ends without .subckt", "* t\nr1 a 0 1\n.ends\n"},
      {"subckt_twice", 2, "defined twice", "* t\n.subckt s a\nr1 a 0 1\n.ends\n.subckt S a\nr1 a 0 1\n.ends\nx1 p s\n"},
      {"unknown_subckt", 2, "deck.sp:2:1: unknown subcircuit 's'", "* t\nx1 a b s\n"},
      {"wrong_ports", 2, "has 2 ports, got 1 node", "* t\n.subckt s a b\nr1 a b 1\n.ends\nx1 p s\n"},
      {"deep_subckt_definitions", 2, "more than 100 .subckt deep", "* t\nr1 a 0 1\n" + nested_definitions(20000)},
      {"port_twice", 2, "has two ports 'A'", "* t\n.subckt s a A\nr1 a 0 1\n.ends\nx1 p q s\n"},
      {"recursive_subckt", 2, "contain itself", "* t\n.subckt s a\nx1 a s\n.ends\nx1 p s\n"},
      {"instance_without_subckt", 2, "deck.sp:2:3:", "* t\nx1\n"},
      {"include_missing", 2, "deck.sp:2:1: cannot include", "* t\n.include nowhere.sp\n"},
      {"include_itself", 2, "includes itself", "* t\n.include deck.sp\n"},
      {"include_folder", 2, "is a directory", "* t\n.include .\n"},
      {"include_device", 2, "/dev/zero", "* t\n.include /dev/zero\n"},
      {"include_without_name", 2, "expected a file name", "* t\n.include\n"},
      {"include_open_quote", 2, "closing quote", "* t\n.include 'x.sp\n"},
      {"lib_missing_section", 2, "cannot include", "* t\n.lib nowhere.lib fast\n"},
      // long lines
      {"megabyte_name", 3, "no path leads to a voltage source",
       "* t\nv1 a 0 1\nr1 a b 1\ni1 " + std::string(1 << 20, 'n') + " 0 1\n"},
      {"megabyte_junk", 2, "deck.sp:2:1: unknown card", "* t\n" + std::string(1 << 20, '?') + "\n"},
      {"megabyte_digits", 2, "deck.sp:2:8:", "* t\nr1 a b " + std::string(1 << 20, '9') + "\n"},
      // grids that cannot be analysed
      {"no_source", 3, "no voltage source", "* t\nr1 a 0 1\ni1 a 0 1\n"},
      {"floating_load", 3,
       "deck.sp:5:1: 1 node with a load of 1 A floats, e.g. c drawing 1 A: no path leads to a voltage source",
       kGood + "i2 c 0 1\n"},
      {"floating_island", 3, "2 nodes with a load of 0.001 A float", kGood + "r2 p q 1\ni2 q 0 1m\n"},
      {"floating_behind_capacitor", 3, "floats, e.g. q", kGood + "c2 b q 1\ni2 q 0 1m\n"},
      {"source_loop", 3, "deck.sp:2:1: ideal sources contradict each other: around v2, v1",
       "* t\nv1 a 0 1\nv2 a 0 1.1\nr1 a b 1\n"},
      {"source_loop_through_short", 3, "contradict each other", "* t\nv1 a 0 1\nr0 a b 0\nv2 b 0 1.1\nr1 a c 1\n"},
      {"source_onto_itself", 3, "contradict each other", kGood + "v2 b b 1\n"},
      {"supplies_shorted", 3, "contradict each other", "* t\nv1 vdd 0 1\nv2 vss 0 0\nl1 vdd vss 1n\nr1 vdd a 1\n"},
      // wrong usage
      {"unknown_engine", 2, "cholmod", kGood, "--engine fancy"},
      {"unknown_setting", 2, "colour", kGood, "--engine cholmod --set colour=red"},
      {"setting_twice", 2, "ordering is given twice", kGood, "--set ordering=amd --set ordering=metis"},
      {"no_tolerance", 2, "expected a number from 1e-16 to 1", kGood, "--rtol 0"},
      {"setting_without_value", 2, "--set ordering: expected NAME=VALUE", kGood, "--set ordering"},
      {"bad_setting", 2, "ordering", kGood, "--engine cholmod --set ordering=alphabetical"},
      {"bad_tolerance", 2, "--tolerance: 'soon' is not a voltage", kGood, "--tolerance soon"},
      {"zero_tolerance", 2, "expected a positive voltage", kGood, "--tolerance 0"},
      {"bad_limit", 2, "--limit median=5%: unknown quantity", kGood, "--limit median=5%"},
      {"bad_nominal", 2, "--nominal VDD: expected NAME=VALUE", kGood, "--nominal VDD"},
      {"bad_format", 2, "unknown format 'pdf'", kGood, "--formats pdf"},
      {"unknown_net", 2, "no such net", kGood, "--net VDDX"},
      {"bad_threads", 2, "--threads", kGood, "--threads 0"},
      {"bad_rtol", 2, "--rtol", kGood, "--rtol 2"},
      {"unknown_option", 2, "--frobnicate", kGood, "--frobnicate"},
      {"no_cuda", 2, "--device cuda", kGood, "--device cuda"},
      {"out_is_a_file", 2, "deck.sp", kGood, "--out deck.sp"},
      {"out_not_writable", 5, "/proc", kGood, "--out /proc/gridiron"},
      {"tolerance_out_of_reach", 4, "certified error bound", kGood, "--tolerance 1e-30"},
  };
}

class BrokenDecks : public test::Tool, public testing::WithParamInterface<Broken> {};

TEST_P(BrokenDecks, AreRefusedClearly) {
  const Broken& broken = GetParam();
  if (broken.name == std::string("no_cuda") && cuda_state() == Cuda::ready) GTEST_SKIP() << "there is a GPU";
  write("deck.sp", broken.deck);
  const bool names_out = std::string(broken.arguments).find("--out") != std::string::npos;
  const Outcome run = gridiron(std::string("ir deck.sp ") + (names_out ? "" : "--out reports ") + broken.arguments);
  EXPECT_EQ(run.code, broken.code) << run.err;
  EXPECT_THAT(run.err, testing::HasSubstr(broken.message));
  EXPECT_THAT(run.err, testing::StartsWith("gridiron: "));
  EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << "one line: " << run.err.substr(0, 500);
  EXPECT_LT(run.err.size(), 1000u);
  EXPECT_THAT(run.err, testing::Not(testing::HasSubstr("internal error")));
  if (broken.code != 4) {
    EXPECT_FALSE(std::filesystem::exists(folder_ / "reports"));
  }
}
INSTANTIATE_TEST_SUITE_P(Decks, BrokenDecks, testing::ValuesIn(broken_decks()),
                         [](const auto& info) { return info.param.name; });

/// Compressed files that are damaged, truncated, or bombs.
class PackedDecks : public test::Tool {};

TEST_F(PackedDecks, EveryPackingIsRead) {
  write("deck.sp", kGood);
  for (const char* pack : {"gzip", "bzip2", "xz", "zstd -q"}) {
    const Outcome run = shell(std::string(pack) + " -c deck.sp >packed.sp && \"$G\" ir packed.sp");
    EXPECT_EQ(run.code, 0) << pack << ": " << run.err;
  }
  EXPECT_EQ(shell("gzip -c deck.sp | \"$G\" ir -").code, 0);
}

TEST_F(PackedDecks, TruncatedFilesAreRefused) {
  std::string deck = "* t\nv1 n0 0 1\n";
  for (int i = 0; i < 20000; ++i)
    deck += "r" + std::to_string(i) + " n" + std::to_string(i) + " n" + std::to_string(i + 1) + " " +
            std::to_string(i * 7919 % 997 + 1) + "\n";
  write("deck.sp", deck);
  for (const char* pack : {"gzip", "bzip2", "xz", "zstd -q"}) {
    const Outcome run =
        shell(std::string(pack) +
              " -c deck.sp >whole && head -c $(($(wc -c <whole) * 2 / 3)) whole >cut.sp && \"$G\" ir cut.sp");
    EXPECT_EQ(run.code, 2) << pack;
    EXPECT_THAT(run.err, testing::HasSubstr("damaged or truncated")) << pack;
  }
}

TEST_F(PackedDecks, DamagedFilesAreRefused) {
  for (const std::string& magic : {std::string("\x1f\x8b\x08", 3), std::string("BZh9"),
                                   std::string("\xfd"
                                               "7zXZ\0",
                                               6),
                                   std::string("\x28\xb5\x2f\xfd")}) {
    write("deck.sp", magic + "nonsense nonsense nonsense nonsense");
    const Outcome run = gridiron("ir deck.sp");
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_THAT(run.err, testing::HasSubstr("damaged or truncated"));
  }
}

TEST_F(PackedDecks, BombsAreRefused) {
  const Outcome run = shell("head -c 600000000 /dev/zero | bzip2 -9 -c >bomb.sp && \"$G\" ir bomb.sp");
  EXPECT_EQ(run.code, 2) << run.err;
  EXPECT_THAT(run.err, testing::HasSubstr("unpacks to more than"));
}

}  // namespace
}  // namespace gridiron
