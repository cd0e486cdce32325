// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gridiron {

/// RFC 4648, for pictures inside a page.
std::string base64(std::string_view bytes);

}  // namespace gridiron
