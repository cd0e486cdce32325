// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/results/ir_report.hpp"
#include "layout/read_layout.hpp"
#include "netlist/deck/deck.hpp"

namespace gridiron {

/// How a DEF file is read, as typed.
struct LayoutArguments {
  std::vector<std::string> lef, power, sources, source_settings;
  std::string layer_rc, power_by_cell, source_type, extraction;
  double source_resistance = 0, mesh_um = 0;
  bool ignore_opens = false, ignore_shorts = false;
  bool looks_at_all_nets = false;  ///< for shorts; of a command, never typed

  bool is_layout() const { return !lef.empty(); }
  /// Errors: InputError where there is no LEF file for `def`.
  void require_lef(const std::string& def) const;
  /// Errors: InputError for an option that only a layout has.
  void require_no_layout() const;
  /// What is read besides DEF and LEF.
  std::vector<std::string> layout_tables() const;
  /// Errors: GridError for shorts and opens among `findings` that are not ignored.
  void require_sound(const std::vector<Finding>& findings) const;
  /// Lists the options of a run that are given.
  void list_layout(RunFacts& run) const;
  /// `net`, if not empty, is the only one to be extracted. Errors: InputError.
  layout::LayoutFiles layout_files(const std::string& def, const std::string& net, const DesignOptions& options) const;
};

/// Whether a file is called like a DEF file: chip.def, chip.def.gz.
bool is_called_def(std::string_view path);

/// LayoutFiles::mesh_um of these options. Errors: InputError where one lacks the other.
double mesh_of(const std::string& extraction, double mesh_um);

/// For Argument::check: empty if it is "bumps", "straps" or "full" in any case, else what is expected.
std::string check_source_type(const std::string& text);

/// Shapes, terminals and pins of the block that are not connected are told by findings of these codes; errors unless
/// they are ignored: GridError.
void require_no_opens(const std::vector<Finding>& findings);
/// The same of shorts between nets.
void require_no_shorts(const std::vector<Finding>& findings);

}  // namespace gridiron
