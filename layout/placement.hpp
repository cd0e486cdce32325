// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "layout/read_layout.hpp"
#include "netlist/placement.hpp"

namespace gridiron::layout {

/// What reports show of a layout beyond its circuit, which is made already.
std::shared_ptr<const Placement> make_placement(const Layout& layout);

}  // namespace gridiron::layout
