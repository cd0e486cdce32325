// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "netlist/source_text.hpp"

namespace gridiron {

/// SHA-256 of the bytes that a text was read from, packed if they were, in hexadecimal as `sha256sum` prints it. Empty
/// if the file is mapped and was changed or removed since: then nobody can tell. Computed once per text; threads may
/// ask at the same time.
std::string sha256_of(const SourceText& text);

}  // namespace gridiron
