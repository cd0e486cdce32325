// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/stress/void_course.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace gridiron {
namespace {

constexpr double kClose = 1e-6;                           ///< so close to critical is critical
constexpr double kStage = 1 - 0.5 * std::numbers::sqrt2;  ///< of a step
constexpr double kFirst = 0.1;                            ///< of the share of the time: the first step

}  // namespace

VoidCourse::VoidCourse(const StressGraph& graph, const VoidCells& cells, const VoidRules& rules,
                       const VoidScales& scales, double share)
    : graph_(&graph),
      cells_(cells),
      rules_(rules),
      scales_(scales),
      share_(share),
      drive_left_(2 * graph.segments.size(), 1.0),
      has_failed_(graph.segments.size(), 0),
      may_fail_(graph.segments.size(), 1),
      at_(graph.drive_pa.size()) {
  for (int32_t s = 0; s < std::ssize(graph.segments); ++s) {
    at_[graph.segments[s].a].push_back({s, false});
    at_[graph.segments[s].b].push_back({s, true});
  }
  now_.step = kFirst * share * scales.nucleation;
  now_.mesh_time = scales.nucleation;
  now_.mesh = mesh_for(now_.mesh_time);
  drive_pa_.assign(graph.drive_pa.begin(), graph.drive_pa.end());
  use_mesh();
  now_.potential = drive_pa_;
  for (double& potential : now_.potential) potential += rules.residual_pa;
  now_.is_void.assign(at_.size(), 0);
  now_.drained.assign(2 * graph.segments.size(), 0.0);
  now_.rise_pa.assign(at_.size(), 0.0);
  kept_ = kept_earlier_ = now_;
}

VoidCourse::EndEdge VoidCourse::edge_at(SegmentEnd end) const {
  const StressGraph::Segment& segment = graph_->segments[end.segment];
  const int32_t first = now_.mesh->first_edge(end.segment), last = now_.mesh->first_edge(end.segment + 1) - 1;
  const int32_t inner = now_.mesh->nodes() + first - end.segment;  // the first point between the ends
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
  const bool is_fixed = edge.next < now_.mesh->nodes() && now_.is_void[edge.next];
  return is_fixed ? end_drive({end.segment, !end.is_b}) : potential[edge.next];
}

double VoidCourse::stress_volume() const {
  double sum = 0;
  for (size_t i = 0; i < drive_pa_.size(); ++i) sum += now_.mesh->volume_um3()[i] * stress_pa(static_cast<int32_t>(i));
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
  use_mesh();
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
  use_mesh();
}

void VoidCourse::fail(SegmentEnd end, double share_left) {
  has_failed_[end.segment] = 1;
  drive_left_[end.index()] = share_left;
}

/// The matrix of a step: voids cut their edges, and hold φ at the other ends of these.
void VoidCourse::prepare(double length) {
  const std::span<const double> volume = now_.mesh->volume_um3(), weight = now_.mesh->weight_um();
  surplus_.resize(volume.size());
  const double per_length = 1 / length;
  for (size_t i = 0; i < volume.size(); ++i) surplus_[i] = volume[i] * per_length;
  weight_.assign(weight.begin(), weight.end());
  fixed_.assign(volume.size(), 0.0);
  for (const int32_t node : now_.voids)
    for (const SegmentEnd end : at_[node]) {
      const EndEdge edge = edge_at(end);
      weight_[edge.edge] = 0;
      surplus_[edge.next] += weight[edge.edge];
      fixed_[edge.next] += weight[edge.edge] * end_drive(end);
    }
  factor_->factor(surplus_, weight_);
}

