// SPDX-License-Identifier: Apache-2.0
#include "app/session/layout_setup.hpp"

#include <algorithm>
#include <iterator>

#include "analysis/run/run_facts.hpp"
#include "app/session/layout_arguments.hpp"
#include "app/session/layout_wires.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/source_text.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

bool is_any_corner(const std::string& corner) { return corner.empty() || same_name(corner, "default"); }

/// Whether `slot` had another value.
template <class T>
bool assign(T& slot, T value) {
  if (slot == value) return false;
  slot = std::move(value);
  return true;
}

/// Whether it is a new key, or had another value.
template <class Map>
bool put_setting(Map& settings, typename Map::key_type key, typename Map::mapped_type value) {
  const auto [at, is_new] = settings.try_emplace(std::move(key), value);
  return assign(at->second, std::move(value)) || is_new;
}

/// "NAME=VALUE" of each, of many the first.
std::vector<std::string> first_assignments(const std::map<std::string, double>& values) {
  constexpr size_t kMost = 20;
  std::vector<std::string> texts;
  for (const auto& [name, value] : values) {
    if (texts.size() == kMost) {
      texts.push_back(fmt::format("and {} more", values.size() - kMost));
      break;
    }
    texts.push_back(fmt::format("{}={}", name, value));
  }
  return texts;
}

/// As --source-set has them, of those that are not the default.
std::vector<std::string> described_settings(const layout::SourceSettings& settings) {
  const layout::SourceSettings initial;
  std::vector<std::string> texts;
  const auto add = [&](const char* name, auto value, auto usual) {
    if (value != usual) texts.push_back(fmt::format("{}={}", name, value));
  };
  add("bump_dx", settings.bump_dx_um, initial.bump_dx_um);
  add("bump_dy", settings.bump_dy_um, initial.bump_dy_um);
  add("bump_size", settings.bump_size_um, initial.bump_size_um);
  add("bump_interval", settings.bump_interval, initial.bump_interval);
  add("strap_track_pitch", settings.strap_track_pitch, initial.strap_track_pitch);
  return texts;
}

/// A message about a voltage that is missing, without the option that gives it: here a command does.
std::string without_option(std::string message) {
  const std::string option = field("nominal") + " ";
  if (message.starts_with(option)) message.erase(0, option.size());
  return message.substr(0, message.rfind("; "));
}

std::optional<layout::SourcePattern> pattern_of(const std::string& source_type) {
  if (source_type.empty()) return std::nullopt;
  return layout::source_pattern_named(source_type);
}

}  // namespace

// ---- What is read

void LayoutSetup::read_lef(const std::string& path) {
  auto more = std::make_shared<const layout::Library>(layout::with_lef(library_ ? *library_ : layout::Library(), path));
  lefs_.push_back(path);
  library_ = std::move(more);
  chip_.reset();
  file_powers_.reset();
  design_.reset();
  to_check_.reset();
  is_input_ = true;
  changed();
}

void LayoutSetup::read_def(const std::string& path) {
  if (library_) {
    auto chip = std::make_shared<const layout::Chip>(layout::read_def(path, *library_));
    try {
      adopt(std::move(chip));
    } catch (const InputError& e) {
      throw input_error("{}: what was set before does not fit this design, {}; clear_pdnsim_settings forgets it", path,
                        e.message());
    }
  } else {
    SourceText::open(path);
    chip_.reset();
  }
  def_ = path;
  is_input_ = true;
  changed();
}

/// Takes the chip if all settings fit to it.
void LayoutSetup::adopt(std::shared_ptr<const layout::Chip> chip) {
  layout::LayerResistances resistances = layout::lef_resistances(*library_);
  for (const CornerRc& rc : rc_) layout::set_layer_rc(rc.rc, *library_, resistances);
  for (const auto& [key, volts] : volts_) require_net(*chip, key.first);
  layout::Powers powers = powers_of_files(*chip, powers_, power_by_cell_);
  for (const auto& [key, watts] : watts_)
    if (!powers.has_component(key.first)) throw field_error("inst", "{}: the layout has no such component", key.first);
  design_.reset();
  to_check_.reset();
  file_powers_.reset();
  chip_ = std::move(chip);
  file_powers_.emplace(std::move(powers));
}

layout::Powers LayoutSetup::powers_of_files(const layout::Chip& chip, const std::vector<std::string>& powers,
                                            const std::string& by_cell) const {
  layout::LayoutFiles files;
  files.powers = powers;
  files.power_by_cell = by_cell;
  return layout::read_powers(files, *library_, chip);
}

void LayoutSetup::read_power(const std::string& path, bool is_by_cell) {
  std::vector<std::string> powers = powers_;
  std::string by_cell = is_by_cell ? path : power_by_cell_;
  if (!is_by_cell) {
    std::erase(powers, path);
    powers.push_back(path);
  }
  if (chip_) {
    layout::Powers read = powers_of_files(*chip_, powers, by_cell);
    file_powers_.reset();
    file_powers_.emplace(std::move(read));
  } else {
    SourceText::open(path);
  }
  powers_ = std::move(powers);
  power_by_cell_ = std::move(by_cell);
  changed();
}

