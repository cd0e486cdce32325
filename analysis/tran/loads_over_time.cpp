// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/loads_over_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron {

namespace {

/// The current sources that stand for the terminals of each instance of a layout; of a deck, nothing.
std::unordered_map<std::string_view, std::vector<int64_t>> sinks_by_instance(const Circuit& circuit) {
  std::unordered_map<std::string_view, std::vector<int64_t>> sinks;
  if (circuit.made_names)
    for (int64_t i = 0; i < circuit.current_sources.size(); ++i)
      sinks[circuit.made_names->sink(i).instance].push_back(i);
  return sinks;
}

}  // namespace

LoadsOverTime::LoadsOverTime(const Design& design, SourcesOverTime& deck, const WaveformTable* table) : deck_(deck) {
  if (!table) return;
  scenarios_ = table->scenarios;
  time_ = table->time_s;
  amperes_ = table->template_a;
  bind(design, *table);
  deck_.release(sources_);
  find_shapes(*table);
}

/// A name is that of a current source, or of an instance: of a deck both of its halves NAME_v and NAME_g then follow,
/// of a layout all of its terminals on the nets that are analysed.
void LoadsOverTime::bind(const Design& design, const WaveformTable& table) {
  std::vector<char> is_bound(design.circuit->current_sources.value.size(), 0);
  const auto sinks = sinks_by_instance(*design.circuit);
  for (size_t row = 0; row < table.sources.size(); ++row) {
    const std::string& name = table.sources[row];
    const auto fail = [&](const std::string& why) {
      throw input_error("{}: array \"source\", item {}: {}", table.path, row, why);
    };
    std::vector<int64_t> found;
    try {
      if (const auto instance = sinks.find(name); instance != sinks.end())
        found = instance->second;
      else
        for (const std::string& candidate : {name, name + "_v", name + "_g"})
          if (const int64_t i = design.find_element(kCurrentSource, candidate); i >= 0) {
            found.push_back(i);
            if (candidate == name) break;
          }
    } catch (const InputError& error) {
      fail(error.what());
    }
    if (found.empty()) fail(fmt::format("the netlist has no current source or instance {:?}", name));
    for (const int64_t i : found) {
      if (std::exchange(is_bound[i], 1))
        fail(fmt::format("{:?} already follows a template", design.circuit->element_name(kCurrentSource, i)));
      sources_.push_back(i);
      row_.push_back(row);
    }
  }
}

void LoadsOverTime::find_shapes(const WaveformTable& table) {
  const auto hash = [](const Shape& shape) {
    return std::hash<double>()(shape.delay) * 31 + static_cast<size_t>(shape.of);
  };
  std::unordered_map<Shape, int32_t, decltype(hash)> index(16, hash);
  varies_ = table.shape.varies || table.delay_s.varies || table.scale.varies;
  const size_t columns = varies_ ? static_cast<size_t>(scenarios_) : 1;
  for (size_t j = 0; j < columns; ++j)
    for (const size_t row : row_) {
      const Shape shape{table.shape.at(row, j, table.sources.size()), table.delay_s.at(row, j, table.sources.size())};
      const auto [at, is_new] = index.try_emplace(shape, static_cast<int32_t>(shapes_.size()));
      if (is_new) shapes_.push_back(shape);
      shape_of_.push_back(at->second);
      scale_.push_back(table.scale.at(row, j, table.sources.size()));
    }
  for (const Shape& shape : shapes_) shape_at_start_.push_back(deck_.are_in_full() ? 0.0 : value(shape, 0));
}

double LoadsOverTime::value(const Shape& shape, double t) const {
  const double* const of = amperes_.data() + static_cast<size_t>(shape.of) * time_.size();
  const double at = t - shape.delay;
  const ptrdiff_t after = std::ranges::upper_bound(time_, at) - time_.begin();
  if (after == 0) return of[0];
  if (after == std::ssize(time_)) return of[after - 1];
  return std::lerp(of[after - 1], of[after], (at - time_[after - 1]) / (time_[after] - time_[after - 1]));
}

