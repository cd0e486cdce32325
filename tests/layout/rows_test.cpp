// SPDX-License-Identifier: Apache-2.0
// Rows of sites, whose box is the core of a chip, and components of one name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layout/layout_texts.hpp"

namespace gridiron::layout::test {
namespace {

using testing::HasSubstr;

const char* sites() {
  return "SITE unit\n  CLASS CORE ;\n  SYMMETRY Y ;\n  SIZE 0.2 BY 1 ;\nEND unit\n"
         "SITE pads\n  CLASS PAD ;\n  SIZE 50 BY 50 ;\nEND pads\n"
         "SITE unit\n  CLASS CORE ;\n  SIZE 9 BY 9 ;\nEND unit\n";
}

Chip chip_with_rows(const std::string& rows) {
  static const Library kLibrary = library_with(sites() + std::string(inverter()));
  return chip_of(design(rows), kLibrary);
}

TEST(Rows, TheCoreIsTheBoxOfAllRows) {
  EXPECT_EQ(chip_with_rows("ROW r0 unit 1000 2000 N DO 10 BY 1 STEP 200 0 ;\n"
                           "ROW r1 unit 1200 3000 FS DO 10 BY 1 STEP 200 0 + PROPERTY p 1 ;\n")
                .core,
            (Box{1000, 2000, 3200, 4000}));
  EXPECT_EQ(chip_with_rows("ROW r0 unit 0 0 N DO 5 BY 3 STEP 400 1500 ;\n").core, (Box{0, 0, 1800, 4000}));
  EXPECT_EQ(chip_with_rows("ROW r0 unit 0 0 W DO 1 BY 5 STEP 0 200 ;\n").core, (Box{0, 0, 1000, 1000})) << "turned";
  EXPECT_EQ(chip_with_rows("ROW r0 unit 5 7 N DO 4 BY 2 ;\nROW one unit 0 0 N ;\n").core, (Box{0, 0, 805, 2007}))
      << "side by side";
}

TEST(Rows, WithoutRowsTheCoreIsTheDie) {
  EXPECT_EQ(chip_with_rows("").core, (Box{0, 0, 10000, 20000}));
  EXPECT_EQ(chip_with_rows("ROW io pads 0 0 N DO 3 BY 1 STEP 50000 0 ;\n").core, (Box{0, 0, 10000, 20000}))
      << "a ring of pads is no core";
}

TEST(Rows, AnUnknownSiteIsRemembered) {
  const Chip chip = chip_with_rows("ROW r0 other 0 0 N DO 3 BY 1 STEP 200 0 ;\nROW r1 unit 0 0 N ;\n");
  EXPECT_EQ(chip.unknown_site, "other");
  EXPECT_EQ(chip.describe(chip.unknown_site_place), "chip.def:5:8");
  EXPECT_EQ(chip_with_rows("ROW r0 unit 0 0 N ;\n").unknown_site, "");
}

TEST(Rows, WrongOnesAreErrors) {
  const auto error = [](const std::string& rows) { return error_of([&] { chip_with_rows(rows); }); };
  EXPECT_THAT(error("ROW r0 unit 0 0 X ;\n"), HasSubstr("chip.def:5:17: expected an orientation"));
  EXPECT_THAT(error("ROW r0 unit 0 0 N DO 0 BY 1 ;\n"), HasSubstr("chip.def:5:22:"));
  EXPECT_THAT(error("ROW r0 unit 0 0 N DO 1000000000 BY 1 STEP 1000 0 ;\n"), HasSubstr("chip.def:5:8: this"));
  EXPECT_THAT(error_of([] { library_with("SITE s\n SIZE 1 BY 2 ;\n"); }),
              HasSubstr("expected \"s\" behind the END of SITE s"));
}

TEST(Components, OfOneNameAreAnError) {
  const auto error = [](const std::string& components) {
    return error_of([&] { chip_with("COMPONENTS 3 ;\n" + components + "END COMPONENTS\n"); });
  };
  EXPECT_EQ(error("- a INV ;\n- b INV ;\n- a\\[0\\] INV ;\n"), "no error");
  EXPECT_EQ(error("- a INV ;\n- b INV ;\n- c INV ;\n- b INV ;\n- a INV ;\n"),
            "chip.def:9:3: component \"b\" is there already, at chip.def:7:3; rename or remove one of them");
}

}  // namespace
}  // namespace gridiron::layout::test
