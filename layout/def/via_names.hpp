// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "layout/chip.hpp"
#include "layout/library.hpp"

namespace gridiron::layout {

/// The layers of a via's shapes by their role, −1 where it has none.
struct ViaLayers {
  int32_t bottom = -1, cut = -1, top = -1;
};

/// Of the layers of all its shapes; false if they are not one or two layers and what connects them.
bool assign_via_layers(const Library& library, std::vector<int32_t> layers, ViaLayers& roles);

/// The vias that a DEF file may name: its own first, then those of the library.
class ViaNames {
 public:
  explicit ViaNames(const Library& library);

  struct Known {
    int32_t id = 0;  ///< index into Chip::vias, or −1 − index into Library::vias
    int32_t bottom = -1, top = -1;
    bool is_known = false;
  };
  Known find(std::string_view word) const;

  /// A via of the DEF file itself; false if there is one of this name.
  bool add(const std::string& name, int32_t index, const Via& via);

  /// A via of the library. Errors: InputError (out of range).
  static Via in_database_units(const Library& library, int32_t index, double dbu_per_um);

  /// Appends the library's vias that nets use to the chip's, and turns ids of nets into indices. Errors: InputError.
  static void resolve(const Library& library, Chip& chip);

 private:
  const Library& library_;
  std::vector<ViaLayers> of_library_;
  NameIndex own_;
  std::vector<ViaLayers> of_own_;
};

}  // namespace gridiron::layout
