// SPDX-License-Identifier: Apache-2.0
#include "netlist/waveform.hpp"

#include <cmath>

namespace gridiron {
namespace {

double or_zero(double v) { return std::isnan(v) ? 0.0 : v; }

struct AtStart {
  double operator()(const Pulse& p) const { return p.initial; }
  double operator()(const Exp& e) const { return e.initial; }
  double operator()(const Sin& s) const { return s.offset; }
  double operator()(const Pwl& w) const { return w.points.empty() ? 0.0 : w.points.front().second; }
};

struct Scale {
  double factor;
  void operator()(Pulse& p) const { p.initial *= factor, p.pulsed *= factor; }
  void operator()(Exp& e) const { e.initial *= factor, e.pulsed *= factor; }
  void operator()(Sin& s) const { s.offset *= factor, s.amplitude *= factor; }
  void operator()(Pwl& w) const {
    for (auto& [time, value] : w.points) value *= factor;
  }
};

}  // namespace

double value_at_start(const Waveform& waveform) { return or_zero(std::visit(AtStart{}, waveform)); }

void scale(Waveform& waveform, double factor) { std::visit(Scale{factor}, waveform); }

}  // namespace gridiron
