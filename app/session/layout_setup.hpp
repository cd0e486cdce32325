// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "layout/read_layout.hpp"

namespace gridiron {

class LayoutWires;

/// Which grid of a layout is asked for.
struct LayoutRequest {
  std::string net;          ///< empty: all of USE POWER and GROUND that have special wires
  std::string vsrc;         ///< OpenROAD's file of sources; may be empty,
  std::string source_type;  ///< and so may this: bumps, straps or full in any case,
  std::string corner;       ///< and this: only what was set for all corners
  std::string extraction;   ///< fine: as a mesh; empty: pdnsim
  double mesh_um = 0;       ///< of its cells; 0: none
  bool ignore_opens = false, ignore_shorts = false;
};

/// The layout of a session: what was read, what was set, and which grid was extracted. The order is free: what refers
/// to the design is checked at once where there is one, or else as soon as it is read. Settings apply to all corners,
/// or to the one that they name. After an error everything is as before.
class LayoutSetup {
 public:
  /// Technology first. A design that was read before is read again when it is needed. Errors: InputError.
  void read_lef(const std::string& path);
  /// In place of the design before; settings stay. Without LEF it is read when it is needed. Errors: InputError, also
  /// for settings that do not fit to the design.
  void read_def(const std::string& path);
  /// Powers of instances, or of cells. Errors: InputError.
  void read_power(const std::string& path, bool is_by_cell);

  // Settings; false if it was set so already. Errors: InputError.
  bool set_layer_rc(const layout::LayerRc& rc, const std::string& corner);
  bool set_net_voltage(const std::string& net, double volts, const std::string& corner);
  bool set_inst_power(const std::string& instance, double watts, const std::string& corner);
  bool set_source_settings(const layout::SourceSettings& settings);
  const layout::SourceSettings& source_settings() const { return source_settings_; }
  void clear_settings();

  /// Whether the session is about a layout, not a deck.
  bool is_input() const { return is_input_; }
  void leave();

  // What was read. Errors: InputError where LEF or DEF is missing, and those of reading it.
  const layout::Library& library() const;
  const layout::Chip& chip();
  /// The wires that straps of a plan are.
  std::shared_ptr<const LayoutWires> wires();
  /// Indices of nets: the one that is named, or all. Errors: InputError.
  std::vector<int32_t> nets(const std::string& net);
  const std::string& def() const { return def_; }
  /// Of files that were read, those with powers, and all.
  std::vector<std::string> tables() const;
  std::vector<std::string> files() const;

  /// The metal of a net; layers without a resistance have some.
  const layout::Network& network_to_check(int32_t net);

  /// What keep() was called for if it is what is asked for now, as it is set now, else null.
  const layout::Layout* kept(const LayoutRequest& request);
  /// Networks that were extracted with the same resistances are used again. Errors: InputError.
  layout::Layout extract(const LayoutRequest& request);
  void keep(const LayoutRequest& request, layout::Layout layout);
  /// The last one that was kept, null after a change. Its grids have no networks.
  const layout::Layout* kept() const { return kept_ ? &kept_->layout : nullptr; }

  /// Nominal voltages, V, by net.
  std::map<std::string, double> nominal(const std::string& corner) const;
  /// Lists what a run is of.
  void list(const LayoutRequest& request, RunFacts& run) const;

 private:
  /// Of a corner, empty: of all.
  template <class T>
  using ByCorner = std::map<std::pair<std::string, std::string>, T>;

  struct CornerRc {
    layout::LayerRc rc;
    std::string corner;
  };
  /// All that an extraction depends on besides settings.
  struct Key {
    std::vector<int32_t> nets;
    std::optional<layout::SourceFile> sources;
    std::optional<layout::SourcePattern> pattern;
    std::string corner;
    double mesh_um = 0;
    bool operator==(const Key&) const = default;
  };
  struct Kept {
    Key key;
    layout::Layout layout;
  };

  Key key_of(const LayoutRequest& request);
  void changed() { kept_.reset(); }
  void adopt(std::shared_ptr<const layout::Chip> chip);
  layout::Powers powers_of_files(const layout::Chip& chip, const std::vector<std::string>& powers,
                                 const std::string& by_cell) const;
  void require_net(const layout::Chip& chip, const std::string& net) const;
  void require_corner(const std::string& corner) const;
  /// Those of all corners, replaced by those of `corner`.
  template <class T>
  static std::map<std::string, T> of_corner(const ByCorner<T>& settings, const std::string& corner);
  layout::PlacedDesign& design_for(const std::string& corner);

  bool is_input_ = false;
  std::vector<std::string> lefs_, powers_;
  std::string def_, power_by_cell_;
  std::vector<CornerRc> rc_;
  ByCorner<double> volts_, watts_;
  layout::SourceSettings source_settings_;

  std::shared_ptr<const layout::Library> library_;
  std::shared_ptr<const layout::Chip> chip_;      ///< null: to be read
  std::optional<layout::Powers> file_powers_;     ///< of chip_
  std::optional<layout::PlacedDesign> design_;    ///< of chip_
  std::optional<layout::PlacedDesign> to_check_;  ///< the same with a resistance of every layer
  std::vector<layout::LayerRc> rc_of_design_;
  std::optional<Kept> kept_;
};

}  // namespace gridiron
