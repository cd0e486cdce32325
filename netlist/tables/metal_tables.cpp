// SPDX-License-Identifier: Apache-2.0
#include "netlist/tables/metal_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "netlist/names/name_table.hpp"
#include "netlist/source_text.hpp"
#include "netlist/tables/csv_rows.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error_text.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kAxelou =
    "O. Axelou, N. Evmorfopoulos, G. Floros, G. Stamoulis, S. S. Sapatnekar, A novel semi-analytical approach for fast "
    "electromigration stress analysis in multi-segment interconnects, ICCAD 2022, as its program EM_analytical has it";
constexpr std::string_view kHauRiege =
    "C. S. Hau-Riege, S. P. Hau-Riege, A. P. Marathe, The effect of interlevel dielectric on the critical tensile "
    "stress to void nucleation for the reliability of Cu interconnects, J. Appl. Phys. 96, 5792 (2004)";
constexpr std::string_view kKorhonen =
    "M. A. Korhonen, P. Børgesen, K. N. Tu, C.-Y. Li, Stress evolution due to electromigration in confined metal "
    "lines, J. Appl. Phys. 73, 3790 (1993)";

using P = MetalParameters;
constexpr MetalParameter kParameters[] = {
    {"atomic_volume_m3", &P::atomic_volume_m3, true, 1e-31, 1e-27, 1.182e-29, kAxelou},
    {"effective_charge", &P::effective_charge, true, 1e-3, 1e3, 1, kAxelou},
    {"critical_stress_pa", &P::critical_stress_pa, true, 1e3, 1e12, 41e6, kHauRiege},
    {"residual_stress_pa", &P::residual_stress_pa, true, -1e12, 1e12, 0, kKorhonen},
    {"bulk_modulus_pa", &P::bulk_modulus_pa, false, 1e6, 1e13, 28e9, kAxelou},
    {"diffusivity_m2_s", &P::diffusivity_m2_s, false, 1e-30, 1, 1.3e-9, kAxelou},
    {"activation_energy_ev", &P::activation_energy_ev, false, 1e-3, 5, 1, kAxelou},
    {"temperature_c", &P::temperature_c, false, -100, 5000, 105, kAxelou},
};

/// Rows under a header that must be these columns.
class Table {
 public:
  Table(const std::string& path, std::string_view header) : source_(SourceText::open(path)), rows_(*source_) {
    std::string found;
    const char* where = source_->text().data();
    if (rows_.next()) {
      where = rows_.fields()[0].where;
      for (const CsvRows::Field& field : rows_.fields()) found += (found.empty() ? "" : ",") + std::string(field.text);
      columns_ = rows_.fields().size();
    }
    if (!same_name(found, header)) rows_.fail(where, fmt::format("expected the header {}", header));
  }

  bool next() {
    if (!rows_.next()) return false;
    if (fields().size() != columns_)
      fail(0, fmt::format("{} fields, but the header has {}", fields().size(), columns_));
    return true;
  }
  const std::vector<CsvRows::Field>& fields() const { return rows_.fields(); }
  std::string_view text(size_t column) const { return fields()[column].text; }

  /// Without suffix or unit, as the column tells it.
  double number(size_t column, std::string_view what) const {
    const std::optional<double> number = quantity(text(column), Quantity::pure);
    if (!number || !std::isfinite(*number) || has_letters(text(column)))
      fail(column, fmt::format("expected {}, without suffix, not {:?}", what, text(column)));
    return *number;
  }
  /// Of a wire, from a tenth of a nanometre to a metre.
  double size_um(size_t column, std::string_view what) const {
    constexpr double kLeast = 1e-4, kMost = 1e6;
    const double value = number(column, what);
    if (!(value > 0)) fail(column, fmt::format("expected {}, not {:?}", what, text(column)));
    if (!(value >= kLeast && value <= kMost))
      fail(column, fmt::format("expected {}, from {:g} to {:g}, not {:?}", what, kLeast, kMost, text(column)));
    return value;
  }
  std::string place() {
    const CsvRows::Place at = rows_.place(fields()[0].where);
    return fmt::format("{}:{}:{}", source_->path(), at.line, at.column);
  }
  [[noreturn]] void fail(size_t column, std::string_view what) const { rows_.fail(fields()[column].where, what); }

 private:
  std::shared_ptr<const SourceText> source_;
  CsvRows rows_;
  size_t columns_ = 0;
};

const MetalParameter& parameter_named(const Table& table) {
  const auto found =
      std::ranges::find_if(kParameters, [&](const MetalParameter& p) { return same_name(p.name, table.text(0)); });
  if (found != std::end(kParameters)) return *found;
  std::vector<std::string> known;
  for (const MetalParameter& parameter : kParameters) known.emplace_back(parameter.name);
  table.fail(0, fmt::format("no parameter is called {:?}; there are {}", table.text(0), fmt::join(known, ", ")));
}

}  // namespace

std::span<const MetalParameter> metal_parameters() { return kParameters; }

MetalParameters usual_metal() {
  MetalParameters metal;
  for (const MetalParameter& parameter : kParameters) metal.*parameter.member = parameter.usual;
  return metal;
}

MetalParameters read_metal_parameters(const std::string& path) {
  Table table(path, "parameter,value");
  MetalParameters metal;
  std::vector<const MetalParameter*> given;
  while (table.next()) {
    const MetalParameter& parameter = parameter_named(table);
    if (std::ranges::find(given, &parameter) != given.end())
      table.fail(0, fmt::format("{} stands there twice; keep one", parameter.name));
    given.push_back(&parameter);
    const double value = table.number(1, "a number");
    if (!(value >= parameter.least && value <= parameter.most))
      table.fail(1, fmt::format("{} is from {:g} to {:g} in any metal, and so not {:?}", parameter.name,
                                parameter.least, parameter.most, table.text(1)));
    metal.*parameter.member = value;
  }
  for (const MetalParameter& parameter : kParameters)
    if (parameter.is_needed && std::ranges::find(given, &parameter) == given.end())
      throw input_error("{}: the parameter {} is missing; add a row, in copper it is about {:g}", path, parameter.name,
                        parameter.usual);
  return metal;
}

void require_course_parameters(const MetalParameters& metal, const std::string& path) {
  for (const MetalParameter& parameter : kParameters)
    if (!parameter.is_needed && (metal.*parameter.member == 0 || std::isnan(metal.*parameter.member)) &&
        !(parameter.member == &P::temperature_c && metal.temperature_c == 0))
      throw input_error("{}: the parameter {} is missing, which times depend on; add a row, in copper it is about {:g}",
                        path, parameter.name, parameter.usual);
}

std::vector<MetalLayer> read_metal_layers(const std::string& path) {
  Table table(path, "layer,width_um,thickness_um");
  std::vector<MetalLayer> layers;
  while (table.next()) {
    MetalLayer layer;
    layer.layer = table.text(0);
    if (layer.layer.empty()) table.fail(0, "expected the name of a layer here");
    layer.place = table.place();
    const auto same =
        std::ranges::find_if(layers, [&](const MetalLayer& other) { return same_name(other.layer, layer.layer); });
    if (same != layers.end())
      table.fail(0, fmt::format("layer {} has a row at {}; keep one", layer.layer, same->place));
    if (!table.text(1).empty()) layer.width_um = table.size_um(1, "a width in µm above 0");
    if (!table.text(2).empty()) layer.thickness_um = table.size_um(2, "a thickness in µm above 0");
    layers.push_back(std::move(layer));
  }
  if (layers.empty()) throw input_error("{}: the table has no rows; give one per layer", path);
  return layers;
}

}  // namespace gridiron
