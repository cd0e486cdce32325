// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/void_course.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridiron {
namespace {

constexpr double kClose = 1e-6;  ///< so close to critical is critical
constexpr double kFirst = 0.1;   ///< of the share of the time: the first step

}  // namespace

VoidCourse::VoidCourse(const StressGraph& graph, const StressMesh& mesh, const VoidRules& rules,
                       const VoidScales& scales, double share)
    : graph_(&graph),
      mesh_(&mesh),
      rules_(rules),
      scales_(scales),
      share_(share),
      drive_pa_(mesh.drive_pa().begin(), mesh.drive_pa().end()),
      drive_left_(2 * graph.segments.size(), 1.0),
      has_failed_(graph.segments.size(), 0),
      may_fail_(graph.segments.size(), 1),
      at_(graph.drive_pa.size()),
      factor_(mesh.elimination()) {
  for (int32_t s = 0; s < std::ssize(graph.segments); ++s) {
    at_[graph.segments[s].a].push_back({s, false});
    at_[graph.segments[s].b].push_back({s, true});
  }
  now_.step = kFirst * share * scales.nucleation;
  now_.potential = drive_pa_;
  for (double& potential : now_.potential) potential += rules.residual_pa;
  now_.is_void.assign(at_.size(), 0);
  now_.drained.assign(2 * graph.segments.size(), 0.0);
  now_.rise_pa.assign(at_.size(), 0.0);
  kept_ = kept_earlier_ = now_;
}

VoidCourse::EndEdge VoidCourse::edge_at(SegmentEnd end) const {
  const StressGraph::Segment& segment = graph_->segments[end.segment];
  const int32_t first = mesh_->first_edge(end.segment), last = mesh_->first_edge(end.segment + 1) - 1;
  const int32_t inner = mesh_->nodes() + first - end.segment;  // the first point between the ends
  if (first == last) return {first, end.is_b ? segment.a : segment.b};
  return end.is_b ? EndEdge{last, inner + last - first - 1} : EndEdge{first, inner};
}

double VoidCourse::end_drive(SegmentEnd end) const {
  const StressGraph::Segment& segment = graph_->segments[end.segment];
  const double here = drive_pa_[end.is_b ? segment.b : segment.a], there = drive_pa_[end.is_b ? segment.a : segment.b];
  const double left = drive_left_[end.index()];
  return left == 1 ? here : there + (here - there) * left;
}

/// Where the point next to the end is the other end of the segment, and a void, its φ is what is fixed there.
double VoidCourse::next_potential(SegmentEnd end, const EndEdge& edge, std::span<const double> potential) const {
  const bool is_fixed = edge.next < mesh_->nodes() && now_.is_void[edge.next];
  return is_fixed ? end_drive({end.segment, !end.is_b}) : potential[edge.next];
}

double VoidCourse::stress_volume() const {
  double sum = 0;
  for (size_t i = 0; i < drive_pa_.size(); ++i) sum += mesh_->volume_um3()[i] * stress_pa(static_cast<int32_t>(i));
  return sum;
}

double VoidCourse::void_um3() const {
  double sum = 0;
  for (const double drained : now_.drained) sum += drained;
  return sum / rules_.bulk_modulus_pa;
}

double VoidCourse::void_um(SegmentEnd end) const {
  const StressGraph::Segment& segment = graph_->segments[end.segment];
  const double own = now_.drained[end.index()];
  if (!(own > 0)) return 0;
  double all = 0, out = 0;
  for (const SegmentEnd& other : at_[end.is_b ? segment.b : segment.a]) {
    const double drained = now_.drained[other.index()];
    all += drained;
    out += std::max(0.0, drained);
  }
  return all > 0 ? own * (all / out) / (segment.area_um2 * rules_.bulk_modulus_pa) : 0;
}

void VoidCourse::set_drives(std::span<const double> of_nodes) {
  for (size_t i = 0; i < drive_pa_.size(); ++i) now_.potential[i] -= drive_pa_[i];
  std::ranges::copy(of_nodes, drive_pa_.begin());
  for (int32_t s = 0; s < std::ssize(graph_->segments); ++s) {
    const double from = end_drive({s, false}), to = end_drive({s, true});
    const double area = graph_->segments[s].area_um2, length = graph_->segments[s].length_um;
    const int32_t first = mesh_->first_edge(s), last = mesh_->first_edge(s + 1) - 1;
    double place = 0;
    for (int32_t e = first; e < last; ++e) {
      place += area / mesh_->weight_um()[e];
      drive_pa_[mesh_->nodes() + e - s] = from + (to - from) * (place / length);
    }
  }
  for (size_t i = 0; i < drive_pa_.size(); ++i) now_.potential[i] += drive_pa_[i];
  kept_ = kept_earlier_ = now_;
}

