// SPDX-License-Identifier: Apache-2.0
// The situations of docs/gate.md: exit code and line printed, and the page itself.
#include <gmock/gmock.h>

#include <cctype>
#include <cstdlib>

#include "tests/app/gate_situations.hpp"
#include "tests/app/tool.hpp"

namespace gridiron {
namespace {

using test::Section;
using test::Situation;

constexpr std::string_view kAnything = "…";

/// Whether `line` is `pattern`, in which kAnything stands for any text.
bool fits(std::string_view line, std::string_view pattern) {
  const size_t gap = pattern.find(kAnything);
  if (gap == std::string_view::npos) return line == pattern;
  if (!line.starts_with(pattern.substr(0, gap))) return false;
  pattern.remove_prefix(gap + kAnything.size());
  for (size_t at = gap; at <= line.size(); ++at)
    if (fits(line.substr(at), pattern)) return true;
  return false;
}

std::vector<Situation> all_situations() {
  std::vector<Situation> all;
  for (const Section& section : test::gate_situations())
    all.insert(all.end(), section.situations.begin(), section.situations.end());
  return all;
}

class Gate : public test::Tool, public testing::WithParamInterface<Situation> {};

TEST_P(Gate, ExitCodeAndLine) {
  const Situation& situation = GetParam();
  write("deck.sp", situation.deck);
  for (const auto& [name, text] : situation.files) {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write(name, text);
  }
  const Outcome run = shell("gridiron() { \"$G\" \"$@\"; }; " + situation.run);
  EXPECT_EQ(run.code, situation.code) << run.err;
  std::istringstream lines(run.err + run.out);
  bool printed = situation.line.empty() && run.err.empty() && run.out.empty();
  for (std::string line; std::getline(lines, line);) printed |= fits(line, situation.line);
  EXPECT_TRUE(printed) << "expected: " << (situation.line.empty() ? "nothing" : situation.line)
                       << "\nprinted:  " << run.err << run.out;
  if (run.code != 0) {
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << "one line: " << run.err;
  }
}
INSTANTIATE_TEST_SUITE_P(Situations, Gate, testing::ValuesIn(all_situations()), [](const auto& info) {
  std::string name;
  for (const char c : info.param.what) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return std::to_string(info.index + 1) + "_" + name;
});

/// A cell of a Markdown table; as code if it is what a machine reads or writes.
std::string cell(std::string text, bool is_code) {
  text.erase(0, text.find_first_not_of(' '));
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return is_code ? "`" + out + "`" : out;
}

std::string page() {
  std::string out =
      "# The gate: what is told when\n\n"
      "Exit code and line printed in " +
      std::to_string(all_situations().size()) +
      " situations that a sign-off flow meets. Failures are printed on standard error; "
      "limits that\nare kept and the worst findings are part of what is printed on standard output, and all of them of "
      "`summary.txt` and\n`report.json`. `gridiron check` tells findings without solving. "
      "[exit_codes.md](exit_codes.md) explains the codes.\n\n"
      "Where a situation does not need another one, the deck is 0.1 A through 2 Ω, a drop of 200 mV of 1 V:\n\n```\n" +
      test::kGrid +
      "```\n\nEvery row is a test: [gate_situations.hpp](../tests/app/gate_situations.hpp) has the decks, and this "
      "page "
      "is written from it by\n`GRIDIRON_WRITE_PAGES=1 build/release/tests/test_app --gtest_filter='GatePage.*'`. … "
      "stands for numbers that depend on the machine.\n";
  int number = 0;
  for (const Section& section : test::gate_situations()) {
    out += "\n## " + section.heading + "\n\n|   | situation | run | exit code | line |\n|---|---|---|---|---|\n";
    for (const Situation& s : section.situations)
      out += "| " + std::to_string(++number) + " | " + cell(s.what, false) + " | " + cell(s.run, true) + " | " +
             std::to_string(s.code) + " | " + cell(s.line, true) + " |\n";
  }
  return out;
}

TEST(GatePage, IsWhatTheTestsSay) {
  const std::filesystem::path path = std::filesystem::path(GRIDIRON_TESTS_DIR).parent_path() / "docs" / "gate.md";
  if (std::getenv("GRIDIRON_WRITE_PAGES")) std::ofstream(path, std::ios::binary) << page();
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  EXPECT_EQ(text.str(), page()) << "write it again with GRIDIRON_WRITE_PAGES=1";
}

TEST(GatePage, DotsStandForAnything) {
  EXPECT_TRUE(fits("within 1.5 V of it", "within … V of it"));
  EXPECT_TRUE(fits("a b c", "a … c…"));
  EXPECT_FALSE(fits("within 1.5 V of", "within … V of it"));
  EXPECT_FALSE(fits("a b", "a"));
}

}  // namespace
}  // namespace gridiron
