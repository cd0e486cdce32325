// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "analysis/tran/steps/states_on.hpp"

namespace gridiron {

/// The state of a scenario, on device D: nodes, currents of the storage, loads.
template <class D>
struct StateOn {
  View<D, const double> volts, storage, load;
  View<D, const double> shift;  ///< per node, V; empty for the first scenario
  GRIDIRON_HOST_DEVICE double operator[](int64_t place) const {
    return shift.size() > 0 ? volts[place] + shift[place] : volts[place];
  }
  /// As StepTables numbers them.
  GRIDIRON_HOST_DEVICE double current(int64_t i) const { return i < load.size() ? load[i] : storage[i - load.size()]; }
};

/// Drops of nodes and instances over time: see OverTime.
template <class D>
struct DropsOn {
  static constexpr int64_t kTile = 2048;  ///< classes
  Array<D, DropClasses::Range> tiles;
  Array<D, int64_t> first_tile;  ///< of every net and the end
  Array<D, int32_t> lowest, place;
  Array<D, double> at_rest, worst, worst_time, least, sum, squares;
  Array<D, int32_t> worst_scenario;
  Array<D, InstanceWorst> instances;
  Array<D, Largest> of_tile, of_net;

  DropsOn(const ResultTables& t, int64_t k)
      : lowest(t.classes.lowest), place(t.classes.place), at_rest(t.classes.at_rest), instances(t.instances) {
    std::vector<DropClasses::Range> all;
    std::vector<int64_t> first(t.nets + 1, 0);
    for (const DropClasses::Range& range : t.classes.ranges)
      for (int64_t begin = range.begin; begin < range.end; begin += kTile, ++first[range.net + 1])
        all.push_back({begin, std::min(begin + kTile, range.end), range.net, range.kind, range.moves});
    for (size_t net = 1; net < first.size(); ++net) first[net] += first[net - 1];
    tiles = Array<D, DropClasses::Range>(all);
    first_tile = Array<D, int64_t>(first);
    of_tile = Array<D, Largest>(tiles.size() * k);
    of_net = Array<D, Largest>(t.nets * k);
    const int64_t classes = t.classes.size();
    worst_scenario = Array<D, int32_t>(classes);
    fill<D>(worst_scenario.view(), 0);
    for (auto [array, size] : {std::pair(&worst, classes), std::pair(&worst_time, classes), std::pair(&least, classes),
                               std::pair(&sum, classes * k), std::pair(&squares, classes * k)}) {
      *array = Array<D, double>(size);
      fill<D>(array->view(), 0.0);
    }
  }

  void count(const StateOn<D>& state, int64_t j, double time, double seconds, bool is_first) {
    constexpr int64_t kLanes = 256;
    const int64_t classes = lowest.size();
    const View<D, const DropClasses::Range> ranges = tiles.view();
    const View<D, const int32_t> lowest_node = lowest.view(), places = place.view();
    const View<D, const double> rest = at_rest.view();
    const View<D, double> most = worst.view(), when = worst_time.view(), smallest = least.view(), sums = sum.view(),
                          of_squares = squares.view();
    const View<D, int32_t> in = worst_scenario.view();
    const View<D, Largest> out = of_tile.view();
    D::for_each_tile(
        ranges.size(), kLanes, kLanes * sizeof(Largest), GRIDIRON_KERNEL(typename D::Tile & tile) {
          const DropClasses::Range range = ranges[tile.index()];
          const bool is_of_bounce = is_bounce(range.kind);
          const double sign = sign_of(range.kind);
          const View<D, Largest> of_lane = tile.template shared<Largest>(kLanes);
          tile.each(kLanes, [&](int64_t lane) {
            Largest mine;
            for_each_of_lane<D>(range.begin, range.end, lane, kLanes, [&](int64_t c) {
              const double with_sign = rest[c] + (range.moves ? sign * state[places[c]] : 0.0);
              const double drop = is_of_bounce ? std::abs(with_sign) : with_sign;
              sums[j * classes + c] += drop * seconds;
              of_squares[j * classes + c] += drop * drop * seconds;
              if (is_first || drop > (is_of_bounce ? std::abs(most[c]) : most[c])) {
                most[c] = with_sign;
                when[c] = time;
                in[c] = static_cast<int32_t>(j);
              }
              if (with_sign < smallest[c]) smallest[c] = with_sign;
              mine.take(Largest{drop, lowest_node[c]});
            });
            of_lane[lane] = mine;
          });
          join_lanes<D, Largest>(tile, of_lane);
          tile.each(1, [&](int64_t) { out[j * ranges.size() + tile.index()] = of_lane[0]; });
        });
    const View<D, InstanceWorst> all = instances.view();
    D::for_each(
        all.size(), GRIDIRON_KERNEL(int64_t i) {
          InstanceWorst instance = all[i];
          instance.take(state, time);
          all[i] = instance;
        });
  }

