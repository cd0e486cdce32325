// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "analysis/plan/find_plan.hpp"
#include "app/session/layout_straps.hpp"
#include "app/session/layout_wires.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// Writes the DEF file of a layout with the widths and new straps of a plan, without its new pads: every special
/// wire that lies along a widened strap gets its width, rounded up to an even number of database units so that its
/// middle stays where it is. `straps`: what new straps are of; may be null without them. Errors: ResourceError.
void write_fixed_def(const Plan& plan, const LayoutWires& wires, const LayoutStraps* straps, const OutputPath& path);

}  // namespace gridiron
