// SPDX-License-Identifier: Apache-2.0
// Layouts of `gridiron generate --style layout`, read back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "layout/generate.hpp"
#include "layout/read_layout.hpp"
#include "tests/layout/layout_texts.hpp"
#include "tests/paths.hpp"

namespace gridiron::layout {
namespace {

using testing::HasSubstr;

class GeneratedLayout : public testing::Test {
 protected:
  GeneratedLayout() : folder_(gridiron::test::temporary("generated")) { std::filesystem::create_directories(folder_); }
  ~GeneratedLayout() override { std::filesystem::remove_all(folder_); }

  Layout generate(const LayoutGeneratorOptions& options, const std::string& name = "chip.def") const {
    generate_layout(options, folder_ / name);
    const GeneratedFiles files = generated_files(folder_ / name);
    LayoutFiles input;
    input.def = files.def.string();
    input.lefs = {files.lef.string()};
    input.powers = {files.powers.string()};
    return read_layout(input);
  }
  std::string text(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }
  /// Of the three files.
  std::string bytes(const LayoutGeneratorOptions& options) const {
    generate_layout(options, folder_ / "bytes.def");
    return text("bytes.def") + text("bytes.lef") + text("bytes.power.csv");
  }

  std::filesystem::path folder_;
};

/// The number that a section's header promises.
int64_t header(const std::string& def, const std::string& section) {
  const size_t at = def.find("\n" + section + " ");
  return at == def.npos ? -1 : std::stoll(def.substr(at + section.size() + 2));
}
int64_t statements(const std::string& def, const std::string& section) {
  std::istringstream lines(def.substr(def.find("\n" + section + " ") + 1));
  int64_t count = 0;
  for (std::string line; std::getline(lines, line) && line != "END " + section;) count += line.starts_with("    - ");
  return count;
}

int64_t size(const Opens& opens) {
  return std::ssize(opens.shapes) + std::ssize(opens.terminals) + std::ssize(opens.pins);
}

TEST_F(GeneratedLayout, HasWhatIsAskedForWithoutOpens) {
  for (const int64_t components : {1, 2, 7, 1000, 20'000}) {
    for (const int layers : {2, 5, 6}) {
      if (components > 1000 && layers != 5) continue;
      SCOPED_TRACE(testing::Message() << components << " components, " << layers << " layers");
      const Layout layout = generate({.components = components, .layers = layers, .seed = 3});
      EXPECT_EQ(layout.chip->components.size(), components);
      EXPECT_EQ(std::ranges::count(layout.chip->components.placed, 1), components);
      ASSERT_EQ(layout.grids.size(), 2u);
      EXPECT_EQ(layout.grids[0].volts, 1.1);
      EXPECT_EQ(layout.unknown_instances, 0);
      for (size_t n = 0; n < 2; ++n) {
        EXPECT_EQ(size(layout.opens[n]), 0) << n;
        EXPECT_FALSE(layout.grids[n].sources.node.empty()) << n;
        const Network& network = layout.grids[n].network;
        const auto resistors = network.resistors();
        EXPECT_GE(resistors, network.nodes() - 1);  // one part
        EXPECT_LT(resistors, 3 * network.nodes());
        EXPECT_GT(network.nodes(), components);  // at least its terminal, and a node of the rail
        EXPECT_LT(network.nodes(), 4 * components + 300);
      }
    }
  }
}

TEST_F(GeneratedLayout, HeadersCountTheirStatements) {
  for (const int64_t components : {1, 1000, 20'000}) {
    generate_layout({.components = components}, folder_ / "chip.def");
    const std::string def = text("chip.def");
    for (const char* section : {"COMPONENTS", "PINS", "SPECIALNETS", "NETS", "VIAS"})
      EXPECT_EQ(header(def, section), statements(def, section)) << section;
    EXPECT_THAT(def, testing::EndsWith("END NETS\nEND DESIGN\n"));
  }
}

/// Cells stand side by side in their rows, upside down by turns, inside the die; macros are apart from them.
TEST_F(GeneratedLayout, ComponentsDoNotOverlap) {
  const Layout layout = generate({.components = 20'000});
  const Chip& chip = *layout.chip;
  std::map<Dbu, std::vector<Box>> rows;
  std::vector<Box> blocks;
  std::map<std::string, int64_t> kinds;
  for (int64_t c = 0; c < chip.components.size(); ++c) {
    const Macro& macro = layout.library->macros[chip.components.macro[c]];
    const Point low = chip.components.place[c];
    const Box box{low.x, low.y, low.x + to_dbu(macro.width_um, chip.dbu_per_um),
                  low.y + to_dbu(macro.height_um, chip.dbu_per_um)};
    EXPECT_TRUE(box.x0 > chip.die.x0 && box.y0 > chip.die.y0 && box.x1 < chip.die.x1 && box.y1 < chip.die.y1);
    ++kinds[macro.name];
    (macro.klass == "BLOCK" ? blocks : rows[low.y]).push_back(box);
  }
  for (const char* kind :
       {"INVX1", "NAND2X1", "BUFX2", "AOI21X1", "XOR2X1", "DFFX1", "TAPX1", "FILLX8", "FILLX4", "FILLX2", "FILLX1"})
    EXPECT_GT(kinds[kind], 0) << kind;
  ASSERT_EQ(blocks.size(), 2u);
  for (auto& [y, cells] : rows) {
    std::ranges::sort(cells, {}, &Box::x0);
    for (size_t i = 0; i < cells.size(); ++i) {
      EXPECT_TRUE(i == 0 || cells[i].x0 >= cells[i - 1].x1);
      for (const Box& block : blocks)
        EXPECT_TRUE(cells[i].x1 <= block.x0 || cells[i].x0 >= block.x1 || cells[i].y0 >= block.y1);
    }
  }
}

TEST_F(GeneratedLayout, SameOptionsAndSeedGiveTheSameBytes) {
  const std::string first = bytes({.components = 3000});
  EXPECT_EQ(first, bytes({.components = 3000}));
  EXPECT_NE(first, bytes({.components = 3000, .seed = 2}));
  EXPECT_NE(first, bytes({.components = 3000, .layers = 4}));
}

TEST_F(GeneratedLayout, RoutedNetsAreTheFractionAskedFor) {
  for (const double fraction : {0.0, 0.3, 1.0}) {
    generate_layout({.components = 3000, .routed = fraction}, folder_ / "chip.def");
    const std::string def = text("chip.def");
    int64_t routed = 0;
    for (size_t at = def.find("\nNETS"); (at = def.find("+ ROUTED metal1", at)) != def.npos; ++at) ++routed;
    // Outputs that drive nothing have no wire.
    EXPECT_NEAR(static_cast<double>(routed) / static_cast<double>(header(def, "NETS")), 0.85 * fraction,
                0.1 * fraction);
  }
}

TEST_F(GeneratedLayout, CompressedFilesHoldTheSame) {
  const Layout plain = generate({.components = 500}), packed = generate({.components = 500}, "packed.def.zst");
  EXPECT_TRUE(std::filesystem::exists(folder_ / "packed.lef.zst"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "packed.power.csv.zst"));
  EXPECT_EQ(plain.grids[0].network.ohm, packed.grids[0].network.ohm);
}

TEST_F(GeneratedLayout, WrongOptionsAreRefused) {
  const auto refusal = [&](const LayoutGeneratorOptions& options, const char* name = "wrong.def") {
    return test::error_of([&] { generate_layout(options, folder_ / name); });
  };
  EXPECT_THAT(refusal({.components = 0}), HasSubstr("give a number from 1 to"));
  EXPECT_THAT(refusal({.layers = 1}), HasSubstr("style layout has 2 to 6 layers"));
  EXPECT_THAT(refusal({.layers = 7}), HasSubstr("style layout has 2 to 6 layers"));
  EXPECT_THAT(refusal({.routed = 1.5}), HasSubstr("give a fraction from 0 to 1"));
  EXPECT_THAT(refusal({}, "wrong.sp"), HasSubstr("a name that ends in .def"));
  EXPECT_THAT(refusal({}, "wrong.gz"), HasSubstr("a name that ends in .def"));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

}  // namespace
}  // namespace gridiron::layout
