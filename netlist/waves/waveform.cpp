// SPDX-License-Identifier: Apache-2.0
#include "netlist/waves/waveform.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "netlist/waves/curves.hpp"
#include "netlist/waves/linear_piece.hpp"
#include "netlist/waves/pwl_piece.hpp"

namespace gridiron {
namespace {

double or_zero(double v) { return std::isnan(v) ? 0.0 : v; }
double given_or(double v, double otherwise) { return std::isnan(v) ? otherwise : v; }
/// Where zero stands for the default, too.
double positive_or(double v, double otherwise) { return v > 0 ? v : otherwise; }
/// The same of times that may lie before the simulation.
double nonzero_or(double v, double otherwise) { return std::isnan(v) || v == 0 ? otherwise : v; }

/// A pulse with all of its arguments.
struct TimedPulse {
  double delay, rise, fall, width, period, pulses;

  TimedPulse(const Pulse& p, const TimeFrame& frame)
      : delay(given_or(p.delay, 0)),
        rise(positive_or(p.rise, frame.step)),
        fall(positive_or(p.fall, frame.step)),
        width(positive_or(p.width, frame.stop)),
        period(positive_or(p.period, frame.stop)),
        pulses(positive_or(p.pulses, HUGE_VAL)) {}

  /// How far the value is from `initial` towards `pulsed`, 0 … 1, at time t.
  double height(double t) const {
    t -= delay;
    if (t <= 0 || t >= pulses * period) return 0;
    t -= period * std::floor(t / period);
    if (t < rise) return t / rise;
    if (t <= rise + width) return 1;
    return std::max(0.0, 1 - (t - rise - width) / fall);
  }
};

struct ExpTimes {
  double rise_delay, rise_tau, fall_delay, fall_tau;

  ExpTimes(const Exp& e, const TimeFrame& frame)
      : rise_delay(nonzero_or(e.rise_delay, frame.step)),
        rise_tau(positive_or(e.rise_tau, frame.step)),
        fall_delay(nonzero_or(e.fall_delay, rise_delay + frame.step)),
        fall_tau(positive_or(e.fall_tau, frame.step)) {}
};

/// A jump, two points of a PWL at one time, takes this share of a step: no rule that steps in time can jump.
constexpr double kJump = 1e-3;

double sine(const Sin& s, double t, double frequency) {
  const double after = std::max(0.0, t - or_zero(s.delay));
  return s.offset + s.amplitude * std::sin(2 * std::numbers::pi * (frequency * after + or_zero(s.phase) / 360)) *
                        std::exp(-after * or_zero(s.damping));
}

struct ValueAt {
  double t;
  const TimeFrame& frame;

  double operator()(const Pulse& p) const {
    return p.initial + (p.pulsed - p.initial) * TimedPulse(p, frame).height(t);
  }
  double operator()(const Sin& s) const { return sine(s, t, positive_or(s.frequency, 1 / frame.stop)); }
  double operator()(const Exp& e) const {
    const ExpTimes times(e, frame);
    if (t <= times.rise_delay) return e.initial;
    const auto risen = [&](double delay, double tau) { return t > delay ? -std::expm1(-(t - delay) / tau) : 0.0; };
    return e.initial +
           (e.pulsed - e.initial) * (risen(times.rise_delay, times.rise_tau) - risen(times.fall_delay, times.fall_tau));
  }
  double operator()(const Pwl& w) const {
    if (w.points.empty()) return 0;
    const PwlPiece piece = pwl_piece(w, t);
    const double value = piece.at(t), since = (t - piece.begin) / (kJump * frame.step);
    return since < 1 && piece.before != piece.value ? std::lerp(piece.before, value, since) : value;
  }
};

struct PieceAt {
  double t;
  const TimeFrame& frame;

  std::optional<LinearPiece> operator()(const Pulse& p) const {
    const TimedPulse pulse(p, frame);
    const double height = p.pulsed - p.initial, after = t - pulse.delay, period = std::floor(after / pulse.period);
    if (after < 0) return LinearPiece{0, pulse.delay, p.initial, 0};
    if (period >= pulse.pulses) return LinearPiece{t, HUGE_VAL, p.initial, 0};
    const double start = pulse.delay + period * pulse.period, stop = start + pulse.period;
    const double top = start + pulse.rise, fall = top + pulse.width, foot = fall + pulse.fall;
    if (t < top) return LinearPiece{start, std::min(top, stop), p.initial, height / pulse.rise};
    if (t < fall) return LinearPiece{top, std::min(fall, stop), p.pulsed, 0};
    if (t < foot) return LinearPiece{fall, std::min(foot, stop), p.pulsed, -height / pulse.fall};
    return LinearPiece{foot, stop, p.initial, 0};
  }
  std::optional<LinearPiece> operator()(const Pwl& w) const {
    if (w.points.empty()) return LinearPiece{0, HUGE_VAL, 0, 0};
    const PwlPiece piece = pwl_piece(w, t);
    if (piece.value == piece.end_value && piece.before == piece.value)
      return LinearPiece{piece.begin, piece.end, piece.value, 0};
    const double ramp = kJump * frame.step;
    if (t - piece.begin < ramp) return std::nullopt;
    if (std::isinf(piece.end)) return LinearPiece{piece.begin + ramp, piece.end, piece.value, 0};
    const double slope = (piece.end_value - piece.value) / (piece.end - piece.begin);
    return LinearPiece{piece.begin + ramp, piece.end, piece.value + slope * ramp, slope};
  }
  template <class Curved>
  std::optional<LinearPiece> operator()(const Curved&) const {
    return std::nullopt;
  }
};

struct Corners {
  const TimeFrame& frame;
  std::vector<double>& times;

