// SPDX-License-Identifier: Apache-2.0
#include "netlist/values/scope.hpp"
#include "support/error_text.hpp"

namespace gridiron {

void File::fail(uint64_t offset, const std::string& message) const {
  throw input_error("{}: {}", text->describe(offset), message);
}

void File::fail(ast::Text part, uint64_t fallback, const std::string& message) const {
  const char* const begin = text->text().data();
  const bool inside = part.data() >= begin && part.data() <= begin + text->text().size();
  fail(inside ? static_cast<uint64_t>(part.data() - begin) : fallback, message);
}

std::string File::hint_of_cut(uint64_t offset) const {
  const bool ends = text->text().find_first_not_of(" \t\r\n", offset) == std::string_view::npos;
  return ends ? "; the file ends here, it may be cut" : "";
}

}  // namespace gridiron
