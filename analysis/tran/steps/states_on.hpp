// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "analysis/solve/elimination_on.hpp"
#include "analysis/tran/steps/device_steps.hpp"
#include "device/fold.hpp"

namespace gridiron {

/// What steps of one size share, on device D.
template <class D>
struct SizeOn final : DeviceSteps::Size {
  EliminationOn<D> elimination;
  Array<D, double> conductance;
  Array<D, int64_t> first;
  Array<D, int32_t> node, other;
  Array<D, double> diagonal, weight, edge;

  SizeOn(const Elimination& eliminated, const QuickResidual* residual, std::span<const double> of_storage)
      : elimination(eliminated), conductance(of_storage) {
    if (!residual) return;
    const QuickResidual::Table table = residual->table();
    first = Array<D, int64_t>(table.first);
    node = Array<D, int32_t>(table.node);
    other = Array<D, int32_t>(table.other);
    diagonal = Array<D, double>(table.diagonal);
    weight = Array<D, double>(table.weight);
    edge = Array<D, double>(table.conductance);
  }
};

/// The states of a simulation on device D: see DeviceSteps.
template <class D>
struct StatesOn {
  int64_t nodes, loads, capacitors, storage, k;
  Array<D, int64_t> first_entry;
  Array<D, int32_t> current;
  Array<D, double> sign;
  Array<D, int32_t> group_a, group_b;
  Array<D, double> load, next_load, history, volts, amperes;
  Array<D, double> next, present, before, before2;
  Array<D, double> injection, arrived, b, x;
  Array<D, double> injected, injected_before, injected_before2;  ///< of the states; empty: not kept
  Array<D, ResidualSums> partial_residual, residual;
  Array<D, FoldedMax> partial_max, max;

  explicit StatesOn(const StepTables& t)
      : nodes(t.nodes),
        loads(t.loads),
        capacitors(t.capacitors),
        storage(t.storage()),
        k(t.scenarios),
        first_entry(t.first_entry),
        current(t.current),
        sign(t.sign),
        group_a(t.group_a),
        group_b(t.group_b) {
    for (auto [array, rows] : {std::pair(&load, loads), std::pair(&next_load, loads), std::pair(&history, storage),
                               std::pair(&volts, storage), std::pair(&amperes, storage), std::pair(&next, nodes),
                               std::pair(&present, nodes), std::pair(&before, nodes), std::pair(&before2, nodes),
                               std::pair(&injection, nodes), std::pair(&arrived, nodes)}) {
      *array = Array<D, double>(rows * k);
      fill<D>(array->view(), 0.0);
    }
    partial_residual = Array<D, ResidualSums>(fold_chunks(nodes) * k);
    residual = Array<D, ResidualSums>(k);
    partial_max = Array<D, FoldedMax>(fold_chunks(nodes * k));
    max = Array<D, FoldedMax>(1);
  }

  /// s of an element, as Storage::histories() has it.
  GRIDIRON_HOST_DEVICE static double history_of(bool is_capacitor, bool is_trapezoidal, double g, double across,
                                                double through) {
    if (is_capacitor) return is_trapezoidal ? g * across + through : g * across;
    return is_trapezoidal ? -(through + g * across) : -through;
  }

  void find_history(const SizeOn<D>& size, Method rule) {
    const int64_t n = storage, of_capacitors = capacitors;
    const bool is_trapezoidal = rule == Method::trapezoidal;
    const View<D, const double> g = size.conductance.view(), v = volts.view(), i = amperes.view();
    const View<D, double> s = history.view();
    for_each_in_columns<D>(
        n, k, GRIDIRON_KERNEL(int64_t e, int64_t j) {
          s[j * n + e] = history_of(e < of_capacitors, is_trapezoidal, g[e], v[j * n + e], i[j * n + e]);
        });
  }

  void find_injection() {
    const int64_t n = nodes, of_loads = loads, of_storage = storage;
    const View<D, const int64_t> first = first_entry.view();
    const View<D, const int32_t> from = current.view();
    const View<D, const double> signs = sign.view(), i = next_load.view(), s = history.view();
    const View<D, double> into = injection.view();
    for_each_in_columns<D>(
        n, k, GRIDIRON_KERNEL(int64_t node, int64_t j) {
          double sum = 0;
          for (int64_t e = first[node]; e < first[node + 1]; ++e)
            sum +=
                signs[e] * (from[e] < of_loads ? i[j * of_loads + from[e]] : s[j * of_storage + (from[e] - of_loads)]);
          into[j * n + node] = sum;
        });
  }

