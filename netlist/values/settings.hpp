// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlist/deck/deck.hpp"

namespace gridiron {

/// A card that is not understood, and where in it.
struct CardError {
  const char* where;
  std::string message;
};

/// Settings of an R, C or L card that change its value, and its initial condition; °C, m, V or A. NaN where the model
/// or the circuit decides.
struct ElementSettings {
  double tc1 = kUnset, tc2 = kUnset, tce = kUnset, temp = kUnset, dtemp = 0, scale = 1, m = 1, l = kUnset, w = kUnset;
  double ic = kUnset;
  double rser = kUnset, rpar = kUnset, cpar = kUnset;
};

/// Where a setting's first number goes, null if it has no effect, and what it measures. The second one is tc2.
struct Setting {
  double ElementSettings::*field = nullptr;
  Quantity quantity = Quantity::pure;
};
Setting find_setting(Kind kind, ast::Text key);

/// The model and the settings with an effect of an R, C or L card; sets card.value from `R=` and the like.
/// Errors: CardError. Internal to netlist/.
Deferred read_settings(Kind kind, ast::Passive& card);

/// What an instance means by M, temp and dtemp unless its subcircuit has a parameter of that name.
bool is_setting_of_instances(ast::Text name);

/// What a V or I card has besides its DC value; sets card.dc from `DC`. Errors: CardError.
SourceForm read_form(Kind kind, ast::Source& card);

}  // namespace gridiron
