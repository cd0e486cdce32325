// SPDX-License-Identifier: Apache-2.0
#include "netlist/waves/pwl_piece.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace gridiron {
namespace {

using Point = std::pair<double, double>;

auto first_after(const Pwl& w, double t) { return std::ranges::upper_bound(w.points, t, {}, &Point::first); }

/// The piece of the points as they stand, and the number of its first point; −1 before all.
struct FoundPiece {
  PwlPiece piece;
  ptrdiff_t point;
};
FoundPiece piece_of_points(const Pwl& w, double t) {
  const auto after = first_after(w, t);
  if (after == w.points.begin()) {
    const auto [end, value] = *after;
    return {{0, end, value, value, value}, -1};
  }
  const auto [begin, value] = *std::prev(after);
  auto first = std::prev(after);
  while (first != w.points.begin() && std::prev(first)->first == begin) --first;
  const bool is_last = after == w.points.end();
  return {{begin, is_last ? HUGE_VAL : after->first, value, is_last ? value : after->second, first->second},
          std::prev(after) - w.points.begin()};
}

/// Before a jump at the last point, if there is one.
double value_at_end(const Pwl& w) { return piece_of_points(w, w.points.back().first).piece.before; }

/// After a jump there.
double value_at_repeat(const Pwl& w) { return piece_of_points(w, w.repeat).piece.at(w.repeat); }

/// How often a PWL has begun again at time t, behind its last point.
double rounds_at(const Pwl& w, double t) {
  double rounds = std::floor((t - w.repeat) / w.period());
  if (t - rounds * w.period() >= w.points.back().first) ++rounds;  // by rounding
  return std::max(1.0, rounds);
}

/// Corners of all rounds but the first.
template <class Add>
void append_rounds(const Pwl& w, const TimeFrame& frame, double ramp, const Add& add) {
  const auto first = first_after(w, w.repeat);
  const double end = w.points.back().first;
  const bool jumps = value_at_end(w) != value_at_repeat(w);
  for (double round = 1; end + (round - 1) * w.period() < frame.stop; ++round) {
    const double shift = round * w.period();
    if (jumps) add(w.repeat + shift + ramp);
    for (auto point = first; point != w.points.end(); ++point) {
      add(point->first + shift);
      if (point != first && point->first == std::prev(point)->first) add(point->first + shift + ramp);
    }
  }
}

}  // namespace

bool varies_in_rounds(const Pwl& w) {
  return w.repeats() && std::any_of(first_after(w, w.repeat), w.points.end(),
                                    [&](const Point& point) { return point.second != value_at_repeat(w); });
}

PwlPiece pwl_piece(const Pwl& w, double t) {
  if (!w.repeats() || t < w.points.back().first) return piece_of_points(w, t).piece;
  const double shift = rounds_at(w, t) * w.period();
  const double within = std::max(w.repeat, t - shift);
  auto [piece, point] = piece_of_points(w, within);
  if (piece.begin <= w.repeat) {
    piece.value = piece.at(w.repeat);
    piece.begin = w.repeat;
    piece.before = value_at_end(w);
  }
  piece.begin += shift;
  piece.end += shift;
  return piece;
}

void append_pwl_corners(const Pwl& w, const TimeFrame& frame, double ramp, std::vector<double>& times) {
  const auto old_count = static_cast<ptrdiff_t>(times.size());
  const auto add = [&](double t) {
    if (t > 0 && t < frame.stop) times.push_back(t);
  };
  for (size_t k = 0; k < w.points.size(); ++k) {
    const double time = w.points[k].first;
    add(time);
    if (k > 0 && time == w.points[k - 1].first) add(time + ramp);
  }
  if (varies_in_rounds(w)) append_rounds(w, frame, ramp, add);
  // Rounding, and points closer to each other than a ramp is long, put neighbours into the wrong order.
  std::sort(times.begin() + old_count, times.end());
}

}  // namespace gridiron
