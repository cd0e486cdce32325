// SPDX-License-Identifier: Apache-2.0
#include "layout/def/edited_def.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "layout/def/def_file.hpp"
#include "netlist/deck/deck_file.hpp"
#include "netlist/edit/text_edit.hpp"

namespace gridiron::layout {
namespace {

std::string_view orientation_name(Orientation orientation) {
  constexpr std::string_view kNames[] = {"N", "W", "S", "E", "FN", "FW", "FS", "FE"};
  return *std::ranges::find_if(kNames, [orientation](std::string_view n) { return orientation_of(n) == orientation; });
}

/// The statements of a strap and its vias.
std::string strap_text(const Chip& chip, const Library& library, const NewStrap& strap) {
  std::string text =
      fmt::format("+ ROUTED {} {} + SHAPE STRIPE ( {} {} ) ( {} {} )\n", library.layers[strap.layer].name, strap.width,
                  strap.from.x, strap.from.y, strap.to.x, strap.to.y);
  for (const auto& [via, place, orientation] : strap.vias) {
    const int32_t layer = chip.vias[via].bottom >= 0 ? chip.vias[via].bottom : strap.layer;
    fmt::format_to(std::back_inserter(text), "NEW {} 0 + SHAPE STRIPE ( {} {} ) {}", library.layers[layer].name,
                   place.x, place.y, chip.vias[via].name);
    if (orientation != Orientation::N) fmt::format_to(std::back_inserter(text), " {}", orientation_name(orientation));
    text += '\n';
  }
  return text;
}

/// The size of the word at `offset`.
uint64_t word_size(std::string_view text, uint64_t offset) {
  const auto is_space = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  return static_cast<uint64_t>(std::ranges::find_if(text.substr(offset), is_space) - text.begin()) - offset;
}

}  // namespace

WirePlaces find_wire_places(const Chip& chip, const Library& library) {
  Chip again = read_def_text(chip.texts.front(), library, {}, true);
  WirePlaces places;
  for (SpecialNet& net : again.nets) places.nets.push_back({std::move(net.width_at), net.end_at});
  return places;
}

void write_edited_def(const Chip& chip, const Library& library, const WirePlaces& places,
                      std::span<const WireWidth> widths, std::span<const NewStrap> straps, const OutputPath& path) {
  const std::string_view text = chip.texts.front()->text();
  std::vector<TextEdit> edits;
  for (const WireWidth& w : widths) edits.push_back({w.offset, word_size(text, w.offset), std::to_string(w.width)});
  for (const NewStrap& strap : straps)
    edits.push_back({places.nets[strap.net].end_at, 0, "\n" + strap_text(chip, library, strap)});
  std::ranges::stable_sort(edits, {}, &TextEdit::offset);
  DeckFile file(path);
  uint64_t begin = 0;
  for (const TextEdit& edit : edits) {
    file.write(text.substr(begin, edit.offset - begin));
    file.write(edit.text);
    begin = edit.offset + edit.size;
  }
  file.write(text.substr(begin));
  file.commit();
}

}  // namespace gridiron::layout
