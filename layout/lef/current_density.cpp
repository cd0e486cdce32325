// SPDX-License-Identifier: Apache-2.0
// DCCURRENTDENSITY and ACCURRENTDENSITY of a LAYER, which nothing but rules of electromigration needs: what is wrong
// with one is told where it is used.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "layout/lef/lef_file.hpp"
#include "support/error.hpp"

namespace gridiron::layout {
namespace {

EmKind read_kind(Tokens& tokens, bool is_dc) {
  const size_t begin = tokens.offset();
  const std::string_view word = tokens.name(is_dc ? "AVERAGE" : "PEAK, AVERAGE or RMS");
  if (word == "AVERAGE") return EmKind::average;
  if (!is_dc && word == "RMS") return EmKind::rms;
  if (!is_dc && word == "PEAK") return EmKind::peak;
  tokens.fail(begin, fmt::format("expected {}, not {}", is_dc ? "AVERAGE" : "PEAK, AVERAGE or RMS", shown(word)));
}

/// Numbers above 0 up to a semicolon, ascending if they are what a table is looked up by.
std::vector<double> read_numbers(Tokens& tokens, std::string_view what, bool ascend) {
  std::vector<double> numbers;
  while (!tokens.is(';')) {
    const size_t begin = tokens.offset();
    const double number = tokens.number(what);
    if (!(number > 0)) tokens.fail(begin, fmt::format("{} is not above 0", what));
    if (ascend && !numbers.empty() && !(number > numbers.back()))
      tokens.fail(begin, fmt::format("{} is not above the one before", what));
    numbers.push_back(number);
  }
  if (numbers.empty()) tokens.fail_expected(what);
  return numbers;
}

void scale(std::vector<double>& numbers, double factor) {
  for (double& number : numbers) number *= factor;
}

/// What follows the keyword, up to the last semicolon.
CurrentDensity read_density(Tokens& tokens, bool is_dc, LayerKind kind) {
  constexpr double kMega = 1e6, kMilli = 1e-3;
  CurrentDensity density;
  density.kind = read_kind(tokens, is_dc);
  if (!is_dc && tokens.accept("FREQUENCY")) {
    density.frequencies_hz = read_numbers(tokens, "a frequency", true);
    scale(density.frequencies_hz, kMega);
    tokens.take();
  }
  if (tokens.is("WIDTH") || tokens.is("CUTAREA")) {
    const bool is_width = tokens.is("WIDTH");
    if (is_width && kind == LayerKind::cut) tokens.fail_expected("CUTAREA, as this is a layer of cuts");
    if (!is_width && kind == LayerKind::routing) tokens.fail_expected("WIDTH, as this is a layer of wires");
    tokens.take();
    density.sizes = read_numbers(tokens, is_width ? "a width" : "an area of cuts", true);
    tokens.take();
  }
  const size_t begin = tokens.offset();
  const bool is_table = !density.frequencies_hz.empty() || !density.sizes.empty();
  if (is_table) tokens.expect("TABLEENTRIES", "a table of current densities");
  density.limits = read_numbers(tokens, "a current density", false);
  scale(density.limits, kMilli);
  const size_t entries = std::max<size_t>(density.frequencies_hz.size(), 1) * std::max<size_t>(density.sizes.size(), 1);
  if (density.limits.size() != entries)
    tokens.fail(begin, fmt::format("{} current densities, where {} are expected", density.limits.size(), entries));
  return density;
}

}  // namespace

bool LefFile::read_current_density(std::string_view statement, size_t begin, Layer& layer) {
  CurrentDensity density;
  Tokens ahead = tokens;
  try {
    density = read_density(ahead, statement == "DCCURRENTDENSITY", layer.kind);
    tokens = ahead;
  } catch (const InputError& error) {
    density.fault = error.what();
  }
  density.statement = statement;
  density.place = place(begin);
  layer.densities.push_back(density);
  return density.fault.empty();
}

}  // namespace gridiron::layout
