// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/sources_over_time.hpp"

#include <algorithm>

#include "netlist/waves/curves.hpp"
#include "support/error_text.hpp"
#include "support/parallel_arrays.hpp"

namespace gridiron {

bool do_sources_move(const Circuit& circuit) {
  return circuit.tran.uic ||
         std::ranges::any_of(circuit.voltage_sources.waveform, [](auto waveform) { return waveform >= 0; });
}

SourcesOverTime::SourcesOverTime(const Circuit& circuit, const TimeFrame& frame)
    : frame_(frame), are_in_full_(circuit.tran.uic) {
  const auto drives_of = [&](const Sources& sources, std::vector<double>& constant) {
    std::vector<Drive> drives;
    if (are_in_full_) constant = sources.value;
    for (int64_t i = 0; i < sources.size(); ++i)
      if (sources.waveform[i] >= 0) {
        const Waveform& waveform = circuit.waveforms[sources.waveform[i]];
        drives.push_back({i, &waveform, are_in_full_ ? 0.0 : value_at(waveform, 0, frame_)});
        if (are_in_full_) constant[i] = 0;
      }
    return drives;
  };
  loads_ = drives_of(circuit.current_sources, constant_loads_);
  volts_ = drives_of(circuit.voltage_sources, constant_volts_);
  pieces_.assign(loads_.size(), {0, 0, 0, 0});
}

void SourcesOverTime::release(std::span<const int64_t> loads) {
  std::vector<int64_t> released(loads.begin(), loads.end());
  std::ranges::sort(released);
  std::erase_if(loads_, [&](const Drive& drive) { return std::ranges::binary_search(released, drive.source); });
  pieces_.assign(loads_.size(), {0, 0, 0, 0});
}

Corners SourcesOverTime::corners(double longest_period, double curves_for) const {
  constexpr size_t kUnsorted = 1 << 22, kMost = 100'000'000;
  Corners found;
  std::vector<double>& corners = found.times;
  size_t sorted = 0;
  const double nearly = 1e-6 * frame_.step;
  const auto thin_out = [&] {
    std::ranges::sort(corners);
    corners.erase(std::unique(corners.begin(), corners.end(), [&](double a, double b) { return b - a < nearly; }),
                  corners.end());
    sorted = corners.size();
    if (sorted > kMost)
      throw input_error("the sources bend more than {} times; simulate a shorter time, {} SECONDS", kMost,
                        field("stop"));
  };
  for (const std::vector<Drive>* drives : {&loads_, &volts_})
    for (const Drive& drive : *drives) {
      const auto first = std::ssize(corners);
      append_corners(*drive.waveform, frame_, corners);
      for (auto k = first + 1; k < std::ssize(corners); ++k)
        if (const double gap = corners[k] - corners[k - 1]; gap > 0 && gap < 2 * nearly) found.are_all = false;
      append_turns(*drive.waveform, frame_, longest_period, corners);
      if (curves_for > 0) append_curve(*drive.waveform, frame_, curves_for, corners);
      if (outruns(*drive.waveform, frame_)) found.are_all = false;
      if (corners.size() > 2 * sorted + kUnsorted) thin_out();
    }
  thin_out();
  return found;
}

void SourcesOverTime::look(Sampling& sampling) const {
  std::vector<double> turns;
  for (const std::vector<Drive>* drives : {&loads_, &volts_})
    for (const Drive& drive : *drives) {
      const int64_t source = drives == &loads_ ? drive.source : -2 - drive.source;
      turns.clear();
      append_corners(*drive.waveform, frame_, turns);
      append_turns(*drive.waveform, frame_, HUGE_VAL, turns);
      if (outruns(*drive.waveform, frame_)) sampling.miss(source, 0, 1);
      sampling.look_at(source, turns, [&](double t) { return value_at(*drive.waveform, t, frame_); });
    }
}

bool SourcesOverTime::are_linear() const {
  const auto is_curved = [](const Drive& drive) {
    return std::holds_alternative<Sin>(*drive.waveform) || std::holds_alternative<Exp>(*drive.waveform);
  };
  return std::ranges::none_of(loads_, is_curved) && std::ranges::none_of(volts_, is_curved);
}

SourcesOverTime::Fastest SourcesOverTime::fastest() const {
  Fastest fastest;
  const auto take = [](double time, int64_t source, double& shortest, int64_t& whose) {
    if (time >= shortest) return;
    shortest = time;
    whose = source;
  };
  for (const std::vector<Drive>* drives : {&loads_, &volts_})
    for (const Drive& drive : *drives) {
      const int64_t source = drives == &loads_ ? drive.source : -2 - drive.source;
      take(period_of(*drive.waveform, frame_), source, fastest.period, fastest.of_period);
      take(time_constant_of(*drive.waveform, frame_), source, fastest.time_constant, fastest.of_time_constant);
    }
  return fastest;
}

bool SourcesOverTime::vary() const {
  const auto varies = [&](const Drive& drive) { return gridiron::varies(*drive.waveform, frame_); };
  return std::ranges::any_of(loads_, varies) || std::ranges::any_of(volts_, varies);
}

void SourcesOverTime::loads_at(double t, std::span<double> load) {
  std::ranges::copy(constant_loads_, load.begin());
  parallel_ranges(
      std::ssize(loads_),
      [this, t, amperes = load.data(), drive = loads_.data(), piece = pieces_.data()](int64_t begin, int64_t end) {
        for (int64_t k = begin; k < end; ++k)
          amperes[drive[k].source] =
              piece[k].covers(t) || renew(static_cast<size_t>(k), t) ? piece[k].at(t) : value(drive[k], t);
      },
      1 << 10);
}

/// Finds the piece of a load that covers t, if there is one.
bool SourcesOverTime::renew(size_t k, double t) {
  const auto piece = linear_piece(*loads_[k].waveform, t, frame_);
  if (!piece) return false;
  pieces_[k] = *piece;
  pieces_[k].value -= loads_[k].at_start;
  return true;
}

std::vector<LoadPiece> SourcesOverTime::changed_pieces(double t) {
  return parallel_list<LoadPiece>(drives(), [&](int64_t k, auto& list) {
    if (pieces_[k].covers(t)) return;
    if (!renew(k, t)) pieces_[k] = {t, t, value(loads_[k], t), 0};  // covers no time, so that it is renewed
    list.push_back({static_cast<int32_t>(k), static_cast<int32_t>(loads_[k].source), pieces_[k].begin, pieces_[k].value,
                    pieces_[k].slope});
  });
}

bool SourcesOverTime::volts_at(double t, std::span<double> volts) const {
  std::ranges::copy(constant_volts_, volts.begin());
  for (const Drive& drive : volts_) volts[drive.source] = value(drive, t);
  return are_in_full_ || !volts_.empty();
}

}  // namespace gridiron