void VoidCourse::keep() {
  if (kept_.time == now_.time) return;
  std::swap(kept_, kept_earlier_);
  kept_ = now_;
}

void VoidCourse::go_back(double time) {
  if (now_.time <= time) return;
  now_ = kept_.time <= time ? kept_ : kept_earlier_;
}

void VoidCourse::fail(SegmentEnd end, double share_left) {
  has_failed_[end.segment] = 1;
  drive_left_[end.index()] = share_left;
}

/// The matrix of a step: voids cut their edges, and hold φ at the other ends of these.
void VoidCourse::prepare(double length) {
  const std::span<const double> volume = mesh_->volume_um3(), weight = mesh_->weight_um();
  surplus_.resize(volume.size());
  for (size_t i = 0; i < volume.size(); ++i) surplus_[i] = volume[i] / length;
  weight_.assign(weight.begin(), weight.end());
  fixed_.assign(volume.size(), 0.0);
  for (const int32_t node : now_.voids)
    for (const SegmentEnd end : at_[node]) {
      const EndEdge edge = edge_at(end);
      weight_[edge.edge] = 0;
      surplus_[edge.next] += weight[edge.edge];
      fixed_[edge.next] += weight[edge.edge] * end_drive(end);
    }
  factor_.factor(surplus_, weight_);
}

void VoidCourse::euler(double length, std::vector<double>& potential, std::vector<double>& drained) {
  const std::span<const double> volume = mesh_->volume_um3();
  for (size_t i = 0; i < volume.size(); ++i) potential[i] = potential[i] * (volume[i] / length) + fixed_[i];
  factor_.solve(potential);
  for (const int32_t node : now_.voids) potential[node] = drive_pa_[node];
  for (const int32_t node : now_.voids)
    for (const SegmentEnd end : at_[node]) {
      const EndEdge edge = edge_at(end);
      const double flux = mesh_->weight_um()[edge.edge] * (next_potential(end, edge, potential) - end_drive(end));
      drained[end.index()] += length * flux;
    }
}

/// Returns by how much its two halves differ from the whole, in shares of what is allowed: of what decides when voids
/// nucleate, and how long they are.
double VoidCourse::step(double length) {
  whole_ = now_.potential;
  whole_drained_ = now_.drained;
  prepare(length);
  euler(length, whole_, whole_drained_);
  prepare(0.5 * length);
  for (int k = 0; k < 2; ++k) euler(0.5 * length, now_.potential, now_.drained);
  double worst = 0;
  for (int32_t n = 0; n < mesh_->nodes(); ++n) {
    const double scale = std::max(rules_.critical_pa, std::abs(stress_pa(n)));
    if (!now_.is_void[n]) worst = std::max(worst, std::abs(now_.potential[n] - whole_[n]) / scale);
  }
  const double of_void = rules_.bulk_modulus_pa * rules_.void_um;
  for (const int32_t node : now_.voids)
    for (const SegmentEnd end : at_[node]) {
      const double scale = of_void * graph_->segments[end.segment].area_um2;
      worst = std::max(worst, std::abs(now_.drained[end.index()] - whole_drained_[end.index()]) / scale);
    }
  for (size_t i = 0; i < whole_.size(); ++i) now_.potential[i] += now_.potential[i] - whole_[i];
  for (size_t e = 0; e < whole_drained_.size(); ++e) now_.drained[e] += now_.drained[e] - whole_drained_[e];
  now_.time += length;
  return worst / std::pow(0.25 * share_, 2);
}

/// How far the worst node is above the critical stress, in shares of it.
double VoidCourse::stress_excess() const {
  double most = -1;
  for (int32_t n = 0; n < mesh_->nodes(); ++n)
    if (!now_.is_void[n]) most = std::max(most, stress_pa(n) / rules_.critical_pa - 1);
  return most;
}

