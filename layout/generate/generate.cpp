// SPDX-License-Identifier: Apache-2.0
#include "layout/generate.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>

#include "layout/generate/design.hpp"
#include "layout/generate/floorplan.hpp"
#include "layout/generate/technology.hpp"
#include "support/error_text.hpp"

namespace gridiron::layout {
namespace {

LayoutGeneratorOptions complete(LayoutGeneratorOptions options) {
  constexpr int64_t kMost = std::numeric_limits<int32_t>::max();
  constexpr int kFewestLayers = 2, kMostLayers = 6, kUsualLayers = 5;
  if (options.components < 1 || options.components > kMost)
    throw field_error("nodes", "{}: give a number from 1 to {}", options.components, kMost);
  if (options.layers == 0) options.layers = kUsualLayers;
  if (options.layers < kFewestLayers || options.layers > kMostLayers)
    throw field_error("layers", "{}: style layout has {} to {} layers", options.layers, kFewestLayers, kMostLayers);
  if (!(options.routed >= 0 && options.routed <= 1))
    throw field_error("routed", "{}: give a fraction from 0 to 1", options.routed);
  return options;
}

}  // namespace

GeneratedFiles generated_files(const std::filesystem::path& def) {
  constexpr std::array<std::string_view, 4> kCompressed = {".gz", ".bz2", ".xz", ".zst"};
  std::string stem = def.string(), compressed = def.extension().string();
  if (std::ranges::find(kCompressed, compressed) == kCompressed.end()) compressed.clear();
  stem.resize(stem.size() - compressed.size());
  const std::filesystem::path plain(stem);
  if (plain.extension() != ".def")
    throw input_error(
        "'{}': style layout writes several files; give a name that ends in .def, or in .def.gz, as chip.def for "
        "chip.def, chip.lef and chip.power.csv",
        def.string());
  stem.resize(stem.size() - std::string_view(".def").size());
  return {def, stem + ".lef" + compressed, stem + ".power.csv" + compressed};
}

void generate_layout(const LayoutGeneratorOptions& options, const std::filesystem::path& def_path) {
  const LayoutGeneratorOptions all = complete(options);
  const GeneratedFiles files = generated_files(def_path);
  const generator::LayoutFloorplan floorplan(all);
  generator::DeckWriter def(files.def, {}), lef(files.lef, {}), powers(files.powers, {});
  write_technology(lef);
  write_powers(powers, floorplan);
  write_die(def, floorplan);
  write_vias(def, floorplan);
  write_components(def, floorplan);
  write_pins(def, floorplan);
  write_power_nets(def, floorplan);
  write_signal_nets(def, floorplan, all.routed);
  def << "END DESIGN\n";
  lef.finish();
  powers.finish();
  def.finish();
}

}  // namespace gridiron::layout
