// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace gridiron {

/// Options of `gridiron generate`. The same options and seed give the same bytes on every machine.
struct GeneratorOptions {
  std::string style = "ibm";  ///< ibm: paired VDD/GND meshes, n<k>_<x>_<y>; openroad: rails and straps, contest names
  int64_t nodes = 100000;     ///< number of named nodes
  int layers = 0;             ///< metal layers per net; 0: the style's default
  int nets = 0;               ///< power nets: VDD islands (ibm), nets (openroad); 0: the style's default
  uint64_t seed = 1;
  bool transient = false;       ///< --tran: pulse loads, capacitors, pad inductors and a .tran card
  double via_defects = 0;       ///< fraction of vias with 100 times their resistance, 0 … 1
  int64_t part = 1, parts = 1;  ///< writes one of about equal parts of the deck, which is their concatenation
};

/// Streams a deck to `path` ("-" is standard output) without holding its text in memory. Errors: InputError,
/// ResourceError.
void generate(const GeneratorOptions& options, const std::filesystem::path& path);

}  // namespace gridiron
