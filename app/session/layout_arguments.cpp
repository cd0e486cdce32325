// SPDX-License-Identifier: Apache-2.0
#include "app/session/layout_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <utility>

#include "analysis/run/run_facts.hpp"
#include "app/session/analysis_options.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kOpen = "open-", kShort = "short";

/// "NET=FILE", or a file alone, whose net is "".
std::pair<std::string, std::string> net_and_file(const std::string& text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return {"", text};
  if (equals == 0 || equals + 1 == text.size())
    throw InputError(fmt::format("{} {}: expected a file, or NET=FILE", field("sources"), text));
  return {text.substr(0, equals), text.substr(equals + 1)};
}

double number_above_0(const std::string& text, const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (value.empty() || *end != '\0' || !(number > 0) || !std::isfinite(number))
    throw InputError(fmt::format("{} {}: expected a number above 0", field("source_set"), text));
  return number;
}

int32_t whole_number_above_0(const std::string& text, const std::string& value) {
  const double number = number_above_0(text, value);
  if (number != std::floor(number) || number > 1e6)
    throw InputError(fmt::format("{} {}: expected a whole number from 1 to 1000000", field("source_set"), text));
  return static_cast<int32_t>(number);
}

void set(layout::SourceSettings& settings, const std::string& text) {
  const auto [key, value] = parse_assignment("source_set", text);
  if (key == "bump_dx")
    settings.bump_dx_um = number_above_0(text, value);
  else if (key == "bump_dy")
    settings.bump_dy_um = number_above_0(text, value);
  else if (key == "bump_size")
    settings.bump_size_um = number_above_0(text, value);
  else if (key == "bump_interval")
    settings.bump_interval = whole_number_above_0(text, value);
  else if (key == "strap_track_pitch")
    settings.strap_track_pitch = whole_number_above_0(text, value);
  else
    throw InputError(
        fmt::format("{} {}: there is no such setting; known are bump_dx, bump_dy, bump_size, bump_interval and "
                    "strap_track_pitch",
                    field("source_set"), text));
}

}  // namespace

void LayoutArguments::require_lef(const std::string& def) const {
  if (!is_layout())
    throw InputError(
        fmt::format("{}: a DEF file is read with its LEF files, the technology's first; give {}", def, field("lef")));
}

void LayoutArguments::require_no_layout() const {
  const auto refuse = [](bool is_given, const char* name) {
    if (is_given)
      throw InputError(
          fmt::format("{}: it is of a layout, a DEF file; give its LEF files, too, by {}", field(name), field("lef")));
  };
  refuse(!layer_rc.empty(), "layer_rc");
  refuse(!power.empty(), "power");
  refuse(!power_by_cell.empty(), "power_by_cell");
  refuse(!sources.empty(), "sources");
  refuse(!source_type.empty(), "source_type");
  refuse(!source_settings.empty(), "source_set");
  refuse(source_resistance > 0, "source_resistance");
  refuse(ignore_shorts, "ignore_shorts");
  refuse(!extraction.empty(), "extract");
  refuse(mesh_um > 0, "mesh");
}

std::vector<std::string> LayoutArguments::layout_tables() const {
  std::vector<std::string> files = power;
  for (const std::string& text : sources) files.push_back(net_and_file(text).second);
  for (const std::string* file : {&layer_rc, &power_by_cell})
    if (!file->empty()) files.push_back(*file);
  return files;
}

void LayoutArguments::require_sound(const std::vector<Finding>& findings) const {
  if (!ignore_shorts) require_no_shorts(findings);
  if (!ignore_opens) require_no_opens(findings);
}

void LayoutArguments::list_layout(RunFacts& run) const {
  add_option(run, "lef", lef);
  add_option(run, "layer_rc", layer_rc);
  add_option(run, "power", power);
  add_option(run, "power_by_cell", power_by_cell);
  add_option(run, "sources", sources);
  add_option(run, "source_type", source_type);
  add_option(run, "source_set", source_settings);
  if (source_resistance > 0) add_option(run, "source_resistance", fmt::format("{}", source_resistance));
  if (ignore_opens) add_option(run, "ignore_opens", "yes");
  if (ignore_shorts) add_option(run, "ignore_shorts", "yes");
  add_option(run, "extract", extraction);
  if (mesh_um > 0) add_option(run, "mesh", fmt::format("{}", mesh_um));
}

layout::LayoutFiles LayoutArguments::layout_files(const std::string& def, const std::string& net,
                                                  const DesignOptions& options) const {
  layout::LayoutFiles files;
  files.mesh_um = mesh_of(extraction, mesh_um);
  files.def = def;
  files.lefs = lef;
  files.layer_rc = layer_rc;
  files.powers = power;
  files.power_by_cell = power_by_cell;
  if (!net.empty()) files.nets = {net};
  for (const std::string& text : sources) {
    auto [of, file] = net_and_file(text);
    if (!files.sources.emplace(std::move(of), std::move(file)).second)
      throw InputError(fmt::format("{} {}: this net has its sources already", field("sources"), text));
  }
  if (!source_type.empty()) files.source_settings.pattern = layout::source_pattern_named(source_type);
  for (const std::string& text : source_settings) set(files.source_settings, text);
  files.source_settings.ohm = source_resistance;
  files.looks_at_all_nets = looks_at_all_nets;
  files.nominal.insert(options.nominal_v.begin(), options.nominal_v.end());
  return files;
}

double mesh_of(const std::string& extraction, double mesh_um) {
  if (extraction == "fine" && !(mesh_um > 0))
    throw InputError(fmt::format("{} fine: give the size of its cells in um, {} 1", field("extract"), field("mesh")));
  if (extraction != "fine" && mesh_um > 0)
    throw InputError(fmt::format("{} {}: it is of {} fine", field("mesh"), mesh_um, field("extract")));
  return mesh_um;
}

std::string check_source_type(const std::string& text) {
  for (const char* known : {"bumps", "straps", "full"})
    if (same_name(text, known)) return "";
  return fmt::format("'{}': expected BUMPS, STRAPS or FULL", text);
}

bool is_called_def(std::string_view path) {
  for (const std::string_view packed : {".gz", ".bz2", ".xz", ".zst"})
    if (path.ends_with(packed)) {
      path.remove_suffix(packed.size());
      break;
    }
  if (path.size() < 4) return false;
  std::string extension(path.substr(path.size() - 4));
  std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
  return extension == ".def";
}

void require_no_opens(const std::vector<Finding>& findings) {
  const auto is_open = [](const Finding& f) { return f.code.starts_with(kOpen); };
  const auto first = std::ranges::find_if(findings, is_open);
  if (first == findings.end()) return;
  throw GridError(fmt::format("{}: {} [{}]; connect them, or accept them by {}", first->place, first->message,
                              first->code, field("ignore_opens")));
}

void require_no_shorts(const std::vector<Finding>& findings) {
  const auto first = std::ranges::find(findings, kShort, &Finding::code);
  if (first == findings.end()) return;
  throw GridError(fmt::format("{}: {} [{}]; move them apart, or accept them by {}", first->place, first->message,
                              first->code, field("ignore_shorts")));
}

}  // namespace gridiron
