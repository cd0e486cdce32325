// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gridiron {

/// What to say of a card that the grammar does not understand: `text` begins with the card, at `where` in it something
/// else was expected. Internal to netlist/.
std::string syntax_message(std::string_view text, const char* where, const char* expected);

}  // namespace gridiron
