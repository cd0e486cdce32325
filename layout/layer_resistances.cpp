// SPDX-License-Identifier: Apache-2.0
#include "layout/layer_resistances.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "layout/tcl_words.hpp"
#include "netlist/names/name_table.hpp"
#include "netlist/source_text.hpp"
#include "netlist/tables/csv_rows.hpp"
#include "netlist/values/quantity.hpp"
#include "support/error.hpp"
#include "support/nearest_names.hpp"

namespace gridiron::layout {
namespace {

class LayerRcFile {
 public:
  LayerRcFile(const std::string& path, const Library& library, LayerResistances& resistances,
              const LayerRcOptions& options)
      : source_(SourceText::open(path)), library_(library), resistances_(resistances), options_(options) {}

  void read() {
    if (source_->text().find("set_layer_rc") != std::string_view::npos)
      read_tcl();
    else
      read_csv();
    if (given_ == 0)
      throw InputError(
          fmt::format("{}: no resistance in this file; give lines of set_layer_rc, or CSV: layer,ohm_per_square and "
                      "via,ohm_per_cut",
                      source_->path()));
  }

 private:
  void read_tcl() {
    TclWords commands(source_->text());
    while (commands.next()) {
      const std::vector<TclWord>& words = commands.words();
      if (words[0].text == "set_layer_rc") set_layer_rc(words);
    }
  }

  void set_layer_rc(const std::vector<TclWord>& words) {
    const TclWord *layer = nullptr, *value = nullptr, *corner = nullptr;
    bool is_via = false;
    for (size_t i = 1; i < words.size(); i += 2) {
      const std::string_view key = words[i].text;
      if (i + 1 == words.size()) fail(words[i].offset, fmt::format("no value after {}", key));
      const TclWord& word = words[i + 1];
      if (key == "-layer" || key == "-via")
        layer = &word, is_via = key == "-via";
      else if (key == "-resistance")
        value = &word;
      else if (key == "-corner")
        corner = &word;
      else if (key != "-capacitance")
        fail(words[i].offset, fmt::format("set_layer_rc has no option {:?}", key));
    }
    if (!layer) fail(words[0].offset, "set_layer_rc needs -layer or -via");
    if (!is_wanted(corner) || !value) return;
    const int32_t index = find(layer->text, is_via, layer->offset);
    const std::optional<double> number = quantity(value->text, Quantity::pure);
    if (!number || !(*number >= 0)) fail(value->offset, fmt::format("expected a resistance, not {:?}", value->text));
    const double ohm = *number * options_.ohm_per_unit;
    const Layer& of = library_.layers[index];
    if (!is_via && !(of.width_um > 0) && ohm > 0)
      fail(layer->offset, fmt::format("layer {} has no WIDTH in LEF, by which a resistance per length becomes one per "
                                      "square; give CSV with layer,ohm_per_square instead",
                                      of.name));
    set(index, is_via ? ohm : ohm * of.width_um, is_via);
  }

  bool is_wanted(const TclWord* corner) {
    if (!corner) return true;
    if (!options_.corner.empty()) return corner->text == options_.corner;
    if (corner_.empty()) corner_ = corner->text;
    if (corner_ == corner->text) return true;
    fail(corner->offset,
         fmt::format("resistances of corners {} and {}; choose one with {}", corner_, corner->text, field("corner")));
  }

  void read_csv() {
    CsvRows rows(*source_);
    while (rows.next()) {
      const std::vector<CsvRows::Field>& fields = rows.fields();
      if (fields.size() != 2) rows.fail(fields[0].where, "expected two fields: a layer and its resistance");
      const std::string_view name = fields[0].text;
      if (is_header(name, fields[1].text)) continue;
      const int32_t index = library_.layer(name);
      const bool is_cut = index >= 0 && library_.layers[index].kind == LayerKind::cut;
      if (index < 0 || library_.layers[index].kind == LayerKind::other)
        rows.fail(fields[0].where, unknown(name, LayerKind::other));
      const std::optional<double> ohm = ohms(fields[1].text);
      if (!ohm || !(*ohm >= 0)) rows.fail(fields[1].where, fmt::format("expected ohms, not {:?}", fields[1].text));
      set(index, *ohm, is_cut);
    }
  }

  /// `layer,ohm_per_square` or `via,ohm_per_cut`; the columns may have other names if the second is no number.
  bool is_header(std::string_view first, std::string_view second) const {
    if (begins_with_number(second) || library_.layer(first) >= 0) return false;
    return same_name(first, "layer") || same_name(first, "via") || same_name(first, "cut");
  }

  int32_t find(std::string_view name, bool is_via, size_t offset) const {
    const LayerKind kind = is_via ? LayerKind::cut : LayerKind::routing;
    const int32_t index = library_.layer(name);
    if (index < 0 || library_.layers[index].kind != kind) fail(offset, unknown(name, kind));
    return index;
  }
  /// `kind` other: any layer that has a resistance.
  std::string unknown(std::string_view name, LayerKind kind) const {
    std::vector<std::string> names;
    for (const Layer& layer : library_.layers)
      if (kind == LayerKind::other ? layer.kind != kind : layer.kind == kind) names.push_back(layer.name);
    const char* what = kind == LayerKind::cut ? "cut layer" : kind == LayerKind::routing ? "routing layer" : "layer";
    return fmt::format("LEF has no {} {}; it has {}", what, name, names_near(name, names));
  }

  void set(int32_t layer, double ohm, bool is_cut) {
    ++given_;
    if (ohm > 0) (is_cut ? resistances_.ohm_per_cut : resistances_.ohm_per_square)[layer] = ohm;
  }

  [[noreturn]] void fail(size_t offset, const std::string& message) const {
    throw InputError(fmt::format("{}: {}", source_->describe(offset), message));
  }

  std::shared_ptr<const SourceText> source_;
  const Library& library_;
  LayerResistances& resistances_;
  const LayerRcOptions& options_;
  std::string corner_;
  int64_t given_ = 0;
};

}  // namespace

LayerResistances lef_resistances(const Library& library) {
  LayerResistances out;
  for (const Layer& layer : library.layers) {
    out.ohm_per_square.push_back(layer.ohm_per_square);
    out.ohm_per_cut.push_back(layer.ohm_per_cut);
  }
  return out;
}

void read_layer_rc(const std::string& path, const Library& library, LayerResistances& resistances,
                   const LayerRcOptions& options) {
  LayerRcFile(path, library, resistances, options).read();
}

}  // namespace gridiron::layout