Loads LoadsOverTime::at_start(std::shared_ptr<const Design> design) const {
  Loads loads(std::move(design), scenarios_);
  for (int64_t j = 0; j < scenarios_; ++j) {
    const std::span<double> load = loads.vector(j);
    for (size_t k = 0; k < sources_.size(); ++k) {
      const size_t at = cell(k, static_cast<size_t>(j));
      load[sources_[k]] = scale_[at] * shape_at_start_[shape_of_[at]];
    }
  }
  return loads;
}

void LoadsOverTime::take_peaks(std::span<double> amperes) const {
  const auto larger = [](double a, double b) { return std::abs(b) > std::abs(a) ? b : a; };
  const size_t samples = time_.size();
  std::vector<double> peak;
  for (size_t first = 0; first < amperes_.size(); first += samples)
    peak.push_back(std::accumulate(amperes_.begin() + first, amperes_.begin() + first + samples, 0.0, larger));
  for (size_t k = 0; k < sources_.size(); ++k) {
    double& most = amperes[sources_[k]] = 0;
    for (size_t j = 0; j < static_cast<size_t>(scenarios_); ++j)
      most = larger(most, scale_[cell(k, j)] * peak[shapes_[shape_of_[cell(k, j)]].of]);
  }
}

/// Times of every template, s.
std::vector<std::vector<double>> LoadsOverTime::find_bends() const {
  constexpr double kStraight = 1e-9;
  const size_t samples = time_.size();
  std::vector<std::vector<double>> bends(amperes_.size() / samples);
  for (size_t m = 0; m < bends.size(); ++m) {
    const double* const of = amperes_.data() + m * samples;
    double before = 0;
    for (size_t k = 0; k < samples; ++k) {
      const double after = k + 1 < samples ? (of[k + 1] - of[k]) / (time_[k + 1] - time_[k]) : 0;
      if (std::abs(after - before) > kStraight * std::max(std::abs(after), std::abs(before)))
        bends[m].push_back(time_[k]);
      before = after;
    }
  }
  return bends;
}

double LoadsOverTime::shortest_edge() const {
  double shortest = HUGE_VAL;
  if (sources_.empty()) return shortest;
  const std::vector<std::vector<double>> bends = find_bends();
  std::vector<char> is_followed(bends.size(), 0);
  for (const Shape& shape : shapes_) is_followed[shape.of] = 1;
  for (size_t m = 0; m < bends.size(); ++m)
    for (size_t k = 1; is_followed[m] && k < bends[m].size(); ++k)
      shortest = std::min(shortest, bends[m][k] - bends[m][k - 1]);
  return shortest;
}

Corners LoadsOverTime::corners(const TimeFrame& frame) const {
  constexpr double kMost = 4e6, kSixteenth = 1.0 / 16;
  Corners found;
  std::vector<double>& corners = found.times;
  if (sources_.empty()) return found;
  found.are_all = shortest_edge() >= 2e-6 * frame.step;
  const std::vector<std::vector<double>> bends = find_bends();
  double count = 0;
  for (const Shape& shape : shapes_) count += bends[shape.of].size();
  if (count > kMost) {
    const double part = kSixteenth * frame.step;
    for (double k = 1; k * part < frame.stop; ++k) corners.push_back(k * part);
    found.are_all = false;
    return found;
  }
  for (const Shape& shape : shapes_)
    for (const double bend : bends[shape.of])
      if (const double t = bend + shape.delay; t > 0 && t < frame.stop) corners.push_back(t);
  return found;
}

void LoadsOverTime::look(const TimeFrame& frame, Sampling& sampling) const {
  constexpr double kMost = 1e8;
  if (sources_.empty()) return;
  const std::vector<std::vector<double>> bends = find_bends();
  double count = 0;
  std::vector<int64_t> source(shapes_.size(), sources_.front());
  for (size_t k = shape_of_.size(); k-- > 0;) source[shape_of_[k]] = sources_[k % sources_.size()];
  std::vector<double> turns;
  for (size_t s = 0; s < shapes_.size(); ++s) {
    const Shape& shape = shapes_[s];
    count += static_cast<double>(bends[shape.of].size());
    if (count > kMost) return sampling.miss(source[s], 0, 1);
    turns.clear();
    for (const double bend : bends[shape.of])
      if (const double t = bend + shape.delay; t > 0 && t < frame.stop) turns.push_back(t);
    sampling.look_at(source[s], turns, [&](double t) { return value(shape, t); });
  }
}