  /// Of the states of all scenarios, nets × k.
  std::vector<Largest> worst_of_nets(int64_t k) {
    constexpr int64_t kLanes = 256;
    const int64_t of_state = tiles.size();
    const View<D, const int64_t> first = first_tile.view();
    const View<D, const Largest> from = of_tile.view();
    const int64_t nets = first.size() - 1;
    const View<D, Largest> out = of_net.view();
    D::for_each_tile(
        nets * k, kLanes, kLanes * sizeof(Largest), GRIDIRON_KERNEL(typename D::Tile & tile) {
          const int64_t net = tile.index() % nets, column = tile.index() / nets * of_state;
          const View<D, Largest> of_lane = tile.template shared<Largest>(kLanes);
          tile.each(kLanes, [&](int64_t lane) {
            Largest mine;
            for (int64_t t = first[net] + lane; t < first[net + 1]; t += kLanes) mine.take(from[column + t]);
            of_lane[lane] = mine;
          });
          join_lanes<D, Largest>(tile, of_lane);
          tile.each(1, [&](int64_t) { out[tile.index()] = of_lane[0]; });
        });
    return of_net.to_host();
  }

  void figures_to(Figures& figures, double seconds) {
    const int64_t classes = lowest.size(), columns = classes > 0 ? sum.size() / classes : 0;
    const View<D, double> sums = sum.view(), of_squares = squares.view();
    D::for_each(
        classes, GRIDIRON_KERNEL(int64_t c) {
          double average = sums[c], square = of_squares[c];
          for (int64_t j = 1; j < columns; ++j) {
            average = average < sums[j * classes + c] ? sums[j * classes + c] : average;
            square = square < of_squares[j * classes + c] ? of_squares[j * classes + c] : square;
          }
          sums[c] = average / seconds;
          of_squares[c] = std::sqrt(square / seconds);
        });
    DropFigures& drops = figures.drops;
    drops = {worst.to_host(), worst_time.to_host(), least.to_host(), worst_scenario.to_host(), {}, {}};
    drops.average.resize(classes);
    drops.rms.resize(classes);
    D::copy_to_host(drops.average.data(), sums.data(), classes);
    D::copy_to_host(drops.rms.data(), of_squares.data(), classes);
    figures.instances = instances.to_host();
  }
};

/// Currents of pads over time: see PadMeter and PadsOverTime.
template <class D>
struct PadsOn {
  Array<D, int64_t> first_resistor, first_given;
  Array<D, PadTables::Resistor> resistor;
  Array<D, PadTables::Given> given;
  SumsOn<D> tree;
  Array<D, int32_t> on_ground;
  Array<D, double> into_ground, at_rest, shift, sum;
  Array<D, PadTables::Pad> pads;
  Array<D, CurrentOverTime> over_time;
  Array<D, FoldedSum> partial, flows;  ///< flows: of every scenario what ground gives, but for ties, these, and loads
  int64_t from_ground, given_from_ground;  ///< entries of the sum of ground

  PadsOn(const ResultTables& t, int64_t k)
      : first_resistor(t.pads.first_resistor),
        first_given(t.pads.first_given),
        resistor(t.pads.resistor),
        given(t.pads.given),
        tree(t.pads.tree),
        on_ground(t.pads.on_ground),
        into_ground(t.pads.into_ground),
        at_rest(t.pads_at_rest_a),
        shift(t.pad_shift_a),
        sum(t.pads.tied()),
        pads(t.pads.pads),
        over_time(std::vector<CurrentOverTime>(t.pads.pads.size() * k)),
        partial(512),
        flows(kFlows * k),
        from_ground(t.pads.first_resistor[t.pads.tied()]),
        given_from_ground(t.pads.first_given[t.pads.tied()]) {}

  static constexpr int64_t kFlows = 4;

  GRIDIRON_HOST_DEVICE static double through(const PadTables::Resistor& r, const StateOn<D>& state) {
    return r.conductance * ((r.from >= 0 ? state.volts[r.from] : 0.0) - (r.into >= 0 ? state.volts[r.into] : 0.0));
  }

