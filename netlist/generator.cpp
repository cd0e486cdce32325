// SPDX-License-Identifier: Apache-2.0
#include "netlist/generator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "netlist/generator/deck_writer.hpp"
#include "netlist/generator/grid.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

using generator::CardRange;
using generator::DeckWriter;
using generator::Grid;
using generator::MeshSize;
using generator::Style;

constexpr Style kStyles[] = {
    {"ibm", 2, 9, 5, 4, 1024, generator::make_ibm_grid, generator::smallest_ibm_side},
    {"openroad", 2, 8, 5, 1, 1024, generator::make_openroad_grid, generator::smallest_openroad_side},
};

const Style& find_style(const std::string& name) {
  const auto* const style = std::ranges::find(kStyles, name, &Style::name);
  if (style != std::end(kStyles)) return *style;
  std::vector<std::string_view> known;
  for (const Style& s : kStyles) known.push_back(s.name);
  throw field_error("style", "'{}': unknown; choose one of {}", name, fmt::join(known, ", "));
}

/// The options with zeros replaced by the style's defaults.
GeneratorOptions checked(GeneratorOptions options, const Style& style) {
  if (options.layers == 0) options.layers = style.usual_layers;
  if (options.nets == 0) options.nets = style.usual_nets;
  constexpr int64_t kMostNodes = std::numeric_limits<int32_t>::max();
  if (options.nodes < 1 || options.nodes > kMostNodes) {
    throw field_error("nodes", "{}: give a number from 1 to {}", options.nodes, kMostNodes);
  }
  if (options.layers < style.fewest_layers || options.layers > style.most_layers) {
    throw field_error("layers", "{}: style {} has {} to {} layers", options.layers, style.name, style.fewest_layers,
                      style.most_layers);
  }
  if (options.nets < 1 || options.nets > style.most_nets) {
    throw field_error("nets", "{}: style {} has 1 to {} nets", options.nets, style.name, style.most_nets);
  }
  if (!(options.via_defects >= 0 && options.via_defects <= 1)) {
    throw field_error("via_defects", "{}: give a fraction from 0 to 1", options.via_defects);
  }
  if (options.parts < 1 || options.part < 1 || options.part > options.parts) {
    throw field_error("part", "{}/{}: give I/N with I from 1 to N", options.part, options.parts);
  }
  return options;
}

struct FittedGrid {
  std::unique_ptr<Grid> grid;
  MeshSize size;
};

/// The largest grid with no more nodes than requested, or one within 1 % of that number.
FittedGrid fit(const GeneratorOptions& options, const Style& style) {
  const auto attempt = [&](int64_t side) {
    auto grid = style.make(options, side);
    const MeshSize size = grid->size();
    return FittedGrid{std::move(grid), size};
  };
  const auto target = static_cast<double>(options.nodes);

  int64_t side = style.smallest_side(options);
  int64_t too_large = std::numeric_limits<int32_t>::max();
  FittedGrid best = attempt(side);
  if (best.size.nodes > options.nodes) {
    throw field_error("nodes", "{}: the smallest {} grid with {} layers and {} nets has {}", options.nodes, style.name,
                      options.layers, options.nets, best.size.nodes);
  }
  while (too_large - side > 1 && static_cast<double>(best.size.nodes) < 0.99 * target) {
    const double scale = std::sqrt(0.995 * target / static_cast<double>(best.size.nodes));
    int64_t guess = std::max<int64_t>(side + 1, std::llround(static_cast<double>(side) * scale));
    if (guess >= too_large) guess = side + (too_large - side) / 2;
    FittedGrid candidate = attempt(guess);
    if (candidate.size.nodes > options.nodes) {
      too_large = guess;
    } else {
      side = guess;
      best = std::move(candidate);
    }
  }
  return best;
}

}  // namespace

void generate(const GeneratorOptions& options, const std::filesystem::path& path) {
  const Style& style = find_style(options.style);
  const GeneratorOptions complete = checked(options, style);
  const FittedGrid fitted = fit(complete, style);
  const auto write = [&](DeckWriter& deck) {
    if (deck.takes_card())
      deck << "* gridiron generate --style " << style.name << " --nodes " << complete.nodes << " --layers "
           << int64_t{complete.layers} << " --nets " << int64_t{complete.nets} << " --seed "
           << fmt::format("{}{} --via-defects {}\n", complete.seed, complete.transient ? " --tran" : "",
                          complete.via_defects);
    fitted.grid->write(deck, complete.nodes - fitted.size.nodes);
  };
  CardRange range;
  if (complete.parts > 1) {
    DeckWriter counter;
    write(counter);
    range = {counter.lines() * (complete.part - 1) / complete.parts, counter.lines() * complete.part / complete.parts};
  }
  DeckWriter deck(path, range);
  write(deck);
  deck.finish();
}

}  // namespace gridiron
