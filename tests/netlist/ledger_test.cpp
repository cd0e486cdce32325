// SPDX-License-Identifier: Apache-2.0
#include "netlist/ledger.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "support/temporary_folder.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;
using testing::UnorderedElementsAre;

/// "R used 2" of every row of a file.
std::vector<std::string> rows(const Ledger::File& file) {
  constexpr const char* kFate[] = {"used", "harmless", "skipped"};
  std::vector<std::string> out;
  for (const Ledger::Row& row : file.rows)
    out.push_back(row.what + " " + kFate[static_cast<int>(row.fate)] + " " + std::to_string(row.count));
  return out;
}

Circuit read(const std::string& text, bool lenient = false) {
  ReadOptions options;
  options.lenient = lenient;
  return read_netlist_text(text, "deck", options);
}

std::vector<std::string> codes(const Circuit& circuit) {
  std::vector<std::string> out;
  for (const ReadFinding& f : circuit.findings) out.push_back(f.code);
  return out;
}

TEST(Ledger, HasEveryCard) {
  const Circuit circuit = read(
      "title here\n* nominal: vdd 1\n* a comment\nv1 vdd 0 1\nr1 vdd a 2\nr2 a b 2\nc1 a 0 1p\nl1 b c 1n\n"
      "i1 a 0 1m\nx1 a s\n.subckt s p\nr3 p q 1\nr4 q p 1\n.ends s\n.param w=1\n.global g\n.temp 27\n"
      ".option reltol=1m RELTOL=2m tnom=27 frob\n.tran 1n 2n\n.print tran v(a)\n.op\n.meas x\n.model m r (r=1)\n.end\n"
      "* the end\nr9 a b 1\n");
  ASSERT_EQ(circuit.ledger.files.size(), 1u);
  EXPECT_THAT(
      rows(circuit.ledger.files[0]),
      UnorderedElementsAre("title harmless 1", "comment with a meaning used 1", "V used 1", "R used 4", "C used 1",
                           "L used 1", "I used 1", "X used 1", ".subckt used 1", ".ends used 1", ".param used 1",
                           ".global used 1", ".temp used 1", ".option reltol harmless 2", ".option used 1",
                           ".option frob skipped 1", ".tran used 1", ".print used 1", ".op harmless 1",
                           ".meas skipped 1", ".model used 1", ".end used 1", "line after .end skipped 1"));
  EXPECT_EQ(circuit.ledger.count(Fate::skipped), 3);
  EXPECT_THAT(codes(circuit), testing::IsSupersetOf({"after-end", "option-ignored", "not-carried-out"}));
}

TEST(Ledger, CountsCardsThatAreNotUnderstood) {
  EXPECT_THAT(rows(read("* t\nq1 a b c\nr1 a 0 1\n.end\n", true).ledger.files[0]),
              UnorderedElementsAre("card that is not understood skipped 1", "R used 1", ".end used 1"));
}

TEST(Ledger, TellsATitleThatReadsAsACard) {
  EXPECT_THAT(rows(read("r0 x y 1\nr1 a 0 1\n.end\n").ledger.files[0]),
              UnorderedElementsAre("title harmless 1", "R used 1", ".end used 1"));
}

TEST(Ledger, SkippedCardsAreFindings) {
  for (const char* const card : {".option frob=1", ".meas x", ".ac dec 1 1 2", ".option scale=2"}) {
    const Circuit circuit = read(std::string("* t\nr1 a 0 1\n") + card + "\n.end\n");
    EXPECT_EQ(circuit.ledger.count(Fate::skipped), 1) << card;
    EXPECT_TRUE(std::any_of(circuit.findings.begin(), circuit.findings.end(), [](const auto& f) {
      return f.is_warning;
    })) << card;
  }
}

TEST(Ledger, CommentsThatNearlyHaveAMeaningAreFindings) {
  for (const char* const comment : {"* layer: M5 VDD net: 1", "* nominal: VDD 1.1A", "* dbu: many", "* nominal:"})
    EXPECT_THAT(codes(read(std::string("* t\n") + comment + "\nr1 a 0 1\n.end\n")),
                testing::ElementsAre("comment-not-understood"))
        << comment;
  EXPECT_THAT(codes(read("* t\n* layered cake\n* nominally\nr1 a 0 1\n.end\n")), testing::IsEmpty());
}

