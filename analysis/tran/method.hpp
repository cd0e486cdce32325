// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace gridiron {

/// Implicit rules that a time step of h seconds may follow. Trapezoidal: second order. Backward Euler: first order,
/// damps everything.
enum class Method { trapezoidal, backward_euler };

std::string_view name_of(Method method);

}  // namespace gridiron
