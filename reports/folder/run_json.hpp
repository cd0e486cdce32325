// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "reports/text/utf8.hpp"
#include "support/error_text.hpp"

// Reading a report.json that anybody may have changed.

namespace gridiron {

using PlainJson = nlohmann::json;

/// Errors: InputError that begins with the file.
template <class... Args>
[[noreturn]] void fail_file(const std::filesystem::path& path, fmt::format_string<Args...> why, Args&&... args) {
  throw input_error("{}: {}", path.string(), fmt::format(why, std::forward<Args>(args)...));
}

/// A member of the report, which must be there.
inline const PlainJson& member(const std::filesystem::path& path, const PlainJson& object, const char* name) {
  if (!object.is_object() || !object.contains(name)) fail_file(path, "\"{}\" is missing", name);
  return object.at(name);
}

inline std::string name_in(const PlainJson& value) { return from_unicode(value.get<std::string>()); }

inline double number_or(const PlainJson& value, double otherwise) {
  return value.is_number() ? value.get<double>() : otherwise;
}

/// A member that may be missing.
inline double number_or(const PlainJson& object, const char* name, double otherwise) {
  return number_or(object.value(name, PlainJson()), otherwise);
}

}  // namespace gridiron
