// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "netlist/values/quantity.hpp"

namespace gridiron {

/// A directive that is not carried out. Internal to netlist/.
struct Directive {
  enum class Treatment {
    silent,   ///< nothing is lost
    told,     ///< does not change the operating point, but asks for something that is not done: a finding
    refused,  ///< may change the operating point: an error
  };
  std::string_view word;
  Treatment treatment;
  std::string_view reason;     ///< why it is told or refused, and what to do
  std::string_view block_end;  ///< the directive that ends the block of lines begun here; empty if there is none
  Dialect dialect = Dialect::automatic;  ///< that alone has it
};

/// The directive of that name, in any case, or null.
const Directive* find_directive(std::string_view word);

}  // namespace gridiron