/// The potential at the end of a stage from what it is to be `from`, and what flows into voids then.
void VoidCourse::stage(double length, std::span<const double> from, Stage& stage) const {
  const std::span<const double> volume = now_.mesh->volume_um3();
  const double per_length = 1 / length;
  stage.potential.resize(from.size());
  for (size_t i = 0; i < volume.size(); ++i) stage.potential[i] = from[i] * (volume[i] * per_length) + fixed_[i];
  factor_->solve(stage.potential);
  for (const int32_t node : now_.voids) stage.potential[node] = drive_pa_[node];
  stage.flux.clear();
  for (const int32_t node : now_.voids)
    for (const SegmentEnd end : at_[node]) {
      const EndEdge edge = edge_at(end);
      const double rise = next_potential(end, edge, stage.potential) - end_drive(end);
      stage.flux.push_back(now_.mesh->weight_um()[edge.edge] * rise);
    }
}

double VoidCourse::allowed() const { return std::pow(0.25 * share_, 2); }

/// Of what `middle_` has, times a factor, the largest at nodes without a void, in shares of their stress.
double VoidCourse::worst_node(double factor) const {
  double worst = 0;
  for (int32_t n = 0; n < now_.mesh->nodes(); ++n) {
    const double scale = std::max(rules_.critical_pa, std::abs(second_.potential[n] - drive_pa_[n]));
    if (!now_.is_void[n]) worst = std::max(worst, factor * std::abs(middle_[n]) / scale);
  }
  return worst;
}

/// Takes out of `middle_` what is faster than a step, and so of no consequence after it.
void VoidCourse::damp(double length) {
  const std::span<const double> volume = now_.mesh->volume_um3();
  const double per_length = 1 / length;
  for (size_t i = 0; i < middle_.size(); ++i) middle_[i] *= volume[i] * per_length;
  for (const int32_t node : now_.voids) middle_[node] = 0;
  factor_->solve(middle_);
}

/// Of two stages with one matrix, of second order and damping whatever is faster than it: R. Alexander, SIAM J. Numer.
/// Anal. 14 (1977). Returns how far the slopes of both differ, in shares of what is allowed: of what decides when voids
/// nucleate, and how long they are.
double VoidCourse::step(double length) {
  constexpr double kBetween = (1 - kStage) / kStage;
  constexpr double kOfSlopes = 0.25 / (1 - kStage);  // for y'' length² / 4, as of halves of a step of first order
  prepare(kStage * length);
  std::vector<double>& potential = now_.potential;
  stage(kStage * length, potential, first_);
  middle_.resize(potential.size());
  for (size_t i = 0; i < middle_.size(); ++i)
    middle_[i] = potential[i] + kBetween * (first_.potential[i] - potential[i]);
  stage(kStage * length, middle_, second_);
  for (size_t i = 0; i < middle_.size(); ++i)
    middle_[i] = (second_.potential[i] - middle_[i]) - (first_.potential[i] - potential[i]);
  double worst = worst_node(kOfSlopes / kStage);
  if (worst > allowed()) {
    damp(kStage * length);
    worst = worst_node(kOfSlopes / kStage);
  }
  const double of_void = rules_.bulk_modulus_pa * rules_.void_um;
  size_t k = 0;
  for (const int32_t node : now_.voids)
    for (const SegmentEnd end : at_[node]) {
      const double scale = of_void * graph_->segments[end.segment].area_um2;
      worst = std::max(worst, kOfSlopes * length * std::abs(second_.flux[k] - first_.flux[k]) / scale);
      now_.drained[end.index()] += length * ((1 - kStage) * first_.flux[k] + kStage * second_.flux[k]);
      ++k;
    }
  std::swap(potential, second_.potential);
  now_.time += length;
  return worst / allowed();
}

