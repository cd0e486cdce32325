// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/session/common_arguments.hpp"
#include "app/session/stress_arguments.hpp"

namespace gridiron {

/// The stress of metal by electromigration, of metal that is the `initial` one, without the option `excludes`.
template <class Args>
void add_stress(Declaration<Args>& to, const std::string& initial, const std::string& excludes) {
  to.add(&Args::em_stress,
         {.field = "em_stress",
          .value = "FILE",
          .help = "find the steady-state stress of all metal and certify which trees stay below the critical one; a "
                  "CSV file parameter,value with atomic_volume_m3, effective_charge, critical_stress_pa and "
                  "residual_stress_pa, or 'default' for copper",
          .initial = initial,
          .suggestions = {"default"},
          .excludes = excludes,
          .path = Argument::Path::file});
  to.add(&Args::em_layers, file("em_layers",
                                "cross-sections of wires for the stress of metal and for rules, a CSV file "
                                "layer,width_um,thickness_um; of a layout widths are "
                                "known, and thicknesses if LEF tells them"));
  to.add(
      &Args::em_lifetime,
      {.field = "em_lifetime",
       .value = "TIME",
       .help = "follow the stress of metal in time until this horizon, 10y or seconds, and tell when voids nucleate; "
               "the file of parameters also has bulk_modulus_pa, diffusivity_m2_s, activation_energy_ev and "
               "temperature_c"});
  to.add(&Args::em_samples,
         whole_number(
             "em_samples",
             "lifetimes of the grid with a random diffusivity of each tree, whose deviation must be given as well", 1,
             LifetimeOptions::kMostSamples));
  to.add(&Args::em_sigma, {.field = "em_sigma",
                           .value = "S",
                           .unit = "1",
                           .help = "standard deviation of the logarithm of these diffusivities, which samples need"});
  to.add(
      &Args::em_cascade,
      whole_number("em_cascade",
                   "let segments fail one after the other as their voids grow, so many at most, and solve and certify "
                   "the grid after each, until a limit on drops is exceeded",
                   1, CascadeOptions::kMostStages));
  to.add(&Args::em_void, {.field = "em_void",
                          .value = "UM",
                          .unit = "um",
                          .help = "length of a void at which its segment fails, such as the size of a via"});
  to.add(&Args::em_liner, {.field = "em_liner",
                           .value = "OHM_PER_UM",
                           .unit = "ohm/um",
                           .help = "resistance of the liner that carries the current past a void; without it a segment "
                                   "that fails is open"});
  to.add(&Args::seed, whole_number("seed", "of the random diffusivities", 0, LifetimeOptions::kMostSeed, "1"));
}

}  // namespace gridiron
