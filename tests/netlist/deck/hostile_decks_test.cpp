// SPDX-License-Identifier: Apache-2.0
// Malicious decks: odd bytes, deep nesting, small texts that expand to huge circuits, hundreds of thousands of cards.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <filesystem>
#include <fstream>

#include "netlist/reader.hpp"
#include "support/error.hpp"
#include "tests/paths.hpp"
#include "tests/thread_time.hpp"

namespace gridiron {
namespace {

using testing::HasSubstr;

constexpr int kMany = 100'000;
constexpr double kPatience = 20;  // s; work that grows with the square of kMany takes minutes

std::string error_of(const std::string& text) {
  try {
    read_netlist_text(text, "deck.sp");
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

template <class F>
std::string repeated(int count, F&& card) {
  std::string text;
  for (int i = 0; i < count; ++i) text += card(std::to_string(i));
  return text;
}

TEST(HostileDecks, BytesBeyondAsciiAreOnlyBytes) {
  EXPECT_EQ(
      read_netlist_text("* d\xc3\xa9j\xc3\xa0 vu\n* dbu: \xc3\xa9\n* layer: \xff\nr\xc3\xa9 a\xff b 1\n").node_count(),
      3);
  EXPECT_THAT(error_of("* t\nr1 a 0 {1+\xc3\xa9}\n"), HasSubstr("deck.sp:2:9:"));
  EXPECT_THAT(error_of("* t\ni1 a 0 \xff\n"), HasSubstr("deck.sp:2:8: expected the end of the card"));
  EXPECT_THAT(error_of("* t\nr1 a 0 1 \xff\n"), HasSubstr("deck.sp:2:10: expected the end of the card"));
}

TEST(HostileDecks, DeepNestingIsRefused) {
  const std::string open = repeated(kMany, [](const std::string& i) { return ".subckt s" + i + " a\n"; });
  EXPECT_THAT(error_of("* t\nr1 a 0 1\n" + open), HasSubstr("more than 100 .subckt deep"));
}

TEST(HostileDecks, ChainsOfParametersMayBeLong) {
  const std::string chain = repeated(
      kMany, [](const std::string& i) { return ".param p" + i + "={p" + std::to_string(std::stoi(i) + 1) + "+1}\n"; });
  const std::string last = ".param p" + std::to_string(kMany) + "=1\nr1 a 0 {p0}\n";
  EXPECT_EQ(read_netlist_text("* t\n" + chain + last).resistors.value[0], kMany + 1.0);
  EXPECT_THAT(error_of("* t\n" + chain + ".param p" + std::to_string(kMany) + "={p0}\nr1 a 0 {p0}\n"),
              HasSubstr("depends on itself"));
}

TEST(HostileDecks, ParametersNeededTwiceAreNoCycle) {
  const Circuit c = read_netlist_text("* t\n.param a={b+c+b} b={c+d} c={d*2} d=1\nr1 a 0 {a+b}\n");
  EXPECT_EQ(c.resistors.value[0], 11.0);
}

/// Instances that multiply at every level.
std::string unfolding(const std::string& ports, const std::string& leaf) {
  std::string text = "* t\nr0 n0 0 1\n";
  for (int i = 0; i < 60; ++i) {
    const std::string inner = "a s" + std::to_string(i + 1) + "\n";
    text += ".subckt s" + std::to_string(i) + " a\nx1 " + inner + "x2 " + inner + ".ends\n";
  }
  return text + ".subckt s60 a " + ports + "\n" + leaf + ".ends\nx1 n0 s0\n";
}

TEST(HostileDecks, ExplosionsOfInstancesAreRefused) {
  test::ThreadTime watch;
  const std::string parameters = repeated(300, [](const std::string& i) { return " p" + i + "=1"; });
  for (const std::string& deck : {unfolding("", ""), unfolding("", "r1 a b 1\n"), unfolding(parameters, "r1 a b 1\n"),
                                  unfolding("", "r1 a b {" + std::string(4000, '-') + "1}\n")})
    EXPECT_THAT(error_of(deck), HasSubstr("subcircuits unfold to more than"));
  EXPECT_LT(watch.seconds(), 4 * kPatience);
}

TEST(HostileDecks, LargeArraysOfInstancesAreFine) {
  const Circuit c = read_netlist_text("* t\n.subckt s a b w=1\nr1 a m {w}\nr2 m b {2*w}\n.ends\n" +
                                      repeated(kMany, [](const std::string& i) { return "x" + i + " p q s w=3\n"; }));
  EXPECT_EQ(c.resistors.size(), 2 * kMany);
  EXPECT_EQ(c.resistors.value.back(), 6.0);
}

TEST(HostileDecks, CardsByTheHundredThousandTakeSeconds) {
  test::ThreadTime watch;
  const Circuit definitions =
      read_netlist_text("* t\n" + repeated(kMany, [](const std::string& i) {
                          return ".subckt s" + i + " a\nr1 a 0 1\n.ends\nr" + i + " n" + i + " 0 1\n";
                        }));
  EXPECT_EQ(definitions.resistors.size(), kMany);
  EXPECT_EQ(definitions.node_count(), kMany + 1);

  const Circuit parameters =
      read_netlist_text("* t\n" + repeated(kMany, [](const std::string& i) {
                          return ".param p" + i + "=" + i + "\nr" + i + " n" + i + " 0 {p" + i + "}\n";
                        }));
  EXPECT_EQ(parameters.resistors.value.back(), kMany - 1.0);

  const Circuit globals = read_netlist_text(
      "* t\n.global " + repeated(kMany, [](const std::string& i) { return "g" + i + "\n+ "; }) + "\n.subckt s a\n" +
      repeated(1000, [](const std::string& i) { return "r" + i + " a m" + i + " 1\n"; }) + ".ends\n" +
      repeated(100, [](const std::string& i) { return "x" + i + " n s\n"; }));
  EXPECT_EQ(globals.resistors.size(), 100'000);

  const Circuit continued = read_netlist_text(
      "* t\ni1 a 0 pwl(\n" + repeated(10 * kMany, [](const std::string& i) { return "+ " + i + "n 1m\n"; }) + "+ )\n");
  EXPECT_EQ(std::get<Pwl>(continued.waveforms[0]).points.size(), 10u * kMany);
  EXPECT_LT(watch.seconds(), kPatience);
}

/// Where looking through all for each would take minutes.
TEST(HostileDecks, MuchOnOneCardTakesSeconds) {
  test::ThreadTime watch;
  const Circuit options = read_netlist_text(
      "* t\nr1 a 0 1\n.option" + repeated(kMany, [](const std::string& i) { return "\n+ o" + i + "=1"; }) + "\n.end\n");
  EXPECT_EQ(options.findings.size(), static_cast<size_t>(kMany));
  EXPECT_EQ(options.ledger.count(Fate::skipped), kMany);
  const auto all = [](const char* between) {
    return repeated(kMany, [between](const std::string& i) { return between + i + "=" + i; });
  };
  const Circuit instance =
      read_netlist_text("* t\nx1 a s" + all("\n+ p") + "\n.subckt s a" + all("\n+ p") + "\n.if (p1 > 0)\n.param" +
                        all("\n+ q") + "\n.endif\nr1 a 0 {p7}\n.ends\n.end\n");
  EXPECT_EQ(instance.resistors.value, std::vector<double>{7});
  EXPECT_THAT(error_of("* t\nr1 a 0 5" + all("\n+ p") + "\n.end\n"), HasSubstr("got 'p0='"));
  EXPECT_LT(watch.seconds(), kPatience);
}

TEST(HostileDecks, ChainsWithoutAnEndTakeSeconds) {
  test::ThreadTime watch;
  const std::string chain = repeated(
      kMany, [](const std::string& i) { return ".param p" + i + "={p" + std::to_string(std::stoi(i) + 1) + "}\n"; });
  const std::string end = "p" + std::to_string(kMany);
  const Circuit unused = read_netlist_text("* t\nr1 a 0 1\n" + chain + ".end\n");
  ASSERT_EQ(unused.findings.size(), 1u);
  EXPECT_THAT(unused.findings[0].message, HasSubstr("unknown parameter '" + end + "'"));
  EXPECT_EQ(unused.ledger.count(Fate::skipped), kMany);
  EXPECT_THAT(error_of("* t\n" + repeated(kMany, [](const std::string& i) { return "r" + i + " a 0 {p" + i + "}\n"; }) +
                       chain + ".end\n"),
              HasSubstr("unknown parameter '" + end + "'"));
  EXPECT_THAT(error_of("* t\nr1 a 0 {p0}\n" + chain + ".param " + end + "={p0}\n.end\n"),
              HasSubstr("parameter 'p0' depends on itself"));
  // The unit at the end is that of all.
  const std::string used =
      "* t\n" + repeated(kMany, [](const std::string& i) { return "r" + i + " a 0 p" + i + "\n"; }) + chain;
  EXPECT_EQ(read_netlist_text(used + ".param " + end + "=5ohm\n.end\n").resistors.value.front(), 5);
  EXPECT_THAT(error_of(used + ".param " + end + "=5V\n.end\n"), HasSubstr("parameter 'p0' is a voltage"));
  EXPECT_LT(watch.seconds(), kPatience);
}

TEST(HostileDecks, FunctionsThatCallOneAnotherTakeSeconds) {
  test::ThreadTime watch;
  const auto chain = [](int n, const std::string& twice) {
    std::string text = "* t\n.func f0(x) {x+1}\n";
    for (int i = 1; i <= n; ++i) {
      const std::string inner = "f" + std::to_string(i - 1);
      text += ".func f" + std::to_string(i) + "(x) {" + fmt::format(fmt::runtime(twice), inner) + "}\n";
    }
    return text;
  };
  const auto calls = [](int n) {
    return repeated(kMany / 100,
                    [n](const std::string& i) { return "r" + i + " a 0 {1+f" + std::to_string(n) + "(" + i + ")}\n"; });
  };
  const Circuit same = read_netlist_text(chain(60, "({0}(x)+{0}(x))/2") + calls(60));
  EXPECT_EQ(same.resistors.value.back(), kMany / 100 + 1);
  const Circuit near = read_netlist_text(chain(15, "({0}(x)+{0}(x+1))/2") + calls(15));
  EXPECT_EQ(near.resistors.value.front(), 1 + 1 + 15 / 2.0);
  EXPECT_THAT(error_of(chain(30, "{0}(2*x)+{0}(2*x+1)") + calls(30)), HasSubstr("calls call others too often"));
  EXPECT_THAT(error_of(chain(300, "{0}(x)") + calls(300)), HasSubstr("functions call one another more than"));
  EXPECT_LT(watch.seconds(), kPatience);
}

TEST(HostileDecks, ASubcircuitThatIsNotThereIsToldInSeconds) {
  test::ThreadTime watch;
  const std::string many = repeated(
      kMany, [](const std::string& i) { return ".subckt s" + i + " a\nr1 a 0 1\n.ends\nx" + i + " a s" + i + "\n"; });
  try {
    read_netlist_text("* t\n" + many + ".subckt t a\nr1 a 0 1\n.ends\n.end\n", "deck.sp", {.top = "zz"});
    FAIL();
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr("it has t without an X card"));
  }
  EXPECT_LT(watch.seconds(), kPatience);
}

/// Messages about skipped cards and text after .end do not depend on how the text is divided among threads.
TEST(HostileDecks, SkippedCardsAreToldAlikeByAnyNumberOfThreads) {
  const std::string text =
      "* t\nr1 a 0 1\n" +
      repeated(kMany, [](const std::string& i) { return "q" + i + " collector base emitter npn\n"; }) + ".end\n" +
      repeated(kMany, [](const std::string& i) { return "* dbu: 77\n.print v(a" + i + ")\nq" + i + " c b e\n"; });
  const int threads = omp_get_max_threads();
  for (const int n : {1, 2, 8}) {
    omp_set_num_threads(n);
    const Circuit c = read_netlist_text(text, "deck.sp", {.lenient = true});
    EXPECT_EQ(c.skipped_cards, kMany);
    EXPECT_EQ(c.dbu_card, 0);
    EXPECT_TRUE(c.print_nodes.empty());
    ASSERT_EQ(c.findings.size(), 21u);
    EXPECT_EQ(c.findings[0].code, "after-end");
    EXPECT_EQ(c.findings[20].place, "deck.sp:22:1");
  }
  omp_set_num_threads(threads);
}

/// Files in a folder that is removed after the test.
class HostileIncludes : public testing::Test {
 protected:
  HostileIncludes() { std::filesystem::create_directories(folder_); }
  ~HostileIncludes() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string error_of_file(const std::string& path) const {
    try {
      read_netlist(path);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }
  const std::filesystem::path folder_ = test::temporary("hostile");
};

TEST_F(HostileIncludes, SubcircuitsEndInTheirFile) {
  write("ends.sp", "r2 a 0 1\n.ends\n");
  EXPECT_THAT(error_of_file(write("a.sp", "* t\n.subckt s a\n.include ends.sp\nr1 a 0 1\n")),
              HasSubstr("ends.sp:2:1: .ends without .subckt"));
  write("subckt.sp", "r2 a 0 1\n.subckt s a\n");
  EXPECT_THAT(error_of_file(write("b.sp", "* t\n.include subckt.sp\nr1 a 0 1\n.ends\n")),
              HasSubstr("subckt.sp:2:1: .subckt s has no .ends"));
}

TEST_F(HostileIncludes, SectionsThatIncludeThemselvesAreACycle) {
  EXPECT_THAT(error_of_file(write("a.sp", "* t\n.lib a.sp s\nr1 a 0 1\n.lib s\n.lib a.sp s\n.lib a.sp s\n.endl\n")),
              HasSubstr("includes itself"));
}

TEST_F(HostileIncludes, ThousandsOfFilesAreFine) {
  write("one.sp", "r1 a 0 1\n");
  const std::string path = write(
      "many.sp", "* t\n" + repeated(5000, [](const std::string& i) { return "r" + i + "x a 0 1\n.include one.sp\n"; }));
  EXPECT_EQ(read_netlist(path).resistors.size(), 10'000);
}

TEST_F(HostileIncludes, DoublingFromFileToFileIsRefused) {
  for (int i = 0; i < 31; ++i) {
    const std::string next = ".include f" + std::to_string(i + 1) + ".sp\n";
    write("f" + std::to_string(i) + ".sp", next + next);
  }
  write("f31.sp", "r1 a 0 1\n");
  EXPECT_THAT(error_of_file(folder_ / "f0.sp"), HasSubstr("more than 65536 included files"));
}

TEST_F(HostileIncludes, DevicesAreRefused) {
  EXPECT_THAT(error_of_file(write("a.sp", "* t\n.include /dev/zero\n")), HasSubstr("/dev/zero"));
  EXPECT_THAT(error_of_file("/dev/zero"), HasSubstr("is a device"));
}

}  // namespace
}  // namespace gridiron
