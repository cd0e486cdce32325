// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/em/active_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/model/findings.hpp"
#include "analysis/results/segments.hpp"
#include "netlist/names/layer_pair.hpp"
#include "netlist/names/name_table.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/nearest_names.hpp"

namespace gridiron {
namespace {

constexpr double kBoltzmannEvPerK = 8.617333262e-5;  // CODATA 2018
double kelvin(double celsius) { return celsius + 273.15; }

/// Linear between x[k], constant beyond.
double interpolated(std::span<const double> x, std::span<const double> y, double at) {
  const auto next = std::ranges::upper_bound(x, at);
  if (next == x.begin()) return y.front();
  if (next == x.end()) return y[x.size() - 1];
  const size_t k = next - x.begin();
  return y[k - 1] + (y[k] - y[k - 1]) * (at - x[k - 1]) / (x[k] - x[k - 1]);
}

std::string range_text(std::string_view what, const EmRange& range) {
  if (range.is_all()) return "";
  return range.high == HUGE_VAL ? fmt::format(" {} from {:g} um", what, range.low)
                                : fmt::format(" {} {:g}..{:g} um", what, range.low, range.high);
}

std::string name_for(const EmRule& rule, EmUnit unit) {
  return fmt::format("{} {} {}{}{}{}{}", rule.layer, name_of(rule.kind), name_of(unit),
                     rule.statement.empty() ? "" : " of " + rule.statement, range_text("width", rule.width_um),
                     range_text("length", rule.length_um), rule.cut_class.empty() ? "" : " of class " + rule.cut_class);
}

/// Whether two rules are one at two temperatures.
bool is_of_table(const EmRule& a, const EmRule& b) {
  return a.kind == b.kind && a.unit == b.unit && a.statement == b.statement && are_same_layers(a.layer, b.layer) &&
         same_name(a.cut_class, b.cut_class) && a.width_um == b.width_um && a.length_um == b.length_um &&
         a.frequencies_hz == b.frequencies_hz && a.sizes == b.sizes;
}

/// are_rivals(), whatever their temperatures.
bool are_rivals_otherwise(const EmRule& a, const EmRule& b) {
  return a.kind == b.kind && a.width_um.meets(b.width_um) && a.length_um.meets(b.length_um) &&
         a.statement == b.statement && are_same_layers(a.layer, b.layer) && same_name(a.cut_class, b.cut_class);
}

class Activation {
 public:
  Activation(const EmSettings& settings, const RuledLayers& layers, const std::vector<EmRule>& rules)
      : settings_(settings), layers_(layers), rules_(rules), is_done_(rules.size(), 0) {}

  ActiveEmRules take() {
    for (size_t k = 0; k < rules_.size(); ++k) {
      if (is_done_[k]) continue;
      if (!rules_[k].fault.empty()) throw InputError(rules_[k].fault);
      const std::vector<const EmRule*> table = table_from(k);
      require_layer(rules_[k]);
      if (const auto unit = rules_[k].unit ? rules_[k].unit : settings_.cut_unit)
        add(table, *unit);
      else
        add_without_unit(rules_[k].layer);
    }
    tell();
    return std::move(active_);
  }

 private:
  /// A rule and those that are the same at other temperatures, coldest first.
  std::vector<const EmRule*> table_from(size_t first) {
    std::vector<const EmRule*> table = {&rules_[first]};
    for (size_t k = first + 1; k < rules_.size(); ++k) {
      const EmRule& other = rules_[k];
      if (other.temperature_c == rules_[first].temperature_c || !are_rivals_otherwise(other, rules_[first])) continue;
      if (!other.temperature_c || !rules_[first].temperature_c || !is_of_table(other, rules_[first]))
        throw input_error(
            "{}: layer {} has another {} rule for some of its widths at {}, for another temperature; "
            "give both the same widths and a temperature",
            other.place, other.layer, name_of(other.kind), rules_[first].place);
      table.push_back(&rules_[k]);
      is_done_[k] = 1;
    }
    std::ranges::sort(table, {}, [](const EmRule* rule) { return rule->temperature_c; });
    return table;
  }