  void keep_injections() {
    Array<D, double> kept[3];
    for (Array<D, double>& array : kept) {
      array = Array<D, double>(nodes * k);
      fill<D>(array.view(), 0.0);
    }
    injected = std::move(kept[0]);
    injected_before = std::move(kept[1]);
    injected_before2 = std::move(kept[2]);
  }

  int best_of(const Guesses& guesses) {
    const View<D, const double> b = injection.view(), b0 = injected.view(), b1 = injected_before.view(),
                                b2 = injected_before2.view();
    return Guesses::best(D::template sum<Guesses::kMost>(
        nodes * k, GRIDIRON_KERNEL(int64_t i) { return guesses.squares(b[i], b0[i], b1[i], b2[i]); }));
  }

  /// Fills b and x.
  void reduce(const SizeOn<D>& size, const Guesses& guesses) {
    const int64_t n = nodes, unknowns = size.elimination.unknowns();
    if (b.size() < unknowns * k) b = Array<D, double>(unknowns * k), x = Array<D, double>(unknowns * k);
    const View<D, const double> v0 = present.view(), v1 = before.view(), v2 = before2.view();
    const View<D, double> at = arrived.view(), rhs = b.view(), guess = x.view();
    copy<D, double>(injection.view(), at);
    size.elimination.pass_on(at, k);
    const View<D, const int32_t> of = size.elimination.kept.view();
    const double* const c = guesses.weight[guesses.are_comparable ? best_of(guesses) : guesses.count - 1];
    const double c0 = c[0], c1 = c[1], c2 = c[2];
    for_each_in_columns<D>(
        unknowns, k, GRIDIRON_KERNEL(int64_t u, int64_t j) {
          const int64_t node = j * n + of[u];
          rhs[j * unknowns + u] = at[node];
          guess[j * unknowns + u] = c0 * v0[node] + c1 * v1[node] + c2 * v2[node];
        });
  }

  void recover(const SizeOn<D>& size) { size.elimination.recover(arrived.view(), x.view(), next.view(), k); }

  std::vector<ResidualSums> residuals(const SizeOn<D>& size) {
    const int64_t n = nodes;
    const View<D, const int64_t> first = size.first.view();
    const View<D, const int32_t> node = size.node.view(), other = size.other.view();
    const View<D, const double> diagonal = size.diagonal.view(), weight = size.weight.view(), g = size.edge.view(),
                                v = next.view(), current_into = injection.view();
    fold<D, ResidualSums>(
        node.size(), k, partial_residual.view(), residual.view(),
        GRIDIRON_KERNEL(ResidualSums & sums, int64_t row, int64_t j) {
          const int64_t column = j * n, i = column + node[row];
          double out = diagonal[row] * v[i];
          for (int64_t e = first[row]; e < first[row + 1]; ++e) out -= g[e] * v[column + other[e]];
          sums.add(out, current_into[i], v[i], weight[row]);
        });
    return residual.to_host();
  }

  double largest_of(const double (&c)[4]) {
    const View<D, const double> v = next.view(), v0 = present.view(), v1 = before.view(), v2 = before2.view();
    const double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    fold<D, FoldedMax>(
        v.size(), 1, partial_max.view(), max.view(), GRIDIRON_KERNEL(FoldedMax & largest, int64_t i, int64_t) {
          raise_to(largest.value, std::abs(c0 * v[i] + c1 * v0[i] + c2 * v1[i] + c3 * v2[i]));
        });
    return max.to_host()[0].value;
  }

  /// Leaves the histories for another step of this size and rule.
  void accept(const SizeOn<D>& size, Method rule) {
    const int64_t n = storage, of_nodes = nodes, of_capacitors = capacitors;
    const bool is_trapezoidal = rule == Method::trapezoidal;
    const View<D, const double> g = size.conductance.view(), v = next.view();
    const View<D, const int32_t> from = group_a.view(), to = group_b.view();
    const View<D, double> s = history.view(), of_volts = volts.view(), of_amperes = amperes.view();
    for_each_in_columns<D>(
        n, k, GRIDIRON_KERNEL(int64_t e, int64_t j) {
          const int64_t at = j * n + e;
          const double across =
              (from[e] >= 0 ? v[j * of_nodes + from[e]] : 0.0) - (to[e] >= 0 ? v[j * of_nodes + to[e]] : 0.0);
          const double through = g[e] * across - s[at];
          of_volts[at] = across;
          of_amperes[at] = through;
          s[at] = history_of(e < of_capacitors, is_trapezoidal, g[e], across, through);
        });
    std::swap(before2, before);
    std::swap(before, present);
    std::swap(present, next);
    std::swap(load, next_load);
    if (injected.empty()) return;
    std::swap(injected_before2, injected_before);
    std::swap(injected_before, injected);
    std::swap(injected, injection);
  }

