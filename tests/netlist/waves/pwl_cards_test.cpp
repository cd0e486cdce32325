// SPDX-License-Identifier: Apache-2.0
// What a PWL may have besides its points: R, TD, and a file.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "netlist/reader.hpp"
#include "netlist/waves/linear_piece.hpp"
#include "support/error.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using testing::DoubleNear;
using testing::HasSubstr;
using testing::Pointwise;

constexpr TimeFrame kTenSteps{0.5e-9, 10e-9};

std::string deck(const std::string& source) { return "* t\n" + source + "\nr1 a 0 1\n.tran 0.5n 10n\n.end\n"; }

Pwl pwl_of(const std::string& source) { return std::get<Pwl>(read_netlist_text(deck(source)).waveforms.at(0)); }

std::vector<double> samples(const Waveform& waveform, const std::vector<double>& nanoseconds) {
  std::vector<double> values;
  for (const double t : nanoseconds) values.push_back(value_at(waveform, t * 1e-9, kTenSteps));
  return values;
}

std::string refusal_of(const std::string& source) {
  try {
    read_netlist_text(deck(source));
  } catch (const InputError& e) {
    return e.what();
  }
  return "read";
}

/// Of this test, and its files.
struct Folder {
  std::filesystem::path path = test::temporary("pwl_cards");
  Folder() { std::filesystem::create_directory(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path operator/(const char* name) const { return path / name; }
};

struct Spelling {
  const char* source;
  double repeat, first;  ///< ns
};

TEST(PwlCards, SpellingsOfRepetitionAndDelay) {
  for (const Spelling& s : {
           Spelling{"v1 a 0 PWL(0 1 1n 0.9 2n 1) r=0", 0, 0},
           Spelling{"v1 a 0 PWL(0 1 1n 0.9 2n 1) R", 0, 0},
           Spelling{"v1 a 0 PWL(0 1 1n 0.9 2n 1 R)", 0, 0},
           Spelling{"v1 a 0 PWL(0 1 1n 0.9 2n 1 R=1n)", 1, 0},
           Spelling{"v1 a 0 PWL 0 1 1n 0.9 2n 1 R 1n", 1, 0},
           Spelling{"v1 a 0 PWL 0 1 1n 0.9 2n 1 r=0 td=0.5n", 0.5, 0.5},
           Spelling{"v1 a 0 PWL(0 1, 1n 0.9, 2n 1, TD=0.5n)\n+ R = {1n}", 1.5, 0.5},
           Spelling{"v1 a 0 DC 1 PWL=(0,1) (1n,0.9)\n+ (2n,1) td 0.5n AC 1", NAN, 0.5},
           Spelling{"i1 a 0 PWL(0 1 1n 0.9 2n 1) r=-1 M=2", NAN, 0},
       }) {
    const Pwl pwl = pwl_of(s.source);
    ASSERT_EQ(pwl.points.size(), 3u) << s.source;
    EXPECT_NEAR(pwl.points[0].first, s.first * 1e-9, 1e-22) << s.source;
    EXPECT_EQ(pwl.repeats(), !std::isnan(s.repeat)) << s.source;
    if (pwl.repeats()) {
      EXPECT_NEAR(pwl.repeat, s.repeat * 1e-9, 1e-22) << s.source;
    }
  }
}

struct Refusal {
  const char *source, *message;
};

TEST(PwlCards, RefusedOnes) {
  for (const Refusal& r : {
           Refusal{"v1 a 0 PWL(0 1 1n 2) r=1n", "<text>:2:1: PWL: R=1e-09 is the time from which it repeats"},
           Refusal{"v1 a 0 PWL(0 1 1n 2) r=-2", "R=-2 is the time"},
           Refusal{"v1 a 0 PWL(0 1 1n 2) td=-1n", "the delay TD=-1e-09 must not be negative"},
           Refusal{"v1 a 0 PWL(0 1 1n 2) r=0 R=0", "2:26: a second R; remove one"},
           Refusal{"v1 a 0 PWL(0 1 1n 2) r=x", "2:24: expected a time here"},
           Refusal{"v1 a 0 PWL(0 1 1n 2) td", "expected a time here"},
           Refusal{"v1 a 0 PWL(0 1 +1n 2)", "2:16: expected a time without '+'"},
           Refusal{"v1 a 0 PWL(0 1 1n 2", "expected ')' here"},
           Refusal{"v1 a 0 PWL(0 1 1n 2) 5", "2:22: expected the end of the card"},
           Refusal{"v1 a 0 PWL REPEAT FOREVER (0 1 1n 2) ENDREPEAT", "2:12: expected points, R=TIME and TD=DELAY only"},
           Refusal{"v1 a 0 PWL TIME_SCALE_FACTOR=1n (0 1)", "no REPEAT, TRIGGER or scale"},
           Refusal{"v1 a 0 SIN(0 1) r=0", "expected the end of the card"},
           Refusal{"v1 a 0 PWL(0 1 pwlfile=x.csv)", "this PWL has points on the card and a file; remove one"},
           Refusal{"v1 a 0 PWL pwlfile=x.csv file=y.csv", "this PWL has two files; remove one"},
           Refusal{"v1 a 0 PWL pwlfile=", "expected the name of a file"},
           Refusal{"v1 a 0 PWL pwlfile=/nowhere/x.csv", "2:12: cannot read the points of this PWL: /nowhere/x.csv: "},
           Refusal{"v1 a 0 PWL r=0", "PWL takes pairs of time and value, got 0 numbers"},
       })
    EXPECT_THAT(refusal_of(r.source), HasSubstr(r.message)) << r.source;
}

TEST(PwlCards, ValuesOfWhatRepeats) {
  const Pwl smooth = pwl_of("v1 a 0 PWL(0 1 1n 0.9 2n 1) r=0 td=0.5n");
  EXPECT_THAT(samples(smooth, {0, 0.5, 1, 1.5, 2.5, 3, 3.5, 4.5, 9, 9.5}),
              Pointwise(DoubleNear(1e-12), {1.0, 1.0, 0.95, 0.9, 1.0, 0.95, 0.9, 1.0, 0.95, 0.9}));
  // From 1 ns on, and back by a jump, which takes a thousandth of a step.
  const Pwl jump = pwl_of("v1 a 0 PWL(0 5 1n 1 3n 2) r=1n");
  EXPECT_THAT(samples(jump, {0, 0.5, 1, 2, 3, 3.00025, 3.001, 4, 5, 6}),
              Pointwise(DoubleNear(1e-3), {5.0, 3.0, 1.0, 1.5, 2.0, 1.5, 1.0, 1.5, 2.0, 1.5}));
  // From between two points, and from before the first one.
  EXPECT_THAT(samples(pwl_of("v1 a 0 PWL(0 0 2n 2 3n 1) r=1n"), {2, 3, 3.5, 4, 5, 6}),
              Pointwise(DoubleNear(1e-12), {2.0, 1.0, 1.5, 2.0, 1.0, 2.0}));
  EXPECT_THAT(samples(pwl_of("v1 a 0 PWL(1n 1 2n 3 3n 1) r=0"), {0, 1, 2, 3, 3.5, 4.5, 5, 6}),
              Pointwise(DoubleNear(1e-12), {1.0, 1.0, 3.0, 1.0, 1.0, 2.0, 3.0, 1.0}));
}

TEST(PwlCards, JumpWhereAnotherJumpLeadsBackToTheBeginning) {
  const Pwl pwl = pwl_of("v1 a 0 PWL(0 0 1n 1 1n 2) r=0");
  EXPECT_THAT(samples(pwl, {0.5, 0.999, 1, 1.00025, 1.001, 1.5, 2, 2.00025, 2.5}),
              Pointwise(DoubleNear(1e-3), {0.5, 0.999, 1.0, 0.5, 0.0, 0.5, 1.0, 0.5, 0.5}));
  for (const char* const card : {"PWL(0 0 1n 1 1n 2) r=0", "PWL(0 0 1n 1 1.0000001n 2 1.0000001n 0) r=1n"}) {
    std::vector<double> corners;
    append_corners(pwl_of(std::string("v1 a 0 ") + card), {1e-9, 16e-9}, corners);
    EXPECT_TRUE(std::ranges::is_sorted(corners)) << card;
  }
}

TEST(PwlCards, PeriodsOfTilesOfDecks) {
  const Circuit circuit =
      read_netlist_text(deck("i1 a 0 0.001 static_value=1e-3 pwl(0 0 1n 1m 2n 0) pwl_period=5n pwl_delay=1n\n"
                             "i2 a 0 static_value=2m PULSE(0 1m)\ni3 a 0 pwl(0 0 1n 1m 2n 0) pwl_period=2n"));
  EXPECT_THAT(circuit.current_sources.value, Pointwise(DoubleNear(1e-15), {1e-3, 2e-3, 0.0}));
  EXPECT_THAT(samples(circuit.waveforms[0], {0, 1, 1.5, 2, 3, 5, 6, 6.5, 7, 8, 9}),
              Pointwise(DoubleNear(1e-12), {0.0, 0.0, 5e-4, 1e-3, 0.0, 0.0, 0.0, 5e-4, 1e-3, 0.0, 0.0}));
  EXPECT_EQ(std::get<Pwl>(circuit.waveforms[2]).points.size(), 3u);
  EXPECT_THAT(refusal_of("i1 a 0 1m static_value=2m"), HasSubstr("a second DC value"));
  EXPECT_THAT(refusal_of("i1 a 0 pwl(0 0 1n 1m) pwl_period=0.5n"), HasSubstr("a period of 5e-10 ends before"));
  EXPECT_THAT(refusal_of("i1 a 0 pwl(0 0 1n 1m) pwl_period=5n r=0"), HasSubstr("remove one"));
}

TEST(PwlCards, CornersOfWhatRepeats) {
  const auto corners_of = [](const std::string& source) {
    std::vector<double> times;
    append_corners(pwl_of(source), kTenSteps, times);
    for (double& t : times) t *= 1e9;
    return times;
  };
  EXPECT_THAT(corners_of("v1 a 0 PWL(0 1 1n 0.9 4n 1) r=0 td=0.5n"),
              Pointwise(DoubleNear(1e-9), {0.5, 1.5, 4.5, 5.5, 8.5, 9.5}));
  EXPECT_THAT(corners_of("v1 a 0 PWL(0 5 1n 1 4n 2) r=1n"),
              Pointwise(DoubleNear(1e-9), {1.0, 4.0, 4.0005, 7.0, 7.0005}));
  EXPECT_THAT(corners_of("v1 a 0 PWL(0 5 1n 1 1n 2 4n 2 4n 5 6n 5) r=2n"),
              Pointwise(DoubleNear(1e-9), {1.0, 1.0, 1.0005, 4.0, 4.0, 4.0005, 6.0, 6.0005, 8.0, 8.0, 8.0005}));
  EXPECT_TRUE(corners_of("v1 a 0 PWL(0 1 1e-16 0 2e-16 1) r=0").empty());
  EXPECT_EQ(corners_of("v1 a 0 PWL(0 1 1n 0 2n 0) r={2n-1e-16}").size(), 2u) << "repeats one value";
  EXPECT_TRUE(outruns(pwl_of("v1 a 0 PWL(0 1 1e-16 0 2e-16 1) r=0"), kTenSteps));
}

/// The pieces of a waveform and its values at times have to agree, and corners to bound the pieces.
TEST(PwlCards, PiecesAgreeWithValues) {
  for (const char* source : {"v1 a 0 PWL(0 1 1n 0.9 2n 1) r=0 td=0.3n", "v1 a 0 PWL(0 5 1n 1 3n 2) r=1n",
                             "v1 a 0 PWL(0 0 2n 2 3n 1) r=0.7n", "v1 a 0 PWL(0 5 1n 1 1n 2 4n 2 4n 5 6n 5) r=1n",
                             "v1 a 0 PWL(1n 1 2n 3 3n 1) r=0", "v1 a 0 PWL(1n 1 2n 3 3n 3) r=2.5n"}) {
    const Pwl pwl = pwl_of(source);
    std::vector<double> corners;
    append_corners(pwl, kTenSteps, corners);
    EXPECT_TRUE(std::ranges::is_sorted(corners)) << source;
    std::vector<double> times;
    for (double t = 0; t < 10e-9; t += 0.0137e-9) times.push_back(t);
    for (const double c : corners)
      for (const double t : {std::nextafter(c, 0), c, std::nextafter(c, 1)}) times.push_back(t);
    for (const double t : times) {
      const auto piece = linear_piece(pwl, t, kTenSteps);
      if (!piece) continue;
      EXPECT_NEAR(piece->at(t), value_at(pwl, t, kTenSteps), 1e-9) << source << " at " << t;
      for (const double c : corners)
        EXPECT_FALSE(c > piece->begin + 1e-15 && c < std::min(10e-9, piece->end) - 1e-15) << source << ": " << c;
    }
  }
}

TEST(PwlCards, PointsFromFiles) {
  const Folder folder;
  const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("a.csv", "0,1m\n1n,2m\n2n,1m\n");
  write("b.txt", "* time value\n0 1mA   1ns\t2m ; 2e-9 1m\n\n# end\n");
  for (const char* spelling : {"PWL pwlfile=\"a.csv\" R", "PWL(PWLFILE='a.csv' R=0)", "PWL file=b.txt r=0",
                               "PWL FILE b.txt R", "PWL(file=\"b.txt\", R)"}) {
    std::ofstream(folder / "deck.sp") << deck(std::string("i1 a 0 ") + spelling);
    const Circuit circuit = read_netlist((folder / "deck.sp").string());
    const Pwl& pwl = std::get<Pwl>(circuit.waveforms.at(0));
    ASSERT_EQ(pwl.points.size(), 3u) << spelling;
    EXPECT_EQ(pwl.points[1], std::pair(1e-9, 2e-3)) << spelling;
    EXPECT_EQ(pwl.repeat, 0) << spelling;
    EXPECT_EQ(circuit.files.size(), 2u) << "a run lists what it read";
    EXPECT_EQ(circuit.current_sources.value[0], 1e-3) << spelling;
  }
  const auto refusal_of_file = [&](const std::string& text) -> std::string {
    write("c.csv", text);
    std::ofstream(folder / "deck.sp") << deck("i1 a 0 PWL pwlfile=c.csv");
    try {
      read_netlist((folder / "deck.sp").string());
    } catch (const InputError& e) {
      return e.what();
    }
    return "read";
  };
  EXPECT_THAT(refusal_of_file("time,value\n0,1\n"), HasSubstr("c.csv:1:1: expected a time, not \"time\""));
  EXPECT_THAT(refusal_of_file("0,1\n1n\n"), HasSubstr("c.csv:2:1: 1 numbers in this line"));
  EXPECT_THAT(refusal_of_file("0,1V\n"), HasSubstr("c.csv:1:4: 'V' is no unit of a current"));
  EXPECT_THAT(refusal_of_file("0,1\n+1n,2\n"), HasSubstr("c.csv:2:1: a time with '+'"));
  EXPECT_THAT(refusal_of_file("1n,1\n0,2\n"), HasSubstr("deck.sp:2:1: PWL times must not decrease"));
  EXPECT_THAT(refusal_of_file("\n"), HasSubstr("c.csv: no points in this file"));
}

TEST(PwlCards, FilesAreToldBeforeTheyAreOpened) {
  const Folder folder;
  std::ofstream(folder / "a.csv") << "0,1m\n";
  std::ofstream(folder / "deck.sp") << deck("i1 a 0 PWL pwlfile=a.csv\ni2 a 0 PWL pwlfile=a.csv");
  std::vector<std::string> opened;
  ReadOptions options;
  options.opens = [&](const std::string& path) { opened.push_back(path); };
  read_netlist((folder / "deck.sp").string(), options);
  EXPECT_THAT(opened, testing::ElementsAre((folder / "deck.sp").string(), (folder / "a.csv").string()));
}

}  // namespace
}  // namespace gridiron
