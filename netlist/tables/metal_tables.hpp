// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/visited.hpp"

namespace gridiron {

/// What stress by electromigration depends on, beside currents and geometry. The last four are of its course in time.
struct MetalParameters {
  double atomic_volume_m3 = 0;    ///< Ω
  double effective_charge = 0;    ///< |Z*|
  double critical_stress_pa = 0;  ///< tensile, where a void nucleates
  double residual_stress_pa = 0;  ///< tensile, without any current
  double bulk_modulus_pa = 0;     ///< 0: not given, as of those that follow
  double diffusivity_m2_s = 0;    ///< D₀
  double activation_energy_ev = 0;
  double temperature_c = NAN;  ///< NaN: not given

  void visit(auto& v) const {
    v("atomic_volume_m3", atomic_volume_m3)("effective_charge", effective_charge);
    v("critical_stress_pa", critical_stress_pa)("residual_stress_pa", residual_stress_pa);
    v("bulk_modulus_pa", Known{bulk_modulus_pa, bulk_modulus_pa > 0}, "null where it was not given, as those below.");
    v("diffusivity_m2_s", Known{diffusivity_m2_s, diffusivity_m2_s > 0});
    v("activation_energy_ev", Known{activation_energy_ev, activation_energy_ev > 0});
    v("temperature_c", Known{temperature_c, !std::isnan(temperature_c)});
  }
};

/// A parameter: its name in files and its value in the literature.
struct MetalParameter {
  std::string_view name;
  double MetalParameters::*member;
  bool is_needed;      ///< for stress in the steady state
  double least, most;  ///< far beyond those of any metal
  double usual;
  std::string_view source;  ///< of the usual value
};
std::span<const MetalParameter> metal_parameters();

/// The usual values, of copper in dual damascene technology.
MetalParameters usual_metal();

/// Reads a CSV file with the header parameter,value. Errors: InputError that says where, what is wrong, and what to do.
MetalParameters read_metal_parameters(const std::string& path);

/// Errors: InputError that names a parameter of the course of stress in time that the file at `path` does not give.
void require_course_parameters(const MetalParameters& metal, const std::string& path);

/// The cross-section of the wires of a layer. 0: not told.
struct MetalLayer {
  std::string layer;
  double width_um = 0, thickness_um = 0;
  std::string place;  ///< "layers.csv:2:1"
};

/// Reads a CSV file with the header layer,width_um,thickness_um; one of the numbers may be missing. Errors: as above.
std::vector<MetalLayer> read_metal_layers(const std::string& path);

}  // namespace gridiron
