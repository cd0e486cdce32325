// SPDX-License-Identifier: Apache-2.0
#include "support/field.hpp"

#include <algorithm>

namespace gridiron {
namespace {

constexpr char kBegin = '\x02', kEnd = '\x03';  // start and end of text

/// The name of a field at the beginning of `text`; empty if there is none.
std::string_view name_at(std::string_view text) {
  if (text.empty() || text[0] != kBegin) return {};
  const size_t end = text.find(kEnd);
  if (end == std::string_view::npos) return {};
  const std::string_view name = text.substr(1, end - 1);
  const auto belongs = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return std::ranges::all_of(name, belongs) ? name : std::string_view();
}

}  // namespace

std::string field(std::string_view name) { return kBegin + std::string(name) + kEnd; }

std::string spelled(std::string_view message, const FieldSpelling& spell) {
  std::string text;
  while (!message.empty()) {
    if (const std::string_view name = name_at(message); !name.empty()) {
      text += spell ? spell(name) : std::string(name);
      message.remove_prefix(name.size() + 2);
    } else {
      text += message[0];
      message.remove_prefix(1);
    }
  }
  return text;
}

std::string_view leading_field(std::string_view message) { return name_at(message); }

}  // namespace gridiron
