// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/session/session_commands.hpp"
#include "layout/read_layout.hpp"
#include "reports/tables/markers.hpp"

namespace gridiron {

/// Puts the grid of a layout that is asked for into the session. The one before, with its edits and its analysis, comes
/// back with the end of this object, unless keep() says that the new one could be analysed.
class GridChange {
 public:
  GridChange(Console& console, LayoutRequest request) : console_(console), request_(std::move(request)) {}
  ~GridChange();
  GridChange(const GridChange&) = delete;
  GridChange& operator=(const GridChange&) = delete;

  /// Does nothing if that grid is the session's. Errors: InputError, GridError for shorts and opens that are
  /// not ignored; `error_file`, if not empty, then receives markers of them.
  void make(const std::string& error_file);
  void keep();

 private:
  Console& console_;
  LayoutRequest request_;
  std::optional<layout::Layout> fresh_;
  std::optional<Session> before_;
  std::unique_ptr<const Simulated> simulated_;
};

/// These shorts, and what is open in some nets, in the order of these.
Markers markers_of_faults(LayoutSetup& layout, const std::vector<int32_t>& nets,
                          const std::vector<layout::Short>& shorts);

}  // namespace gridiron