TEST(Ledger, ParametersThatNobodyUsesAreFindings) {
  const std::string subckt = "* t\n.subckt s a b r=2\nr1 a b {r}\n.ends\n";
  EXPECT_THAT(codes(read(subckt + "x1 a 0 s rr=3\n.end\n")), testing::ElementsAre("parameter-unused"));
  EXPECT_THAT(codes(read(subckt + "x1 a 0 s r=3\n.end\n")), testing::IsEmpty());
  EXPECT_THAT(codes(read("* t\n.subckt s a b\nr1 a b {r}\n.ends\nx1 a 0 s r=3\n.end\n")), testing::IsEmpty());
}

TEST(Ledger, ParametersThatAreReplacedAreFindings) {
  EXPECT_THAT(codes(read("* t\n.param p=1\n.param P=2\nr1 a 0 {p}\n.end\n")),
              testing::ElementsAre("parameter-replaced"));
  EXPECT_THAT(codes(read("* t\n.param p=1\n.param p=1\nr1 a 0 {p}\n.end\n")), testing::IsEmpty());
}

class FilesOfLedger : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  TemporaryFolder folder_;
};

TEST_F(FilesOfLedger, EndEndsItsFileOnly) {
  const std::string a = write("a.sp", "* t\nr1 a 0 1\n.include c.sp\nr2 a 0 1\n.end\n");
  const std::string b = write("b.sp", "r3 a 0 1\n.end\n");
  write("c.sp", "r4 a 0 1\n.end\nr5 a 0 1\n");
  const Circuit circuit = read_netlist_files({a, b}, {});
  EXPECT_EQ(circuit.resistors.size(), 4);
  ASSERT_EQ(circuit.ledger.files.size(), 3u);
  EXPECT_THAT(rows(circuit.ledger.files[0]), UnorderedElementsAre("R used 2", ".include used 1", ".end used 1"));
  EXPECT_THAT(rows(circuit.ledger.files[1]),
              UnorderedElementsAre("R used 1", ".end used 1", "line after .end skipped 1"));
  EXPECT_THAT(rows(circuit.ledger.files[2]), UnorderedElementsAre("R used 1", ".end used 1"));
  EXPECT_THAT(codes(circuit), testing::ElementsAre("after-end"));
}

TEST_F(FilesOfLedger, WhichFileHasNoEnd) {
  const std::string a = write("a.sp", "* t\nr1 a 0 1\n"), b = write("b.sp", "* t\nr3 a 0 1\n.end\n"),
                    c = write("c.sp", "* t\nr4 a 0 1\n.end\n");
  const auto is_warned = [&](const std::vector<std::string>& files, const std::string& place) {
    const Circuit circuit = read_netlist_files(files, {});
    EXPECT_THAT(codes(circuit), testing::ElementsAre("no-end"));
    EXPECT_EQ(circuit.findings.at(0).place, place);
    return circuit.findings.at(0).is_warning;
  };
  EXPECT_FALSE(is_warned({a, b}, a + ":2:1")) << "a deck in two parts, or a file that was cut";
  EXPECT_TRUE(is_warned({b, a}, a + ":2:1"));
  EXPECT_TRUE(is_warned({b, a, c}, a + ":2:1"));
  EXPECT_TRUE(is_warned({a, b, c}, a + ":2:1"));
}

TEST_F(FilesOfLedger, SectionsOfALibrary) {
  const std::string a = write("a.sp", "* t\n.lib 'l.lib' slow\nr1 a 0 1\n.end\n");
  write("l.lib", ".lib fast\nr2 a 0 1\n.endl\n.lib slow\nr3 a 0 2\n.param p=1\n.endl slow\n");
  const Circuit circuit = read_netlist(a, {});
  EXPECT_EQ(circuit.resistors.size(), 2);
  EXPECT_THAT(rows(circuit.ledger.files[1]),
              UnorderedElementsAre(".lib used 2", ".endl used 2", "R used 1", ".param used 1",
                                   "card of another section of the library harmless 1"));
}

TEST_F(FilesOfLedger, ALibraryWithoutASectionIsRefused) {
  const std::string a = write("a.sp", "* t\n.lib l.lib\nr1 a 0 1\n.end\n");
  try {
    read_netlist(a, {});
    FAIL() << "nothing of l.lib was read";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("a.sp:2:1: .lib l.lib begins a section that no .endl ends"));
  }
}

}  // namespace
}  // namespace gridiron
