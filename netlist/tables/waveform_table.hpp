// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gridiron {

/// What current sources draw over time in one or several scenarios: source i of scenario j draws, at time t,
/// scale(i, j) times template(i, j) at t − delay(i, j). Templates are linear between their samples, and constant before
/// the first and after the last.
struct WaveformTable {
  std::string path;                  ///< of the file, for messages
  std::vector<double> time_s;        ///< of the samples of all templates; ascending
  std::vector<double> template_a;    ///< A, template after template
  std::vector<std::string> sources;  ///< names, unique as in netlists
  int64_t scenarios = 1;
  std::vector<std::string> scenario_names;  ///< empty, or one each

  /// A value per source, or per source and scenario, scenario after scenario.
  template <class T>
  struct Column {
    std::vector<T> values;
    bool varies = false;  ///< over the scenarios
    T at(size_t source, size_t scenario, size_t sources) const {
      return values[varies ? scenario * sources + source : source];
    }
  };
  Column<int32_t> shape;  ///< index of the template
  Column<double> delay_s, scale;

  int64_t templates() const { return std::ssize(template_a) / std::ssize(time_s); }
};

/// Reads a .npz file, as numpy.savez() and savez_compressed() write it, with the arrays
///
///     time       t times, s, ascending
///     templates  m × t (or t values for one template), A
///     source     n names of current sources
///     template   n indices from 0, or n × scenarios
///     delay      n seconds, n × scenarios, or one for all; 0 where it is missing
///     scale      likewise; 1 where it is missing
///     scenario   names of the scenarios; may be missing
///
/// Errors: InputError that says the file, the array, what is wrong, and what to do.
WaveformTable read_waveforms(const std::string& path);

}  // namespace gridiron
