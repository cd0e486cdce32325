// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "netlist/edit/text_edit.hpp"
#include "netlist/source_text.hpp"

namespace gridiron {

/// The edit that multiplies the width which an annotation of the R card at `offset` tells, such as `$w=0.4` or
/// `$W=0.4u`: of several the one that counts, with its suffix, unless the number would be read in another unit with
/// it, in nine digits. None for a card without one. Errors: InputError where no annotation can tell the new width.
/// Internal to netlist/.
std::optional<TextEdit> widened_annotation(const SourceText& source, uint64_t offset, double factor);

}  // namespace gridiron
