// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/include_path.hpp"

#include <fmt/format.h>

#include <system_error>

namespace gridiron {

namespace fs = std::filesystem;

std::string canonical_path(const fs::path& path) {
  std::error_code error;
  const fs::path found = fs::weakly_canonical(path, error);
  return error ? path.string() : found.string();
}

fs::path path_from(const std::string& from, std::string_view written) {
  const fs::path path{std::string(written)};
  return path.is_relative() && !from.starts_with('<') ? fs::path(from).parent_path() / path : path;
}

std::optional<ReadFinding> namesake_finding(const fs::path& as_written, const fs::path& path,
                                            const std::string& place) {
  std::error_code is_missing;
  if (as_written == path || !fs::exists(as_written, is_missing) || !fs::exists(path, is_missing) ||
      fs::equivalent(as_written, path, is_missing))
    return std::nullopt;
  return ReadFinding{
      true, "include-namesake",
      fmt::format("{} is read, and not {} of the working folder, which ngspice would take; write which one is meant",
                  path.string(), as_written.string()),
      place};
}

}  // namespace gridiron
