// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gridiron {

/// Reads the digits of a SPICE number at `first`: a sign, decimals with or without a point, an exponent. Returns their
/// end, behind which a suffix or a unit may stand (quantity.hpp), or nullptr if there are none or they are out of range
/// for a double. Correctly rounded.
const char* parse_decimal(const char* first, const char* last, double& value);

}  // namespace gridiron
