// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridiron {

/// Initialises the current GPU, if there is one, which takes a fifth of a second: called on another thread while a
/// netlist is read, it costs the first computation nothing. Errors are reported by that computation, not here.
void warm_up_gpu();

}  // namespace gridiron
