// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "layout/chip.hpp"
#include "layout/sources.hpp"

namespace gridiron::layout {

/// What is known of the voltages of a chip's nets.
class NetVoltages {
 public:
  /// `nominal` by net. Errors: InputError (no such net).
  NetVoltages(const Chip& chip, const std::map<std::string, double>& nominal);

  /// What the file of sources of a net says.
  void set_file(int32_t net, double volts) { of_file_[net] = volts; }

  bool is_ground(int32_t net) const;
  /// What the sources of a net hold it at. Errors: InputError if nothing tells.
  double of_sources(int32_t net) const;
  /// By which power becomes current on a net: the voltage of a power net, for a ground net that of the only power net,
  /// or of the one that has a nominal voltage. None if there is none, or no only one.
  std::optional<double> of_power_if_known(int32_t net) const;
  /// The same. Errors: InputError where that is none.
  double of_power(int32_t net) const;
  /// Nets of USE POWER.
  std::vector<int32_t> power_nets() const;

 private:
  std::optional<double> known(int32_t net) const;
  std::optional<double> nominal(int32_t net) const;

  const Chip& chip_;
  std::map<int32_t, double> nominal_, of_file_;
};

}  // namespace gridiron::layout
