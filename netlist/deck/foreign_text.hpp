// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "netlist/source_text.hpp"

namespace gridiron {

/// Errors: InputError that names the format of a file whose first bytes no deck can have, such as an archive, a layout
/// in binary or a page of HTML, and what to do. Looks at no more than these. Internal to netlist/.
void refuse_foreign(const SourceText& source);

/// What a text that could not be read as a deck is instead, and what to do: "a SPEF file; …". Empty if nothing tells.
std::string foreign_language(std::string_view text);

}  // namespace gridiron
