// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/static_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "support/plural.hpp"

namespace gridiron {
namespace {

double positive_or_zero(double v) { return v > 0 ? v : 0.0; }

struct Varies {
  bool operator()(const Pulse& p) const { return p.pulsed != p.initial; }
  bool operator()(const Exp& e) const { return e.pulsed != e.initial; }
  bool operator()(const Sin& s) const { return s.amplitude != 0; }
  bool operator()(const Pwl& w) const {
    return std::ranges::any_of(w.points, [&](const auto& point) { return point.second != w.points.front().second; });
  }
};

/// Over a period, or from 0 to `stop` where that is above 0, or as long as the arguments tell.
struct Average {
  double stop;

  double operator()(const Pulse& p) const {
    const double delay = positive_or_zero(p.delay), rise = positive_or_zero(p.rise), fall = positive_or_zero(p.fall),
                 width = p.width > 0 ? p.width : HUGE_VAL;
    const auto risen_until = [&](double t) {  // the integral of the height, 0 … 1, from the start of the rise
      const double rising = std::clamp(t, 0.0, rise), flat = std::clamp(t - rise, 0.0, width),
                   falling = std::clamp(t - rise - width, 0.0, fall);
      return (rise > 0 ? rising * rising / (2 * rise) : 0.0) + flat +
             (fall > 0 ? falling - falling * falling / (2 * fall) : 0.0);
    };
    const auto mean = [&](double share) { return p.initial + (p.pulsed - p.initial) * share; };
    if (p.period > 0) return mean(risen_until(p.period) / p.period);
    const double end = stop > 0 ? stop : delay + rise + width + fall;
    return std::isfinite(end) ? mean(risen_until(end - delay) / end) : p.pulsed;
  }
  double operator()(const Sin& s) const { return s.offset; }
  double operator()(const Exp& e) const {
    constexpr double kSettled = 5;  ///< time constants
    const double rise_delay = positive_or_zero(e.rise_delay), rise_tau = positive_or_zero(e.rise_tau),
                 fall_delay = e.fall_delay > 0 ? e.fall_delay : rise_delay, fall_tau = positive_or_zero(e.fall_tau);
    const double end = stop > 0 ? stop : std::max(rise_delay + kSettled * rise_tau, fall_delay + kSettled * fall_tau);
    if (!(end > 0)) return e.initial;
    const auto risen = [&](double delay, double tau) {
      const double t = std::max(0.0, end - delay);
      return tau > 0 ? t + tau * std::expm1(-t / tau) : t;
    };
    return e.initial + (e.pulsed - e.initial) * (risen(rise_delay, rise_tau) - risen(fall_delay, fall_tau)) / end;
  }
  double operator()(const Pwl& w) const {
    if (w.points.empty()) return 0;
    const double last = w.points.back().first;
    if (w.repeats()) return (area(w, last) - area(w, w.repeat)) / w.period();
    const double end = stop > 0 ? stop : last;
    return end > 0 ? area(w, end) / end : w.points.back().second;
  }
  /// From time 0 to `end`, as if it did not repeat.
  static double area(const Pwl& w, double end) {
    double area = 0, time = 0, value = w.points.front().second;
    for (const auto& [t, v] : w.points) {
      if (t > time) {
        const double to = std::min(t, end), at_to = value + (v - value) * ((to - time) / (t - time));
        area += (to - time) * (value + at_to) / 2;
        time = to;
        value = at_to;
        if (t >= end) break;
      }
      value = v;
    }
    return area + (end - time) * value;
  }
};

}  // namespace

StartValues start_values(const Circuit& circuit, Kind kind, std::span<const uint8_t> is_given) {
  const auto& sources = static_cast<const Sources&>(circuit.elements(kind));
  StartValues sum;
  sum.of = sources.size();
  if (circuit.waveform_gives_dc.empty()) return sum;
  for (int64_t i = 0; i < sources.size(); ++i) {
    const auto waveform = static_cast<size_t>(sources.waveform[i]);  // that of a DC source is beyond all
    if (waveform >= circuit.waveform_gives_dc.size() || !circuit.waveform_gives_dc[waveform]) continue;
    if (!is_given.empty() && is_given[i]) continue;
    if (!std::visit(Varies{}, circuit.waveforms[waveform])) continue;
    ++sum.sources;
    sum.at_start += std::abs(sources.value[i]);
    sum.over_time += std::abs(std::visit(Average{circuit.tran.stop}, circuit.waveforms[waveform]));
  }
  return sum;
}

std::vector<Finding> start_value_findings(const StartValues& loads, const StartValues& supplies,
                                          const std::string& file) {
  std::vector<Finding> findings;
  const auto tell = [&](const StartValues& of, const char* what, char unit) {
    if (of.sources == 0) return;
    findings.push_back(
        {Finding::Severity::warning, "waveform-at-start",
         fmt::format("{} of {} {} a waveform and no DC value: a static run takes the value at time 0, {:.4g} {} in "
                     "all, where the average over time is {:.4g} {}; give DC values, or analyse over time",
                     of.sources, counted(of.of, what), of.sources == 1 ? "has" : "have", of.at_start, unit,
                     of.over_time, unit),
         file});
  };
  tell(loads, "current source", 'A');
  tell(supplies, "voltage source", 'V');
  return findings;
}

std::vector<Finding> check_start_values(const Circuit& circuit, std::span<const uint8_t> is_given) {
  return start_value_findings(start_values(circuit, kCurrentSource, is_given), start_values(circuit, kVoltageSource),
                              circuit.files.empty() ? "" : circuit.files[0]->path());
}

void mark_given(const Circuit& circuit, std::span<const double> load_a, std::vector<uint8_t>& is_given) {
  if (circuit.waveform_gives_dc.empty()) return;
  is_given.resize(load_a.size());
  for (size_t i = 0; i < load_a.size(); ++i) is_given[i] |= load_a[i] != circuit.current_sources.value[i];
}

}  // namespace gridiron