void LayoutSetup::leave() {
  is_input_ = false;
  changed();
}

const layout::Library& LayoutSetup::library() const {
  if (!library_) throw InputError("no LEF file has been read; give read_lef all of them, the technology's first");
  return *library_;
}

const layout::Chip& LayoutSetup::chip() {
  library();
  if (def_.empty()) throw InputError("no DEF file has been read; read_def reads one");
  if (!chip_) adopt(std::make_shared<const layout::Chip>(layout::read_def(def_, *library_)));
  return *chip_;
}

std::shared_ptr<const LayoutWires> LayoutSetup::wires() {
  chip();
  return std::make_shared<const LayoutWires>(library_, chip_);
}

std::vector<int32_t> LayoutSetup::nets(const std::string& net) {
  return layout::chosen_nets(chip(), net.empty() ? std::vector<std::string>() : std::vector<std::string>{net});
}

std::vector<std::string> LayoutSetup::tables() const {
  std::vector<std::string> tables = powers_;
  if (!power_by_cell_.empty()) tables.push_back(power_by_cell_);
  return tables;
}

std::vector<std::string> LayoutSetup::files() const {
  std::vector<std::string> files = lefs_;
  if (!def_.empty()) files.push_back(def_);
  std::ranges::copy(tables(), std::back_inserter(files));
  return files;
}

// ---- Settings

void LayoutSetup::require_net(const layout::Chip& chip, const std::string& net) const {
  if (chip.net(net) >= 0) return;
  std::vector<std::string> names;
  for (const layout::SpecialNet& n : chip.nets) names.push_back(n.name);
  throw field_error("net", "{}: the layout has no such net; it has {}", net,
                    names_near(net, names) + did_you_mean(net, names));
}

void LayoutSetup::require_corner(const std::string& corner) const {
  if (is_any_corner(corner)) return;
  const auto is_known = [&](const auto& settings) {
    return std::ranges::any_of(settings, [&](const auto& setting) { return setting.first.second == corner; });
  };
  if (is_known(volts_) || is_known(watts_) || std::ranges::find(rc_, corner, &CornerRc::corner) != rc_.end()) return;
  throw field_error("corner", "{}: nothing was set for this corner", corner);
}

bool LayoutSetup::set_layer_rc(const layout::LayerRc& rc, const std::string& corner) {
  if (library_) {
    layout::LayerResistances scratch = layout::lef_resistances(*library_);
    layout::set_layer_rc(rc, *library_, scratch);
  }
  const std::string of = is_any_corner(corner) ? "" : corner;
  const auto at = std::ranges::find_if(rc_, [&](const CornerRc& known) {
    return known.corner == of && known.rc.layer == rc.layer && known.rc.is_via == rc.is_via;
  });
  if (at != rc_.end() && at->rc == rc) return false;
  if (at != rc_.end()) rc_.erase(at);
  rc_.push_back({rc, of});
  changed();
  return true;
}

bool LayoutSetup::set_net_voltage(const std::string& net, double volts, const std::string& corner) {
  if (chip_) require_net(*chip_, net);
  if (!put_setting(volts_, {net, is_any_corner(corner) ? "" : corner}, volts)) return false;
  changed();
  return true;
}

bool LayoutSetup::set_inst_power(const std::string& instance, double watts, const std::string& corner) {
  if (file_powers_ && !file_powers_->has_component(instance))
    throw field_error("inst", "{}: the layout has no such component", instance);
  if (!put_setting(watts_, {instance, is_any_corner(corner) ? "" : corner}, watts)) return false;
  changed();
  return true;
}

bool LayoutSetup::set_source_settings(const layout::SourceSettings& settings) {
  if (!assign(source_settings_, settings)) return false;
  changed();
  return true;
}

void LayoutSetup::clear_settings() {
  rc_.clear();
  volts_.clear();
  watts_.clear();
  powers_.clear();
  power_by_cell_.clear();
  source_settings_ = {};
  file_powers_.reset();
  if (chip_) file_powers_.emplace(*chip_);
  changed();
}

template <class T>
std::map<std::string, T> LayoutSetup::of_corner(const ByCorner<T>& settings, const std::string& corner) {
  std::map<std::string, T> of;
  for (const bool is_special : {false, true})
    for (const auto& [key, value] : settings)
      if (is_special ? key.second == corner && !corner.empty() : key.second.empty()) of[key.first] = value;
  return of;
}

std::map<std::string, double> LayoutSetup::nominal(const std::string& corner) const {
  return of_corner(volts_, is_any_corner(corner) ? "" : corner);
}

// ---- Extraction