  void add(double t) const {
    if (t > 0 && t < frame.stop) times.push_back(t);
  }
  void operator()(const Pulse& p) const {
    const TimedPulse pulse(p, frame);
    if (outruns(p, frame) || (p.initial == p.pulsed && pulse.period < kJump * frame.step)) return;
    const double first = std::max(0.0, std::floor(-pulse.delay / pulse.period));
    for (double k = first; k < pulse.pulses; ++k) {
      const double start = pulse.delay + k * pulse.period, end = start + pulse.period;
      if (start >= frame.stop) break;
      double t = start;
      for (const double part : {0.0, pulse.rise, pulse.width, pulse.fall})
        if (t += part; t < end) add(t);
    }
  }
  void operator()(const Sin& s) const { add(or_zero(s.delay)); }
  void operator()(const Exp& e) const {
    const ExpTimes t(e, frame);
    add(std::min(t.rise_delay, t.fall_delay));
    add(std::max(t.rise_delay, t.fall_delay));
  }
  void operator()(const Pwl& w) const {
    if (!outruns(w, frame)) append_pwl_corners(w, frame, kJump * frame.step, times);
  }
};

/// Of so many periods from `start` on.
bool is_too_fast(double period, double start, double periods, const TimeFrame& frame) {
  constexpr double kMany = 1000;
  return period < kJump * frame.step && std::min(periods, (frame.stop - start) / period) > kMany;
}

struct Outruns {
  const TimeFrame& frame;
  bool operator()(const Pulse& p) const {
    const TimedPulse pulse(p, frame);
    return p.initial != p.pulsed && is_too_fast(pulse.period, pulse.delay, pulse.pulses, frame);
  }
  bool operator()(const Sin& s) const {
    return s.amplitude != 0 &&
           is_too_fast(1 / positive_or(s.frequency, 1 / frame.stop), or_zero(s.delay), HUGE_VAL, frame);
  }
  bool operator()(const Exp&) const { return false; }
  bool operator()(const Pwl& w) const {
    return varies_in_rounds(w) && is_too_fast(w.period(), w.repeat, HUGE_VAL, frame);
  }
};

struct Turns {
  const TimeFrame& frame;
  double longest_period;
  std::vector<double>& times;

  void add(double t) const {
    if (t > 0 && t < frame.stop) times.push_back(t);
  }
  /// Where the derivative of sin(a) · exp(−damping · t), a = 2π (f t + phase), is 0: tan a = 2π f / damping.
  void operator()(const Sin& s) const {
    const double f = positive_or(s.frequency, 1 / frame.stop), start = or_zero(s.delay);
    if (s.amplitude == 0 || 1 / f > longest_period || Outruns{frame}(s)) return;
    constexpr double kTurn = 2 * std::numbers::pi;
    const double first =
        std::atan2(kTurn * f, or_zero(s.damping)) / kTurn - std::fmod(or_zero(s.phase) / 360, 1);  // periods
    const double earliest = std::floor(2 * (std::max(0.0, -start) * f - first));
    if (!(std::abs(earliest) < 1e15)) return;  // so late that turns cannot be told apart
    for (double k = earliest;; ++k) {
      const double after = (first + k / 2) / f;
      if (after <= 0) continue;
      if (start + after >= frame.stop) return;
      add(start + after);
    }
  }
  /// Where rise and fall are equally steep, if that is after the fall has begun.
  void operator()(const Exp& e) const {
    const ExpTimes t(e, frame);
    const double slowness = 1 / t.rise_tau - 1 / t.fall_tau;
    if (e.initial == e.pulsed || slowness == 0) return;
    const double level =
        (std::log(t.fall_tau / t.rise_tau) + t.rise_delay / t.rise_tau - t.fall_delay / t.fall_tau) / slowness;
    if (level > std::max(t.rise_delay, t.fall_delay)) add(level);
  }
  void operator()(const Pulse&) const {}
  void operator()(const Pwl&) const {}
};

struct PeriodOf {
  const TimeFrame& frame;
  double operator()(const Sin& s) const {
    constexpr double kFading = 6;
    if (s.amplitude == 0 || or_zero(s.delay) >= frame.stop || Outruns{frame}(s)) return HUGE_VAL;
    const double period = 1 / positive_or(s.frequency, 1 / frame.stop), damping = std::abs(or_zero(s.damping));
    return damping > 0 ? std::min(period, kFading / damping) : period;
  }
  template <class Other>
  double operator()(const Other&) const {
    return HUGE_VAL;
  }
};

struct TimeConstantOf {
  const TimeFrame& frame;
  double operator()(const Exp& e) const {
    const ExpTimes t(e, frame);
    const auto of = [&](double delay, double tau) { return delay < frame.stop ? tau : HUGE_VAL; };
    return e.initial == e.pulsed ? HUGE_VAL : std::min(of(t.rise_delay, t.rise_tau), of(t.fall_delay, t.fall_tau));
  }
  template <class Other>
  double operator()(const Other&) const {
    return HUGE_VAL;
  }
};

struct Curve {
  const TimeFrame& frame;
  double step;
  std::vector<double>& times;