  /// The layer is one of metal, or of cuts, or joins two of metal; limits have its unit.
  void require_layer(const EmRule& rule) {
    bool is_wire = false, is_cut = false;
    for (const LayerPair pair : layers_.of_segments)
      if (names_layers(rule.layer, layers_.names, pair)) (pair.layer == pair.other ? is_wire : is_cut) = true;
    const bool is_used = is_wire || is_cut || is_cut_of_via(rule.layer);
    is_cut |= is_cut_layer(rule.layer);
    is_any_used_ |= is_used;
    if (!is_used) take_absent(rule);
    const bool has_width = rule.unit == EmUnit::per_um;
    if ((is_wire && rule.unit && !has_width) || (is_cut && has_width))
      throw input_error("{}: limits on {}, which {}, are {}, not {}", rule.place, rule.layer,
                        is_wire ? "is metal" : "are cuts", is_wire ? "a_per_um" : "a_per_cut or a_per_um2",
                        name_of(*rule.unit));
    if (is_wire) require_width(rule);
  }

  bool is_cut_layer(const std::string& layer) const {
    const Placement* placement = layers_.circuit.placement.get();
    return placement &&
           std::ranges::any_of(placement->cut_layers, [&](const std::string& name) { return same_name(name, layer); });
  }

  bool is_cut_of_via(const std::string& layer) const {
    const Placement* placement = layers_.circuit.placement.get();
    if (!placement || !is_cut_layer(layer)) return false;
    for (size_t i = 0; i < placement->cut.size(); ++i) {
      if (!(placement->cuts[i] > 0)) continue;
      const int32_t of = placement->cut_sizes[placement->cut[i]].layer;
      if (of >= 0 && same_name(placement->cut_layers[of], layer)) return true;
    }
    return false;
  }

  /// A layout tells all layers of its technology, which a name that it does not have is an error beside.
  void take_absent(const EmRule& rule) {
    const Placement* placement = layers_.circuit.placement.get();
    if (placement && !placement->cut_layers.empty()) {
      std::vector<std::string> known = placement->cut_layers;
      for (const Placement::Layer& layer : placement->layers) known.push_back(layer.name);
      has_technology_ = true;
      if (std::ranges::none_of(known, [&](const std::string& name) { return same_name(name, rule.layer); }))
        throw input_error("{}: the technology has no layer {:?}; it has {}", rule.place, rule.layer,
                          names_near(rule.layer, known));
    }
    if (std::ranges::find(absent_, rule.layer) != absent_.end()) return;
    if (absent_.empty()) absent_place_ = rule.place;
    absent_.push_back(rule.layer);
  }

  /// Something tells widths of the layer, if not of all its wires.
  void require_width(const EmRule& rule) const {
    const Placement* placement = layers_.circuit.placement.get();
    const bool has_row = std::ranges::any_of(
        settings_.layers, [&](const MetalLayer& row) { return row.width_um > 0 && same_name(row.layer, rule.layer); });
    if (has_row || (placement && !placement->width.empty())) return;
    throw input_error("{}: nothing tells the width of wires on layer {}; give it in a row of {}", rule.place,
                      rule.layer, field("em_layers"));
  }

  void add_without_unit(const std::string& layer) {
    if (std::ranges::find(active_.of_no_unit, layer) == active_.of_no_unit.end()) active_.of_no_unit.push_back(layer);
  }

  void add(const std::vector<const EmRule*>& table, EmUnit unit) {
    const EmRule& rule = *table.front();
    ActiveEmRule active{name_for(rule, unit), rule.layer, rule.kind,        unit,      rule.width_um, rule.length_um,
                        rule.cut_class,       rule.sizes, limits_of(table), rule.place};
    if (!std::ranges::all_of(active.limits, [](double limit) { return limit > 0 && std::isfinite(limit); }))
      throw input_error(
          "{}: scaled to the temperature of the metal, the limit of layer {} is no finite number above 0; "
          "check {}, {} and {}",
          rule.place, rule.layer, field("em_temperature"), field("em_ea"), field("em_n"));
    if (!rule.unit) was_told_unit_ = true;
    active_.rules.push_back(std::move(active));
  }

