// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/run/state_recorder.hpp"

#include <utility>

#include "support/stopwatch.hpp"

namespace gridiron {
namespace {

class HostRecorder final : public StateRecorder {
 public:
  HostRecorder(const Integrator& integrator, RunMeters& meters, HostDrives& drives, bool is_from_rest)
      : integrator_(integrator), meters_(meters), drives_(drives), is_from_rest_(is_from_rest) {}

  bool records_beside_steps() const override { return true; }

  void record(const RecordedState& state) override {
    for (int64_t j = 0; j < integrator_.scenarios(); ++j) {
      const Potentials own = integrator_.voltage(j), volts = meters_.start.from_first(j, own);
      meters_.over_time.add(j, volts, state.time, state.seconds);
      if (meters_.segments) meters_.segments->add(j, volts, state.seconds, state.step);
      const std::span<const double> drawn = integrator_.drawn(j);
      PadState& pads = meters_.pad_meter.measure(own, integrator_.current(j), drawn.empty() ? drives_.load(j) : drawn);
      meters_.pads.add(j, meters_.start.from_first(j, pads), state.time, state.seconds_of_charge);
      if (state.is_first) meters_.pads.add_stored(-stored_charge(state, own));
    }
  }

  std::vector<double> deviations(std::span<const NodeId> nodes) override {
    std::vector<double> volts;
    for (int64_t j = 0; j < integrator_.scenarios(); ++j) {
      const Potentials deviation = integrator_.voltage(j);
      for (const NodeId node : nodes) volts.push_back(deviation[node]);
    }
    return volts;
  }

  void finish(TranReport&) override {}

 private:
  double stored_charge(const RecordedState& state, const Potentials& volts) const {
    const bool is_initial = is_from_rest_ && state.time == 0;
    return is_initial ? meters_.pad_meter.initial_charge() : meters_.pad_meter.stored_charge(volts);
  }

  const Integrator& integrator_;
  RunMeters& meters_;
  HostDrives& drives_;
  bool is_from_rest_;
};

class DeviceRecorder final : public StateRecorder {
 public:
  DeviceRecorder(const Integrator& integrator, RunMeters& meters)
      : integrator_(integrator), device_(*integrator.device()), meters_(meters) {
    const Merge& merge = integrator_.merge();
    std::optional<SegmentTables> segments;
    if (meters_.segments) segments = meters_.segments->tables(merge);
    const int32_t nets = meters_.start.report().nets.size();
    device_.measure({meters_.over_time.classes(), meters_.over_time.instances(), nets, meters_.pad_meter.tables(),
                     meters_.pads.at_rest(), segments ? &*segments : nullptr,
                     meters_.start.shifts_v(merge.group, merge.unknowns), meters_.start.pad_shifts_a()});
  }

  bool records_beside_steps() const override { return false; }

  void record(const RecordedState& state) override {
    const Stopwatch watch;
    const std::vector<StateFigures> figures =
        device_.count(state.time, state.seconds, state.seconds_of_charge, state.step);
    for (int64_t j = 0; j < integrator_.scenarios(); ++j) {
      const StateFigures& of = figures[j];
      const OperatingPoints::Flow shift = meters_.start.flow_shift(j);
      meters_.over_time.add(j, of.worst);
      if (meters_.extremes.add(j, of.worst, state.time)) device_.keep(j);
      meters_.pads.add_flow(j, of.supplied + shift.supplied, of.drawn + shift.drawn, state.seconds_of_charge);
    }
    counted_s_ += state.seconds;
    for (int64_t j = 0; state.is_first && j < integrator_.scenarios(); ++j)
      meters_.pads.add_stored(-meters_.pad_meter.stored_charge(integrator_.voltage(j)));
    measure_s_ += watch.seconds();
  }

  std::vector<double> deviations(std::span<const NodeId> nodes) override {
    const Merge& merge = integrator_.merge();
    std::vector<int32_t> places;
    for (const NodeId node : nodes) places.push_back(merge.group[node] < merge.unknowns ? merge.group[node] : -1);
    std::vector<double> volts(places.size() * integrator_.scenarios());
    device_.voltages_to(places, volts);
    return volts;
  }

  void finish(TranReport& report) override {
    Figures figures;
    device_.figures_to(figures, counted_s_);
    meters_.over_time.take(std::move(figures.drops), std::move(figures.instances));
    meters_.pads.take(std::move(figures.pads));
    if (meters_.segments) meters_.segments->take(std::move(figures.segments), counted_s_);
    report.step_seconds = integrator_.seconds();
    report.step_seconds->measure = measure_s_;
    const Merge& merge = integrator_.merge();
    std::vector<double> kept(merge.unknowns);
    device_.kept_to(kept);
    meters_.extremes.keep({kept, merge.group});
  }

 private:
  const Integrator& integrator_;
  DeviceSteps& device_;
  RunMeters& meters_;
  double counted_s_ = 0;  ///< what recorded states stand for
  double measure_s_ = 0;
};

}  // namespace

std::unique_ptr<StateRecorder> make_host_recorder(const Integrator& integrator, RunMeters& meters, HostDrives& drives,
                                                  bool is_from_rest) {
  return std::make_unique<HostRecorder>(integrator, meters, drives, is_from_rest);
}

std::unique_ptr<StateRecorder> make_device_recorder(const Integrator& integrator, RunMeters& meters) {
  return std::make_unique<DeviceRecorder>(integrator, meters);
}

}  // namespace gridiron