  /// Of an exponential as far from its chord between any two of them: exp(−t / 2τ) at equal distances.
  void operator()(const Exp& e) const {
    constexpr int kParts = 16;
    if (e.initial == e.pulsed) return;
    const ExpTimes t(e, frame);
    for (const auto& [delay, tau] : {std::pair(t.rise_delay, t.rise_tau), std::pair(t.fall_delay, t.fall_tau)})
      for (int k = 1; k < kParts; ++k) {
        const double after = -2 * tau * std::log1p(-static_cast<double>(k) / kParts);
        if (2 * tau / (kParts - k) > step) break;
        if (delay + after > 0 && delay + after < frame.stop) times.push_back(delay + after);
      }
  }
  template <class Other>
  void operator()(const Other&) const {}
};

struct Varies {
  const TimeFrame& frame;
  bool operator()(const Pulse& p) const { return p.initial != p.pulsed && TimedPulse(p, frame).delay < frame.stop; }
  bool operator()(const Sin& s) const { return s.amplitude != 0 && or_zero(s.delay) < frame.stop; }
  bool operator()(const Exp& e) const { return e.initial != e.pulsed && ExpTimes(e, frame).rise_delay < frame.stop; }
  bool operator()(const Pwl& w) const {
    for (size_t k = 1; k < w.points.size(); ++k)
      if (w.points[k].second != w.points[k - 1].second && w.points[k].first > 0 && w.points[k - 1].first < frame.stop)
        return true;
    return false;
  }
};

struct Peak {
  static double larger(double a, double b) { return std::abs(b) > std::abs(a) ? b : a; }
  double operator()(const Pulse& p) const { return larger(p.initial, p.pulsed); }
  double operator()(const Exp& e) const { return larger(e.initial, e.pulsed); }
  double operator()(const Sin& s) const { return s.offset + std::copysign(s.amplitude, s.offset); }
  double operator()(const Pwl& w) const {
    double peak = 0;
    for (const auto& [time, value] : w.points) peak = larger(peak, value);
    return peak;
  }
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

double value_at(const Waveform& waveform, double t, const TimeFrame& frame) {
  return std::visit(ValueAt{t, frame}, waveform);
}

std::optional<LinearPiece> linear_piece(const Waveform& waveform, double t, const TimeFrame& frame) {
  const std::optional<LinearPiece> piece = std::visit(PieceAt{t, frame}, waveform);
  return piece && piece->covers(t) ? piece : std::nullopt;
}

void append_corners(const Waveform& waveform, const TimeFrame& frame, std::vector<double>& times) {
  std::visit(Corners{frame, times}, waveform);
}

void append_turns(const Waveform& waveform, const TimeFrame& frame, double longest_period, std::vector<double>& times) {
  std::visit(Turns{frame, longest_period, times}, waveform);
}

double period_of(const Waveform& waveform, const TimeFrame& frame) { return std::visit(PeriodOf{frame}, waveform); }

double time_constant_of(const Waveform& waveform, const TimeFrame& frame) {
  return std::visit(TimeConstantOf{frame}, waveform);
}

void append_curve(const Waveform& waveform, const TimeFrame& frame, double step, std::vector<double>& times) {
  std::visit(Curve{frame, step, times}, waveform);
}

bool outruns(const Waveform& waveform, const TimeFrame& frame) { return std::visit(Outruns{frame}, waveform); }

bool varies(const Waveform& waveform, const TimeFrame& frame) { return std::visit(Varies{frame}, waveform); }

double peak_of(const Waveform& waveform) { return std::visit(Peak(), waveform); }

double value_at_start(const Waveform& waveform, const TimeFrame& frame) { return value_at(waveform, 0, frame); }

void scale(Waveform& waveform, double factor) { std::visit(Scale{factor}, waveform); }

}  // namespace gridiron