  void count(const StateOn<D>& state, int64_t j, double time, double seconds) {
    const View<D, const int64_t> first = first_resistor.view(), begin = first_given.view();
    const View<D, const PadTables::Resistor> resistors = resistor.view();
    const View<D, const PadTables::Given> currents = given.view();
    const View<D, double> sums = sum.view();
    D::for_each(
        sums.size(), GRIDIRON_KERNEL(int64_t s) {
          double amperes = 0;
          for (int64_t r = first[s]; r < first[s + 1]; ++r) amperes += through(resistors[r], state);
          for (int64_t g = begin[s]; g < begin[s + 1]; ++g)
            amperes += currents[g].sign * state.current(currents[g].current);
          sums[s] = amperes;
        });
    if (tree.rounds.size() > 0) tree.pass_on(sums, 1);
    count_flows(state, j);
    const View<D, const PadTables::Pad> all = pads.view();
    const View<D, const double> rest = at_rest.view(), shifts = shift.view();
    const View<D, CurrentOverTime> out = over_time.view();
    const int64_t n = all.size();
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t p) {
          const PadTables::Pad pad = all[p];
          double amperes = 0;
          if (pad.tied >= 0)
            amperes = sums[pad.tied];
          else if (pad.current >= 0)
            amperes = state.current(pad.current);
          else if (pad.node >= 0)
            amperes = state.volts[pad.node];
          amperes *= pad.factor;
          if (j > 0) amperes += shifts[(j - 1) * n + p];
          CurrentOverTime current = out[j * n + p];
          current.take(rest[p] + amperes, seconds, time);
          out[j * n + p] = current;
        });
  }

  void count_flows(const StateOn<D>& state, int64_t j) {
    const View<D, const PadTables::Resistor> resistors = resistor.view();
    const View<D, const PadTables::Given> currents = given.view();
    const View<D, const double> sums = sum.view(), turn = into_ground.view();
    const View<D, const int32_t> tied = on_ground.view();
    const int64_t first = from_ground, begin = given_from_ground;
    const auto total = [&](int64_t n, int64_t flow, auto term) {
      FoldedSum* const to = flows.view().data() + j * kFlows + flow;
      fold<D, FoldedSum>(n, 1, D::view(partial.view().data(), fold_chunks(n)), D::view(to, 1), term);
    };
    total(
        resistors.size() - first, 0,
        GRIDIRON_KERNEL(FoldedSum & s, int64_t r, int64_t) { s.value += through(resistors[first + r], state); });
    total(
        currents.size() - begin, 1, GRIDIRON_KERNEL(FoldedSum & s, int64_t g, int64_t) {
          s.value += currents[begin + g].sign * state.current(currents[begin + g].current);
        });
    total(
        tied.size(), 2, GRIDIRON_KERNEL(FoldedSum & s, int64_t i, int64_t) { s.value += sums[tied[i]]; });
    total(
        turn.size(), 3, GRIDIRON_KERNEL(FoldedSum & s, int64_t i, int64_t) { s.value += turn[i] * state.load[i]; });
  }
};

/// Currents of segments over time: see SegmentMeter.
template <class D>
struct SegmentsOn {
  Array<D, int32_t> a, b;
  Array<D, double> conductance, at_rest;
  Array<D, CurrentOverTime> over_time;

  SegmentsOn(const SegmentTables& t, int64_t k)
      : a(t.a),
        b(t.b),
        conductance(t.conductance),
        at_rest(t.at_rest_a),
        over_time(std::vector<CurrentOverTime>(t.a.size() * k)) {}

  void count(const StateOn<D>& state, int64_t j, double time, double seconds, double step) {
    const View<D, const int32_t> from = a.view(), to = b.view();
    const View<D, const double> g = conductance.view(), rest = at_rest.view();
    const View<D, CurrentOverTime> out = over_time.view();
    const int64_t n = from.size();
    D::for_each(
        n, GRIDIRON_KERNEL(int64_t s) {
          const double change = (from[s] >= 0 ? state[from[s]] : 0.0) - (to[s] >= 0 ? state[to[s]] : 0.0);
          CurrentOverTime current = out[j * n + s];
          current.take(rest[s] + g[s] * change, seconds, time, step);
          out[j * n + s] = current;
        });
  }
};

}  // namespace gridiron
