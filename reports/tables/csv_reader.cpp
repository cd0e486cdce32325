// SPDX-License-Identifier: Apache-2.0
#include "reports/tables/csv_reader.hpp"

namespace gridiron {

bool CsvReader::next() {
  if (rest_.empty()) return false;
  line_ = next_line_;
  size_t count = 0;
  const auto new_field = [&]() -> std::string& {
    if (count == fields_.size()) fields_.emplace_back();
    fields_[count].clear();
    return fields_[count++];
  };
  std::string* field = &new_field();
  bool is_quoted = false;
  size_t at = 0;
  for (; at < rest_.size(); ++at) {
    const char c = rest_[at];
    if (c == '\n') ++next_line_;
    if (is_quoted) {
      if (c != '"') {
        *field += c;
      } else if (at + 1 < rest_.size() && rest_[at + 1] == '"') {
        *field += '"';
        ++at;
      } else {
        is_quoted = false;
      }
    } else if (c == '"' && field->empty()) {
      is_quoted = true;
    } else if (c == ',') {
      field = &new_field();
    } else if (c == '\n') {
      break;
    } else if (c != '\r' || (at + 1 < rest_.size() && rest_[at + 1] != '\n')) {
      *field += c;
    }
  }
  is_cut_off_ = is_quoted;
  rest_.remove_prefix(at < rest_.size() ? at + 1 : at);
  fields_.resize(count);
  return true;
}

std::string_view csv_name(std::string_view field) {
  const bool is_guarded =
      field.size() > 1 && field[0] == '\'' && std::string_view("=+-@\t\r").find(field[1]) != std::string_view::npos;
  return is_guarded ? field.substr(1) : field;
}

}  // namespace gridiron
