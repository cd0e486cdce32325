// SPDX-License-Identifier: Apache-2.0
// COMPONENTS: the instances, with their macros and places.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "layout/def/def_file.hpp"
#include "layout/def/sections.hpp"
#include "support/nearest_names.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron::layout {
namespace {

constexpr std::array<std::string_view, 1> kComponentBorder = {"- "};
constexpr std::array<std::string_view, 11> kPassedOverOptions = {"EEQMASTER", "GENERATE",  "SOURCE",     "MASKSHIFT",
                                                                 "HALO",      "ROUTEHALO", "WEIGHT",     "REGION",
                                                                 "PROPERTY",  "FOREIGN",   "POWERDOMAIN"};

struct ComponentPart {
  Components components;
  std::shared_ptr<std::deque<std::string>> names = std::make_shared<std::deque<std::string>>();
};

class ComponentReader {
 public:
  ComponentReader(Tokens& tokens, const Library& library, ComponentPart& part)
      : tokens_(tokens), library_(library), part_(part), components_(part.components) {}

  void read_up_to(size_t end) {
    constexpr size_t kUsualBytes = 48;  // of a statement
    if (end != kEndOfText) reserve((end - tokens_.offset()) / kUsualBytes);
    while (tokens_.is('-') && tokens_.offset() < end) read();
  }

 private:
  void reserve(size_t n) {
    components_.name.reserve(n);
    components_.macro.reserve(n);
    components_.place.reserve(n);
    components_.orientation.reserve(n);
    components_.placed.reserve(n);
    components_.offset.reserve(n);
  }

  void read() {
    tokens_.take();
    const size_t offset = tokens_.offset();
    const std::string_view name = tokens_.name("the name of a component");
    const size_t where = tokens_.offset();
    const std::string_view master = tokens_.name("the macro of a component");
    int32_t macro = library_.macro(master);
    if (macro < 0 && master.find('\\') != std::string_view::npos) macro = library_.macro(plain_name(master));
    if (macro < 0) fail_unknown_macro(where, name, master);
    place_ = {};
    orientation_ = Orientation::N;
    placed_ = false;
    while (!tokens_.accept(';')) {
      if (tokens_.accept('+'))
        read_option();
      else if (tokens_.is('-'))
        tokens_.fail_expected(fmt::format("';' behind component {}", shown(name)));
      else
        tokens_.name("'+' or ';' behind a component");  // names of nets, in old files
    }
    components_.name.push_back(stored(name));
    components_.macro.push_back(macro);
    components_.place.push_back(place_);
    components_.orientation.push_back(orientation_);
    components_.placed.push_back(placed_ ? 1 : 0);
    components_.offset.push_back(offset);
  }

  void read_option() {
    if (tokens_.is("PLACED") || tokens_.is("FIXED") || tokens_.is("COVER")) {
      tokens_.take();
      place_ = tokens_.point();
      orientation_ = take_orientation(tokens_);
      placed_ = true;
    } else if (tokens_.accept("UNPLACED")) {
      placed_ = false;
      skip_option(tokens_, "COMPONENTS");
    } else if (std::ranges::find(kPassedOverOptions, tokens_.peek()) != kPassedOverOptions.end()) {
      tokens_.take();
      skip_option(tokens_, "COMPONENTS");
    } else {
      tokens_.fail_unknown("COMPONENTS");
    }
  }

  std::string_view stored(std::string_view name) {
    if (name.find('\\') == std::string_view::npos) return name;
    return part_.names->emplace_back(plain_name(name));
  }

  [[noreturn]] void fail_unknown_macro(size_t where, std::string_view name, std::string_view master) const {
    constexpr size_t kWorthComparing = 200;
    std::vector<std::string> names;
    for (const Macro& macro : library_.macros) names.push_back(macro.name);
    tokens_.fail(where, fmt::format("component {} is a {}, but no LEF file has such a MACRO; there are: {}",
                                    shown(name), shown(master), names_near(master.substr(0, kWorthComparing), names)));
  }

  Tokens& tokens_;
  const Library& library_;
  ComponentPart& part_;
  Components& components_;
  Point place_;
  Orientation orientation_ = Orientation::N;
  bool placed_ = false;
};

template <class T>
void append(std::vector<ComponentPart>& parts, std::vector<T> Components::*column, Components& all) {
  std::vector<std::vector<T>> columns;
  if (!(all.*column).empty()) columns.push_back(std::move(all.*column));  // of an earlier section
  for (ComponentPart& part : parts) columns.push_back(std::move(part.components.*column));
  all.*column = concatenated(std::move(columns));
}

}  // namespace

void DefFile::read_components() {
  const std::string_view text = tokens.source().text();
  const size_t begin = tokens.offset();
  auto parts = read_in_parts(
      tokens, borders(text, begin, find_section_end(text, begin, "COMPONENTS"), limits.piece, kComponentBorder), 0,
      [this](Tokens& own, size_t end, Expansion&) {
        ComponentPart part;
        ComponentReader(own, library, part).read_up_to(end);
        return part;
      },
      [](const ComponentPart&, const ComponentPart&) { return true; });
  Components& all = chip.components;
  append(parts, &Components::name, all);
  append(parts, &Components::macro, all);
  append(parts, &Components::place, all);
  append(parts, &Components::orientation, all);
  append(parts, &Components::placed, all);
  append(parts, &Components::offset, all);
  for (const ComponentPart& part : parts)
    if (!part.names->empty()) chip.names.push_back(part.names);
}

void DefFile::index_components() {
  const Components& all = chip.components;
  chip.component_index = ComponentIndex(all.name);
  const int32_t repeated = chip.component_index.repeated();
  if (repeated < 0) return;
  const std::string_view name = all.name[repeated];
  tokens.fail(all.offset[repeated], fmt::format("component {} is there already, at {}; rename or remove one of them",
                                                shown(name), chip.describe({0, all.offset[chip.component(name)]})));
}

}  // namespace gridiron::layout