  int64_t bytes() const {
    return (2 * loads + 3 * storage + 6 * nodes) * k * static_cast<int64_t>(sizeof(double)) + b.bytes() + x.bytes() +
           3 * injected.bytes() + current.bytes() + sign.bytes() + first_entry.bytes();
  }
};

/// What loads draw, on device D.
template <class D>
struct LoadsOn {
  Array<D, LoadPiece> drives, changes;
  Array<D, double> time, sample, scale, of_shape;
  Array<D, TemplateTables::Shape> shapes;
  Array<D, int64_t> followers;
  Array<D, int32_t> shape;
  bool varies = false;

  void set_drives(int64_t count) {
    drives = Array<D, LoadPiece>(count);
    changes = Array<D, LoadPiece>(count);
  }
  void set_templates(const TemplateTables& t) {
    time = Array<D, double>(t.time_s);
    sample = Array<D, double>(t.amperes);
    scale = Array<D, double>(t.scale);
    shapes = Array<D, TemplateTables::Shape>(t.shapes);
    of_shape = Array<D, double>(std::ssize(t.shapes));
    followers = Array<D, int64_t>(t.loads);
    shape = Array<D, int32_t>(t.shape);
    varies = t.varies;
  }

  void change(std::span<const LoadPiece> pieces) {
    if (pieces.empty()) return;
    D::copy_to_device(changes.view().data(), pieces.data(), std::ssize(pieces));
    const View<D, const LoadPiece> changed = changes.view();
    const View<D, LoadPiece> all = drives.view();
    D::for_each(
        std::ssize(pieces), GRIDIRON_KERNEL(int64_t i) { all[changed[i].drive] = changed[i]; });
  }

  /// Fills loads × k.
  void find(double t, View<D, double> load, int64_t k) {
    const int64_t n = load.size() / k;
    const View<D, const LoadPiece> drive = drives.view();
    for_each_in_columns<D>(
        drive.size(), k, GRIDIRON_KERNEL(int64_t i, int64_t j) {
          const LoadPiece d = drive[i];
          load[j * n + d.load] = d.value + d.slope * (t - d.begin);
        });
    if (followers.empty()) return;
    const View<D, const TemplateTables::Shape> of = shapes.view();
    const View<D, const double> times = time.view(), samples = sample.view();
    const View<D, double> more = of_shape.view();
    D::for_each(
        of.size(), GRIDIRON_KERNEL(int64_t s) {
          more[s] = template_at(times, samples, of[s].of, t - of[s].delay) - of[s].at_start;
        });
    const View<D, const int64_t> follower = followers.view();
    const View<D, const int32_t> shape_of = shape.view();
    const View<D, const double> scales = scale.view(), value = of_shape.view();
    const int64_t count = follower.size(), stride = varies ? count : 0;
    for_each_in_columns<D>(
        count, k, GRIDIRON_KERNEL(int64_t i, int64_t j) {
          const int64_t cell = j * stride + i;
          load[j * n + follower[i]] = scales[cell] * value[shape_of[cell]];
        });
  }

  /// As LoadsOverTime::value().
  GRIDIRON_HOST_DEVICE static double template_at(const View<D, const double>& times,
                                                 const View<D, const double>& samples, int64_t of, double at) {
    const int64_t n = times.size(), first = of * n;
    int64_t low = 0, high = n;  // the first sample after `at`
    while (low < high) {
      const int64_t middle = (low + high) / 2;
      if (at < times[middle])
        high = middle;
      else
        low = middle + 1;
    }
    if (low == 0) return samples[first];
    if (low == n) return samples[first + n - 1];
    const double share = (at - times[low - 1]) / (times[low] - times[low - 1]);
    const double from = samples[first + low - 1], to = samples[first + low];
    return from + share * (to - from);
  }
};

}  // namespace gridiron
