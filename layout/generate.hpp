// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

namespace gridiron::layout {

/// Of generated layouts. The same options and seed give the same bytes on every machine.
struct LayoutGeneratorOptions {
  int64_t components = 100'000;  ///< placed instances, from 1: cells, fillers, tap cells, from 20 000 on two macros too
  int layers = 0;                ///< with metal of the power nets: metal1, 4, 7, 8, 9, 10, of which 2 to 6; 0: 5
  uint64_t seed = 1;
  double routed = 0.1;  ///< fraction of the signal nets with wires, 0 to 1
};

/// The files of a generated layout.
struct GeneratedFiles {
  std::filesystem::path def, lef, powers;
};

/// chip.lef and chip.power.csv beside chip.def, and the same for chip.def.gz, .bz2, .xz and .zst, compressed likewise.
/// Errors: InputError (any other name).
GeneratedFiles generated_files(const std::filesystem::path& def);

/// Streams a placed design with the nets VDD, at 1.1 V, and VSS, which have the floorplan of generate() in style
/// openroad: rows of cells between rails, straps whose density varies by region, a coarse mesh of thick metal, bumps on
/// its top layer. Memory grows with the square root of its size. Errors: InputError, ResourceError.
void generate_layout(const LayoutGeneratorOptions& options, const std::filesystem::path& def);

}  // namespace gridiron::layout
