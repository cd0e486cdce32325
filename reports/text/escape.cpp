// SPDX-License-Identifier: Apache-2.0
#include "reports/text/escape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "reports/text/utf8.hpp"

namespace gridiron {
namespace {

constexpr size_t kFileNameBytes = 80;

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0); }

/// Line separators and bidirectional control characters, which make a line display differently from its contents.
bool reorders_text(char32_t c) {
  return c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const auto code = next_code_point(text);
    const std::string_view bytes = before.substr(0, before.size() - text.size());
    if (!code)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(bytes.front()));
    else if (is_control(*code))
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned>(*code));
    else if (reorders_text(*code))
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(*code));
    else
      out += bytes;
  }
  return out;
}

void append_csv_field(std::string& out, std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  const bool quote = std::ranges::any_of(text, [](char c) { return c == ',' || c == '"' || c == '\r' || c == '\n'; });
  if (!quote) {
    if (formula) out += '\'';
    out += text;
    return;
  }
  out += '"';
  if (formula) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string file_name_part(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    const auto code = next_code_point(text);
    const std::string_view bytes = before.substr(0, before.size() - text.size());
    const bool unfit =
        !code || is_control(*code) || reorders_text(*code) || (*code == ' ' && out.empty()) ||
        (*code == '.' && out.empty()) ||
        (*code < 0x80 && std::string_view("/\\:*?\"<>|$`").find(bytes.front()) != std::string_view::npos);
    if (out.size() + bytes.size() > kFileNameBytes) break;
    out += unfit ? std::string_view("_") : bytes;
  }
  while (!out.empty() && (out.back() == '.' || out.back() == ' ')) out.pop_back();
  return out.empty() ? "_" : out;
}

}  // namespace gridiron