layout::PlacedDesign& LayoutSetup::design_for(const std::string& corner) {
  chip();
  std::vector<layout::LayerRc> rc;
  for (const bool is_special : {false, true})
    for (const CornerRc& known : rc_)
      if (is_special ? known.corner == corner && !corner.empty() : known.corner.empty()) rc.push_back(known.rc);
  if (design_ && rc == rc_of_design_) return *design_;
  layout::LayerResistances resistances = layout::lef_resistances(*library_);
  for (const layout::LayerRc& known : rc) layout::set_layer_rc(known, *library_, resistances);
  design_.emplace(layout::PlacedDesign{library_, chip_, std::move(resistances)});
  rc_of_design_ = std::move(rc);
  return *design_;
}

const layout::Network& LayoutSetup::network_to_check(int32_t net) {
  layout::PlacedDesign& design = design_for("");
  layout::LayerResistances known = design.resistances;
  bool are_all_known = true;
  for (std::vector<double>* ohm : {&known.ohm_per_square, &known.ohm_per_cut})
    for (size_t l = 0; l < ohm->size(); ++l) {
      const bool is_needed =
          (ohm == &known.ohm_per_cut ? layout::LayerKind::cut : layout::LayerKind::routing) == library_->layers[l].kind;
      if (!is_needed || (*ohm)[l] > 0) continue;
      (*ohm)[l] = 1;
      are_all_known = false;
    }
  if (are_all_known && design.mesh_um == 0) return design.network(net);
  if (!to_check_) to_check_.emplace(layout::PlacedDesign{library_, chip_, std::move(known)});
  return to_check_->network(net);
}

LayoutSetup::Key LayoutSetup::key_of(const LayoutRequest& request) {
  if (!request.vsrc.empty() && request.net.empty()) throw field_error("vsrc", "needs {}", field("net"));
  require_corner(request.corner);
  Key key;
  key.mesh_um = mesh_of(request.extraction, request.mesh_um);
  key.nets = nets(request.net);
  if (!request.vsrc.empty()) key.sources = layout::read_source_file(request.vsrc, chip().dbu_per_um);
  key.pattern = pattern_of(request.source_type);
  key.corner = is_any_corner(request.corner) ? "" : request.corner;
  return key;
}

const layout::Layout* LayoutSetup::kept(const LayoutRequest& request) {
  return kept_ && kept_->key == key_of(request) ? &kept_->layout : nullptr;
}

layout::Layout LayoutSetup::extract(const LayoutRequest& request) {
  const Key key = key_of(request);
  layout::PlacedDesign& design = design_for(key.corner);
  layout::LayoutFiles files;
  if (!request.net.empty()) files.nets = {request.net};
  if (!request.vsrc.empty()) files.sources = {{request.net, request.vsrc}};
  files.nominal = nominal(key.corner);
  files.mesh_um = key.mesh_um;
  files.source_settings = source_settings_;
  files.source_settings.pattern = key.pattern;
  files.source_settings.pins_first = true;
  layout::Powers powers = *file_powers_;
  for (const auto& [instance, watts] : of_corner(watts_, key.corner)) powers.set_watts(instance, watts);
  try {
    layout::Layout layout = layout::make_layout(design, files, powers);
    for (layout::NetGrid& grid : layout.grids) design.networks[grid.net] = std::move(grid.network);
    return layout;
  } catch (const InputError& e) {
    if (e.message().find(field("nominal")) == std::string::npos) throw;
    throw InputError(without_option(e.message()) + "; give set_pdnsim_net_voltage -net NET -voltage VOLTS");
  }
}

void LayoutSetup::keep(const LayoutRequest& request, layout::Layout layout) {
  kept_.emplace(Kept{key_of(request), std::move(layout)});
}

void LayoutSetup::list(const LayoutRequest& request, RunFacts& run) const {
  const std::string corner = is_any_corner(request.corner) ? "" : request.corner;
  add_option(run, "lef", lefs_);
  std::vector<std::string> resistances;
  for (const CornerRc& known : rc_)
    if (known.corner.empty() || known.corner == corner)
      resistances.push_back(fmt::format("{}={}", known.rc.layer, known.rc.resistance));
  add_option(run, "layer_rc", resistances);
  add_option(run, "power", powers_);
  add_option(run, "power_by_cell", power_by_cell_);
  add_option(run, "inst_power", first_assignments(of_corner(watts_, corner)));
  add_option(run, "nominal", first_assignments(nominal(corner)));
  add_option(run, "sources", request.vsrc);
  add_option(run, "source_type", request.source_type);
  add_option(run, "source_set", described_settings(source_settings_));
  if (source_settings_.ohm > 0) add_option(run, "source_resistance", fmt::format("{}", source_settings_.ohm));
  add_option(run, "corner", request.corner);
  add_option(run, "extract", request.extraction);
  if (request.mesh_um > 0) add_option(run, "mesh", fmt::format("{}", request.mesh_um));
  if (request.ignore_opens) add_option(run, "ignore_opens", "yes");
  if (request.ignore_shorts) add_option(run, "ignore_shorts", "yes");
}

}  // namespace gridiron
