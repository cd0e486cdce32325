// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/model/design.hpp"
#include "analysis/model/loads.hpp"
#include "analysis/tran/sources_over_time.hpp"
#include "engines/engine.hpp"
#include "netlist/tables/waveform_table.hpp"

namespace gridiron {

/// What the current sources of a design draw in every scenario: what a table of waveforms says of those that it names,
/// and the deck of the others.
class LoadsOverTime {
 public:
  /// `deck`, which leaves to the table what that names, and `design` must outlive this; no table: one scenario, that of
  /// the deck. Errors: InputError for names that
  /// are unknown or stand for several sources.
  LoadsOverTime(const Design& design, SourcesOverTime& deck, const WaveformTable* table);

  int64_t scenarios() const { return scenarios_; }
  /// Those that the table names.
  std::span<const int64_t> sources() const { return sources_; }

  /// What every source draws at time 0 in every scenario.
  Loads at_start(std::shared_ptr<const Design> design) const;

  /// Times in (0, frame.stop) where the table's waveforms bend. Beyond a few million there is one for every sixteenth
  /// of a step instead.
  Corners corners(const TimeFrame& frame) const;

  /// What steps miss of the table's waveforms; of more than a hundred million bends all.
  void look(const TimeFrame& frame, Sampling& sampling) const;

  /// Whether any of them varies before `stop`, s, by more than a millionth of what its template swings.
  bool vary(double stop) const;
  /// The sources that in some scenario do not, although they follow a template that is not constant.
  std::vector<int64_t> late_sources(double stop) const;

  /// Sets what the sources that the table names draw when they draw most, or least below zero, of all scenarios, A.
  void take_peaks(std::span<double> amperes) const;

  /// The shortest time between two bends of a template that a source follows, s; infinite where there are none.
  double shortest_edge() const;

  /// Fills a column per scenario with what sources draw at time t more than at time 0, A; in full where the deck's do.
  void at(double t, Block<double> more) const;

  /// The same on a device, where start() has put what it takes.
  void start(DeviceSteps& device) const;
  void at(double t, std::span<const LoadPiece> changes, DeviceSteps& device) const;
  /// What the host has to find for that: one call per time.
  std::vector<LoadPiece> changes(double t) const { return deck_.changed_pieces(t); }

 private:
  /// Of the sources that follow a template with the same delay, the template is looked up once.
  struct Shape {
    int32_t of;
    double delay;
    bool operator==(const Shape&) const = default;
  };
  void bind(const Design& design, const WaveformTable& table);
  void find_shapes(const WaveformTable& table);
  std::vector<std::vector<double>> find_bends() const;
  double swing(int32_t of) const;
  /// Per shape whether it varies before `stop`.
  std::vector<char> varying_shapes(double stop) const;
  double value(const Shape& shape, double t) const;
  size_t cell(size_t row, size_t scenario) const { return varies_ ? scenario * sources_.size() + row : row; }

  SourcesOverTime& deck_;
  int64_t scenarios_ = 1;
  std::vector<double> time_, amperes_;  ///< of the templates
  std::vector<int64_t> sources_;        ///< that follow a template
  std::vector<size_t> row_;             ///< of the table, for each of them
  bool varies_ = false;                 ///< over the scenarios
  std::vector<Shape> shapes_;
  std::vector<double> shape_at_start_;
  std::vector<int32_t> shape_of_;  ///< per source, or per source and scenario
  std::vector<double> scale_;      ///< likewise
};

}  // namespace gridiron
