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

}  // namespace

double value_at_start(const Waveform& waveform) { return or_zero(std::visit(AtStart{}, waveform)); }

}  // namespace gridiron