double LoadsOverTime::swing(int32_t of) const {
  const auto first = amperes_.begin() + of * std::ssize(time_);
  const auto [least, most] = std::minmax_element(first, first + std::ssize(time_));
  return *most - *least;
}

std::vector<char> LoadsOverTime::varying_shapes(double stop) const {
  constexpr double kNothing = 1e-6;
  const std::vector<std::vector<double>> bends = find_bends();
  const auto does_vary = [&](const Shape& shape) {
    const double first = value(shape, 0), least = kNothing * swing(shape.of);
    const auto is_other = [&](double t) { return std::abs(value(shape, t) - first) > least; };
    return is_other(stop) || std::ranges::any_of(bends[shape.of], [&](double t) {
             return t + shape.delay > 0 && t + shape.delay < stop && is_other(t + shape.delay);
           });
  };
  std::vector<char> varies(shapes_.size());
  for (size_t s = 0; s < shapes_.size(); ++s) varies[s] = does_vary(shapes_[s]);
  return varies;
}

bool LoadsOverTime::vary(double stop) const {
  if (sources_.empty()) return false;
  const std::vector<char> varies = varying_shapes(stop);
  for (size_t i = 0; i < shape_of_.size(); ++i)
    if (scale_[i] != 0 && varies[shape_of_[i]]) return true;
  return false;
}

std::vector<int64_t> LoadsOverTime::late_sources(double stop) const {
  std::vector<int64_t> late;
  if (sources_.empty()) return late;
  const std::vector<char> varies = varying_shapes(stop);
  std::vector<double> swings;
  for (int64_t m = 0; m < std::ssize(amperes_) / std::ssize(time_); ++m)
    swings.push_back(swing(static_cast<int32_t>(m)));
  for (size_t k = 0; k < sources_.size(); ++k) {
    for (size_t j = 0; j < static_cast<size_t>(scenarios_); ++j) {
      const size_t at = cell(k, j);
      if (scale_[at] == 0 || swings[shapes_[shape_of_[at]].of] == 0 || varies[shape_of_[at]] != 0) continue;
      late.push_back(sources_[k]);
      break;
    }
  }
  return late;
}

void LoadsOverTime::start(DeviceSteps& device) const {
  deck_.forget();
  device.set_drives(deck_.drives());
  if (sources_.empty()) return;
  TemplateTables tables{time_, amperes_, {}, sources_, shape_of_, scale_, varies_};
  for (size_t s = 0; s < shapes_.size(); ++s)
    tables.shapes.push_back({shapes_[s].of, shapes_[s].delay, shape_at_start_[s]});
  device.set_templates(tables);
}

void LoadsOverTime::at(double t, std::span<const LoadPiece> changes, DeviceSteps& device) const {
  device.change(changes);
  device.find_loads(t);
}

void LoadsOverTime::at(double t, Block<double> more) const {
  deck_.loads_at(t, more.column(0));
  for (int64_t j = 1; j < scenarios_; ++j) std::ranges::copy(more.column(0), more.column(j).begin());
  if (sources_.empty()) return;
  std::vector<double> shape_more(shapes_.size());
  parallel_each(
      std::ssize(shapes_), [&](int64_t s) { shape_more[s] = value(shapes_[s], t) - shape_at_start_[s]; }, 1 << 12);
  for (int64_t j = 0; j < scenarios_; ++j) {
    const std::span<double> load = more.column(j);
    parallel_each(std::ssize(sources_), [&](int64_t k) {
      const size_t at = cell(static_cast<size_t>(k), static_cast<size_t>(j));
      load[sources_[k]] = scale_[at] * shape_more[shape_of_[at]];
    });
  }
}

}  // namespace gridiron
