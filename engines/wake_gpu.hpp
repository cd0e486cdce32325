// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridiron {

/// Makes the current GPU ready for work, if there is one: what the first use of it costs, a fifth of a second, can pass
/// while a netlist is read. From any thread; no error is reported here, but by the first use.
void wake_gpu();

}  // namespace gridiron