  /// At the temperature of the settings, by size.
  std::vector<double> limits_of(const std::vector<const EmRule*>& table) {
    const EmRule& rule = *table.front();
    if (table.size() > 1) return between_temperatures(table);
    std::vector<double> limits = of_frequency(rule);
    if (!settings_.temperature_c || rule.kind != EmKind::average) return limits;
    const std::optional<double> own = rule.temperature_c ? rule.temperature_c : settings_.of_rules_c;
    if (!own) {
      if (unscaled_++ == 0) unscaled_place_ = rule.place;
      return limits;
    }
    for (double& limit : limits) limit *= black_factor(settings_, *own, *settings_.temperature_c);
    return limits;
  }

  /// As Black's law has it between two rows: the logarithm is linear in the inverse of the temperature.
  std::vector<double> between_temperatures(const std::vector<const EmRule*>& table) {
    const EmRule &coldest = *table.front(), &hottest = *table.back();
    if (!settings_.temperature_c)
      throw input_error("{}: layer {} has rules for {:g} °C and others; give the temperature by {}", coldest.place,
                        coldest.layer, *coldest.temperature_c, field("em_temperature"));
    const double at = *settings_.temperature_c;
    if (at < *coldest.temperature_c || at > *hottest.temperature_c)
      throw input_error("{}: {:g} °C is outside this table, which is for {:g} to {:g} °C", coldest.place, at,
                        *coldest.temperature_c, *hottest.temperature_c);
    const auto next = std::ranges::find_if(table, [&](const EmRule* rule) { return *rule->temperature_c >= at; });
    std::vector<double> limits = of_frequency(**next);
    if (*(*next)->temperature_c == at) return limits;
    const EmRule& colder = **(next - 1);
    const double low = 1 / kelvin(*colder.temperature_c), high = 1 / kelvin(*(*next)->temperature_c);
    const double share = (1 / kelvin(at) - low) / (high - low);
    const std::vector<double> cold = of_frequency(colder);
    for (size_t k = 0; k < limits.size(); ++k) limits[k] = cold[k] * std::pow(limits[k] / cold[k], share);
    return limits;
  }

  void require_frequency(const EmRule& rule) const {
    constexpr double kRounding = 1e-12;
    const std::vector<double>& table = rule.frequencies_hz;
    if (!settings_.frequency_hz || table.empty()) return;
    const double hertz = *settings_.frequency_hz;
    if (hertz < (1 - kRounding) * table.front() || hertz > (1 + kRounding) * table.back())
      throw input_error("{}: {:g} MHz is outside this table, which is for {:g}{} MHz", rule.place, 1e-6 * hertz,
                        1e-6 * table.front(), table.size() < 2 ? "" : fmt::format(" to {:g}", 1e-6 * table.back()));
  }

  /// By size; without a frequency the least of all.
  std::vector<double> of_frequency(const EmRule& rule) {
    const size_t sizes = std::max<size_t>(rule.sizes.size(), 1), rows = rule.limits.size() / sizes;
    std::vector<double> limits(rule.limits.begin(), rule.limits.begin() + static_cast<ptrdiff_t>(sizes));
    require_frequency(rule);
    if (rows < 2) return limits;
    if (!settings_.frequency_hz && any_frequency_++ == 0) any_frequency_place_ = rule.place;
    for (size_t size = 0; size < sizes; ++size) {
      std::vector<double> column;
      for (size_t row = 0; row < rows; ++row) column.push_back(rule.limits[row * sizes + size]);
      limits[size] = settings_.frequency_hz ? interpolated(rule.frequencies_hz, column, *settings_.frequency_hz)
                                            : *std::ranges::min_element(column);
    }
    return limits;
  }

