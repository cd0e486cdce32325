// SPDX-License-Identifier: Apache-2.0
#include "layout/layer_resistances.hpp"

#include <fmt/format.h>

#include <cmath>
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
#include "support/field.hpp"
#include "support/nearest_names.hpp"

namespace gridiron::layout {
namespace {

/// `kind` other: any layer that has a resistance.
std::string unknown_layer(const Library& library, std::string_view name, LayerKind kind) {
  std::vector<std::string> names;
  for (const Layer& layer : library.layers)
    if (kind == LayerKind::other ? layer.kind != kind : layer.kind == kind) names.push_back(layer.name);
  const char* what = kind == LayerKind::cut ? "cut layer" : kind == LayerKind::routing ? "routing layer" : "layer";
  return fmt::format("LEF has no {} {}; it has {}", what, name, names_near(name, names) + did_you_mean(name, names));
}

/// −1 if there is none of the kind.
int32_t layer_of_rc(const Library& library, std::string_view name, bool is_via) {
  const int32_t index = library.layer(name);
  const bool is_right = index >= 0 && library.layers[index].kind == (is_via ? LayerKind::cut : LayerKind::routing);
  return is_right ? index : -1;
}

/// What is wrong with the layer of a set_layer_rc, empty if nothing is.
std::string layer_fault(const LayerRc& rc, const Library& library) {
  const int32_t index = layer_of_rc(library, rc.layer, rc.is_via);
  if (index < 0) return unknown_layer(library, rc.layer, rc.is_via ? LayerKind::cut : LayerKind::routing);
  if (rc.is_via || library.layers[index].width_um > 0 || !(rc.resistance > 0)) return "";
  return fmt::format("layer {} has no WIDTH in LEF, by which a resistance per length becomes one per square", rc.layer);
}

/// Of one without a fault.
void put_layer_rc(const LayerRc& rc, const Library& library, LayerResistances& resistances,
                  const LayerRcOptions& options) {
  const int32_t index = layer_of_rc(library, rc.layer, rc.is_via);
  const double ohm = rc.resistance * options.ohm_per_unit;
  if (!(ohm > 0)) return;
  if (rc.is_via)
    resistances.ohm_per_cut[index] = ohm;
  else
    resistances.ohm_per_square[index] = ohm * library.layers[index].width_um;
}

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
      if (words[0].text == "set_layer_rc")
        set_layer_rc(words);
      else
        refuse_inner_commands(words);
    }
  }

  /// Scripts are not carried out: what they set would be missing, and LEF's resistances would count.
  void refuse_inner_commands(const std::vector<TclWord>& words) const {
    for (const TclWord& word : words)
      if (const size_t at = word.text.find("set_layer_rc -"); at != std::string_view::npos)
        fail(word.offset + at,
             fmt::format("set_layer_rc inside of {:?}, which is not carried out; write it as a command of its own",
                         words[0].text));
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
    LayerRc rc{.layer = std::string(layer->text), .is_via = is_via};
    if (layer_of_rc(library_, rc.layer, is_via) < 0) fail(layer->offset, layer_fault(rc, library_));
    const std::optional<double> number = quantity(value->text, Quantity::pure);
    if (!number || !(*number >= 0)) fail(value->offset, fmt::format("expected a resistance, not {:?}", value->text));
    rc.resistance = *number;
    if (const std::string fault = layer_fault(rc, library_); !fault.empty())
      fail(layer->offset, fault + "; give CSV with layer,ohm_per_square instead");
    ++given_;
    put_layer_rc(rc, library_, resistances_, options_);
  }

  bool is_wanted(const TclWord* corner) {
    if (!corner) return true;
    if (!options_.corner.empty()) return corner->text == options_.corner;
    if (corner_.empty()) corner_ = corner->text;
    if (corner_ == corner->text) return true;
    fail(corner->offset, fmt::format("resistances of corners {} and {}; keep those of one of them in this file",
                                     corner_, corner->text));
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
        rows.fail(fields[0].where, unknown_layer(library_, name, LayerKind::other));
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

void set_layer_rc(const LayerRc& rc, const Library& library, LayerResistances& resistances,
                  const LayerRcOptions& options) {
  if (!(rc.resistance >= 0) || !std::isfinite(rc.resistance))
    throw InputError(fmt::format("{} {}: must be 0 or more", field("resistance"), rc.resistance));
  if (const std::string fault = layer_fault(rc, library); !fault.empty())
    throw InputError(fmt::format("{} {}: {}", field(rc.is_via ? "via" : "layer"), rc.layer, fault));
  put_layer_rc(rc, library, resistances, options);
}

void read_layer_rc(const std::string& path, const Library& library, LayerResistances& resistances,
                   const LayerRcOptions& options) {
  LayerRcFile(path, library, resistances, options).read();
}

}  // namespace gridiron::layout
