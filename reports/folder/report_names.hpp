// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

namespace gridiron {

/// A file that a command writes into its folder. Which they are is told here once: for the files that a run would
/// replace, and for what versions before manifest.json left behind.
struct ReportName {
  std::string_view command, format;
  std::string_view name;    ///< '*' stands for what depends on the run; tables may also be compressed, as NAME.zst
  std::string_view begins;  ///< how its content begins; '|' separates several ways; see report_names.cpp for others
  enum class When { always, sometimes } when = When::always;

  bool is_pattern() const { return name.find('*') != name.npos; }
};

/// Of all commands.
std::span<const ReportName> report_names();

/// Whether a file of this name may be what `report` describes.
bool fits(const ReportName& report, std::string_view file);

/// Whether the file has one of these names and begins as that report does, or is empty. Only its beginning is read.
bool is_own_report(const std::filesystem::path& path);

}  // namespace gridiron