  std::string layers_of_segments() const {
    std::vector<std::string> names;
    for (const LayerPair pair : layers_.of_segments)
      if (std::string name = layer_text(layers_.names, pair);
          !name.empty() && std::ranges::find(names, name) == names.end())
        names.push_back(std::move(name));
    return names.empty() ? "none" : names_near(absent_.front(), names);
  }

  void tell() {
    const auto add = [&](Finding::Severity severity, const char* code, std::string message, std::string place = "") {
      active_.findings.push_back({severity, code, std::move(message), std::move(place)});
    };
    if (!absent_.empty() && !is_any_used_ && !has_technology_)
      throw input_error("{}: no rule is on a layer of segments, which are {}", absent_place_, layers_of_segments());
    if (!absent_.empty())
      add(Finding::Severity::info, "em-rule-absent",
          fmt::format("no segment is on {}, whose rules are of no use", first_names(absent_)), absent_place_);
    if (!active_.of_no_unit.empty())
      add(Finding::Severity::warning, "em-cut-unit",
          fmt::format("LEF does not tell whether its numbers of {} are mA per cut or per µm² of cuts, and so vias "
                      "there are not judged; give {}",
                      first_names(active_.of_no_unit), field("em_cut_unit")));
    if (was_told_unit_)
      add(Finding::Severity::info, "em-cut-unit",
          fmt::format("LEF's numbers of cut layers are taken as mA per {}, as {} tells",
                      settings_.cut_unit == EmUnit::per_cut ? "cut" : "µm² of cuts", field("em_cut_unit")));
    if (unscaled_ > 0)
      add(Finding::Severity::warning, "em-temperature-unknown",
          fmt::format("{} limits on averages are not scaled to {:g} °C, as the temperature that they are for is not "
                      "told; give it by {}",
                      unscaled_, *settings_.temperature_c, field("em_rule_temperature")),
          unscaled_place_);
    if (any_frequency_ > 0)
      add(Finding::Severity::info, "em-frequency-unknown",
          fmt::format("of {} tables by frequency the least limits are taken; {} tells which frequency it is",
                      any_frequency_, field("em_frequency")),
          any_frequency_place_);
  }

  const EmSettings& settings_;
  const RuledLayers& layers_;
  const std::vector<EmRule>& rules_;
  std::vector<uint8_t> is_done_;
  ActiveEmRules active_;
  std::vector<std::string> absent_;
  std::string absent_place_, unscaled_place_, any_frequency_place_;
  int64_t unscaled_ = 0, any_frequency_ = 0;
  bool is_any_used_ = false, was_told_unit_ = false, has_technology_ = false;
};

}  // namespace

double ActiveEmRule::limit_at(double size) const {
  return sizes.size() < 2 ? limits.front() : interpolated(sizes, limits, size);
}

double ActiveEmRule::least() const { return limits.empty() ? 0 : *std::ranges::min_element(limits); }

double black_factor(const EmSettings& settings, double from_c, double to_c) {
  return std::exp(settings.activation_ev / (settings.exponent * kBoltzmannEvPerK) *
                  (1 / kelvin(to_c) - 1 / kelvin(from_c)));
}

ActiveEmRules active_em_rules(const EmSettings& settings, const RuledLayers& layers) {
  const Placement* placement = layers.circuit.placement.get();
  if (settings.of_layout && (!placement || placement->em_rules.empty()))
    throw field_error("em_rules", "lef: {}",
                      placement && !placement->cut_layers.empty()
                          ? "the LEF files have no DCCURRENTDENSITY and no ACCURRENTDENSITY; give a CSV file"
                          : "this is no layout, which is read with LEF files; give a CSV file");
  return Activation(settings, layers, settings.of_layout ? placement->em_rules : settings.rules).take();
}

}  // namespace gridiron
