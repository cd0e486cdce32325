// SPDX-License-Identifier: Apache-2.0
#include "netlist/waves/waveform_card.hpp"

#include <fmt/format.h>

#include <cmath>

#include <algorithm>
#include <iterator>

namespace gridiron {

Quantity quantity_of(ast::Shape shape, size_t index, Quantity value) {
  switch (shape) {
    case ast::Shape::pwl:  // t1 v1 t2 v2 …
      return index % 2 == 0 ? Quantity::time : value;
    case ast::Shape::sin: {  // vo va freq td theta phase
      constexpr Quantity kRest[] = {Quantity::frequency, Quantity::time, Quantity::pure, Quantity::pure};
      return index < 2 ? value : kRest[std::min(index - 2, std::size(kRest) - 1)];
    }
    default:  // PULSE v1 v2 td tr tf pw per, EXP v1 v2 td1 tau1 td2 tau2
      return index < 2 ? value : Quantity::time;
  }
}

Waveform make_waveform(ast::Shape shape, const std::vector<double>& v, std::string& error) {
  const auto at = [&](size_t i) { return i < v.size() ? v[i] : kUnset; };
  const auto count = [&](const char* what, size_t least, size_t most) {
    if (v.size() < least || v.size() > most)
      error = fmt::format("{} takes {} to {} numbers, got {}", what, least, most, v.size());
  };
  switch (shape) {
    case ast::Shape::pulse:
      count("PULSE", 2, 8);
      for (size_t i = 3; i < v.size(); ++i)
        if (v[i] < 0) error = "PULSE: rise, fall, width, period and number of pulses must not be negative";
      if (v.size() == 8 && v[7] != std::floor(v[7])) error = "PULSE: the number of pulses is not whole";
      return Pulse{at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)};
    case ast::Shape::sin:
      count("SIN", 2, 6);
      return Sin{at(0), at(1), at(2), at(3), at(4), at(5)};
    case ast::Shape::exp:
      count("EXP", 2, 6);
      return Exp{at(0), at(1), at(2), at(3), at(4), at(5)};
    default: {
      if (v.empty() || v.size() % 2 != 0)
        error = fmt::format("PWL takes pairs of time and value, got {} numbers", v.size());
      Pwl pwl;
      for (size_t i = 0; i + 1 < v.size(); i += 2) {
        if (i > 0 && v[i] < v[i - 2]) error = "PWL times must not decrease";
        if (i == 2 && v[2] == v[0] && v[0] == 0 && v[3] != v[1])
          error = "PWL has two values at time 0; keep the one that applies";
        if (i > 2 && v[i] == v[i - 4] && v[i - 1] != v[i - 3] && v[i - 1] != v[i + 1])
          error = "PWL has three values at one time; keep the first and the last of them";
        pwl.points.emplace_back(v[i], v[i + 1]);
      }
      return pwl;
    }
  }
}

void finish_pwl(Pwl& pwl, PwlTimes times, std::string& error) {
  if (times.repeat == -1) times.repeat = kUnset;
  if (!std::isnan(times.period)) {
    if (!std::isnan(times.repeat)) error = "PWL: R and pwl_period say how it repeats; remove one";
    if (!(times.period > 0) || pwl.points.empty() || times.period < pwl.points.back().first)
      error = fmt::format("PWL: a period of {:g} ends before its last point", times.period);
    else if (times.period > pwl.points.back().first)
      pwl.points.emplace_back(times.period, pwl.points.back().second);
    times.repeat = 0;
  }
  const double last = pwl.points.empty() ? 0 : pwl.points.back().first;
  if (!std::isnan(times.repeat) && !(times.repeat >= 0 && times.repeat < last))
    error = fmt::format("PWL: R={:g} is the time from which it repeats, from 0 to before its last point at {:g}",
                        times.repeat, last);
  const double delay = std::isnan(times.delay) ? 0 : times.delay;
  if (!(delay >= 0)) error = fmt::format("PWL: the delay TD={:g} must not be negative", delay);
  pwl.repeat = times.repeat + delay;
  if (delay > 0)
    for (auto& [time, value] : pwl.points) time += delay;
}

}  // namespace gridiron