/// How far the longest void is above its length, in shares of it.
double VoidCourse::length_excess() const {
  double most = -1;
  for (const int32_t node : now_.voids)
    for (const SegmentEnd end : at_[node])
      if (can_fail(end)) most = std::max(most, void_um(end) / rules_.void_um - 1);
  return most;
}

/// Shortens the step that led here so that it leads no further above than it must, but for a time of `close`.
void VoidCourse::locate(double (VoidCourse::*excess)() const, double close) {
  constexpr int kMostTries = 60;
  double low = 0, high = now_.time - before_.time, above = (this->*excess)();
  found_ = now_;
  now_ = before_;
  double below = (this->*excess)();
  bool was_below = false, was_above = false;
  for (int tries = 0; tries < kMostTries && above > kClose && high - low > close; ++tries) {
    const double middle = low + (high - low) * (below < 0 ? below / (below - above) : 0.5);  // Illinois
    if (!(middle > low && middle < high)) break;
    now_ = before_;
    step(middle);
    const double value = (this->*excess)();
    if (value >= -kClose) {
      if (was_above) below *= 0.5;
      high = middle, above = value, found_ = now_;
    } else {
      if (was_below) above *= 0.5;
      low = middle, below = value;
    }
    was_above = value >= -kClose;
    was_below = !was_above;
  }
  now_ = found_;
}

void VoidCourse::nucleate() {
  for (int32_t n = 0; n < mesh_->nodes(); ++n) {
    if (now_.is_void[n] || !(stress_pa(n) >= (1 - kClose) * rules_.critical_pa)) continue;
    const double stress = stress_pa(n), before = before_.potential[n] - drive_pa_[n];
    const double passed = now_.time - before_.time;
    now_.rise_pa[n] = passed > 0 ? (stress - before) / passed : std::numeric_limits<double>::infinity();
    for (const SegmentEnd end : at_[n]) {
      const double cell = graph_->segments[end.segment].area_um2 / mesh_->weight_um()[edge_at(end).edge];
      now_.drained[end.index()] += 0.5 * cell * graph_->segments[end.segment].area_um2 * stress;
    }
    now_.is_void[n] = 1;
    now_.voids.push_back(n);
    now_.potential[n] = drive_pa_[n];
  }
}

std::optional<SegmentFailure> VoidCourse::failed() const {
  std::optional<SegmentFailure> failure;
  double longest = (1 - kClose) * rules_.void_um;
  for (const int32_t node : now_.voids)
    for (const SegmentEnd end : at_[node]) {
      const double length = void_um(end);
      if (!can_fail(end) || !(length >= longest)) continue;
      longest = std::nextafter(length, std::numeric_limits<double>::infinity());
      const EndEdge edge = edge_at(end);
      const double flux = mesh_->weight_um()[edge.edge] * (next_potential(end, edge, now_.potential) - end_drive(end));
      failure = {now_.time, end, now_.rise_pa[node],
                 flux / (graph_->segments[end.segment].area_um2 * rules_.bulk_modulus_pa)};
    }
  return failure;
}

std::optional<SegmentFailure> VoidCourse::advance(double until, bool ends_at_failure) {
  constexpr double kExact = 1e-12;  // of the time
  constexpr double kEarly = 0.1, kNucleation = 0.002;
  constexpr double kLeastStep = 1e-13, kSafety = 0.9, kLeastFactor = 0.3, kMostFactor = 2;
  before_ = now_;
  nucleate();
  for (;;) {
    if (ends_at_failure)
      if (const std::optional<SegmentFailure> failure = failed()) return failure;
    const double left = until - now_.time;
    if (!(left > 0)) return std::nullopt;
    const double length = std::min(now_.step, left);
    before_ = now_;
    const double error = step(length);
    const double factor = std::clamp(kSafety / std::sqrt(error), kLeastFactor, kMostFactor);
    if (error > 1 && length > kLeastStep * now_.time) {
      now_ = before_;
      now_.step = factor * length;
      continue;
    }
    now_.step = length < now_.step ? std::max(now_.step, factor * length) : factor * length;
    if (length == left) now_.time = until;
    if (ends_at_failure && length_excess() > 0) locate(&VoidCourse::length_excess, kExact * now_.time);
    if (stress_excess() > 0)
      locate(&VoidCourse::stress_excess,
             std::min(kEarly * now_.time, kNucleation * std::max(scales_.growth, now_.time)));
    nucleate();
  }
}

}  // namespace gridiron