/// How far the worst node is above the critical stress, in shares of it.
double VoidCourse::stress_excess() const {
  double most = -1;
  for (int32_t n = 0; n < now_.mesh->nodes(); ++n)
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

/// When in the step that led here the first node gets critical, by what its stages tell.
double VoidCourse::first_critical() const {
  const std::vector<double>&from = before_.potential, &middle = first_.potential, &end = now_.potential;
  const double length = now_.time - before_.time;
  double first = length;
  for (int32_t n = 0; n < now_.mesh->nodes(); ++n) {
    const double missing = rules_.critical_pa - (from[n] - drive_pa_[n]);
    if (now_.is_void[n] || !(stress_pa(n) > rules_.critical_pa) || !(missing > 0)) continue;
    const double one = (middle[n] - from[n]) / kStage, other = (end[n] - from[n] - (1 - kStage) * one) / kStage;
    // As a polynomial: one x + (other − one) (x² / 2 − γ x) / (1 − γ) is what is missing.
    const double square = 0.5 * (other - one) / (1 - kStage), linear = one - 2 * kStage * square;
    const double root = std::sqrt(std::max(0.0, linear * linear + 4 * square * missing));
    const double x = linear + root > 0 ? 2 * missing / (linear + root) : 1;
    first = std::min(first, std::clamp(x, 0.0, 1.0) * length);
  }
  return first;
}

/// Shortens the step that led here so that it leads as near to 0 as `near`, or no further above than in a time of
/// `close`. The first try is at `first`, which is not 0.
void VoidCourse::locate(double (VoidCourse::*excess)() const, double first, double near, double close) {
  constexpr int kMostTries = 60;
  double low = 0, high = now_.time - before_.time, above = (this->*excess)();
  found_ = now_;
  now_ = before_;
  double below = (this->*excess)();
  bool was_below = false, was_above = false;
  for (int tries = 0; tries < kMostTries && above > near && high - low > close; ++tries) {
    double middle = low + (high - low) * (below < 0 ? below / (below - above) : 0.5);  // Illinois
    if (tries == 0 && first > low && first < high) middle = first;
    if (!(middle > low && middle < high)) break;
    now_ = before_;
    step(middle);
    const double value = (this->*excess)();
    if (value >= -near) {
      if (was_above) below *= 0.5;
      high = middle, above = value, found_ = now_;
    } else {
      if (was_below) above *= 0.5;
      low = middle, below = value;
    }
    was_above = value >= -near;
    was_below = !was_above;
  }
  now_ = found_;
}

/// Where a step ends within `near` of the critical stress, only at the nodes that are nearest to it: what a void takes
/// from others comes first.
void VoidCourse::nucleate(double near) {
  const double excess = stress_excess();
  const double least_pa = (1 - kClose) * rules_.critical_pa * (1 + (std::abs(excess) <= near ? excess : 0));
  for (int32_t n = 0; n < now_.mesh->nodes(); ++n) {
    if (now_.is_void[n] || !(stress_pa(n) >= least_pa)) continue;
    const double stress = stress_pa(n), before = before_.potential[n] - drive_pa_[n];
    const double passed = now_.time - before_.time;
    now_.rise_pa[n] = passed > 0 ? (stress - before) / passed : std::numeric_limits<double>::infinity();
    for (const SegmentEnd end : at_[n]) {
      const double cell = graph_->segments[end.segment].area_um2 / now_.mesh->weight_um()[edge_at(end).edge];
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
      const double flux =
          now_.mesh->weight_um()[edge.edge] * (next_potential(end, edge, now_.potential) - end_drive(end));
      failure = {now_.time, end, now_.rise_pa[node],
                 flux / (graph_->segments[end.segment].area_um2 * rules_.bulk_modulus_pa)};
    }
  return failure;
}

std::optional<SegmentFailure> VoidCourse::advance(double until, bool ends_at_failure) {
  constexpr double kExact = 1e-12;  // of the time
  constexpr double kEarly = 0.1, kNucleation = 0.01, kNear = 0.02;
  constexpr double kLeastStep = 1e-13, kSafety = 0.9, kLeastFactor = 0.3, kMostFactor = 2;
  before_ = now_;
  nucleate(kClose);
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
    const double early = std::min(kEarly * now_.time, kNucleation * std::max(scales_.growth, now_.time));
    const bool gets_critical = stress_excess() > 0;
    if (gets_critical) locate(&VoidCourse::stress_excess, first_critical(), kNear * allowed(), early * allowed());
    if (ends_at_failure && length_excess() > 0) locate(&VoidCourse::length_excess, 0, kClose, kExact * now_.time);
    nucleate(gets_critical ? kNear * allowed() : kClose);
    enlarge_cells();
  }
}

}  // namespace gridiron
