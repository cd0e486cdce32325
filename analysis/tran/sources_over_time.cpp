// SPDX-License-Identifier: Apache-2.0
#include "analysis/tran/sources_over_time.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "support/error.hpp"
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
    for (std::int64_t i = 0; i < sources.size(); ++i)
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

void SourcesOverTime::release(std::span<const std::int64_t> loads) {
  std::vector<std::int64_t> released(loads.begin(), loads.end());
  std::sort(released.begin(), released.end());
  std::erase_if(loads_, [&](const Drive& drive) { return std::ranges::binary_search(released, drive.source); });
  pieces_.assign(loads_.size(), {0, 0, 0, 0});
}

std::vector<double> SourcesOverTime::corners() const {
  constexpr std::size_t kUnsorted = 1 << 22, kMost = 100'000'000;
  std::vector<double> corners;
  std::size_t sorted = 0;
  const auto thin_out = [&] {
    std::sort(corners.begin(), corners.end());
    const double nearly = 1e-6 * frame_.step;
    corners.erase(std::unique(corners.begin(), corners.end(), [&](double a, double b) { return b - a < nearly; }),
                  corners.end());
    sorted = corners.size();
    if (sorted > kMost)
      throw InputError(fmt::format("the sources bend more than {} times; simulate a shorter time, {} SECONDS", kMost,
                                   field("stop")));
  };
  for (const std::vector<Drive>* drives : {&loads_, &volts_})
    for (const Drive& drive : *drives) {
      append_corners(*drive.waveform, frame_, corners);
      if (corners.size() > 2 * sorted + kUnsorted) thin_out();
    }
  thin_out();
  return corners;
}

void SourcesOverTime::loads_at(double t, std::span<double> load) {
  std::ranges::copy(constant_loads_, load.begin());
  parallel_ranges(
      static_cast<std::int64_t>(loads_.size()),
      [this, t, amperes = load.data(), drive = loads_.data(), piece = pieces_.data()](std::int64_t begin,
                                                                                      std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k)
          amperes[drive[k].source] =
              piece[k].covers(t) || renew(static_cast<std::size_t>(k), t) ? piece[k].at(t) : value(drive[k], t);
      },
      1 << 10);
}

/// Finds the piece of a load that covers t, if there is one.
bool SourcesOverTime::renew(std::size_t k, double t) {
  const auto piece = linear_piece(*loads_[k].waveform, t, frame_);
  if (!piece) return false;
  pieces_[k] = *piece;
  pieces_[k].value -= loads_[k].at_start;
  return true;
}

std::vector<LoadPiece> SourcesOverTime::changed_pieces(double t) {
  return parallel_list<LoadPiece>(drives(), [&](std::int64_t k, auto& list) {
    if (pieces_[k].covers(t)) return;
    if (!renew(k, t)) pieces_[k] = {t, t, value(loads_[k], t), 0};  // covers no time, so that it is renewed
    list.push_back({static_cast<std::int32_t>(k), static_cast<std::int32_t>(loads_[k].source), pieces_[k].begin,
                    pieces_[k].value, pieces_[k].slope});
  });
}

bool SourcesOverTime::volts_at(double t, std::span<double> volts) const {
  std::ranges::copy(constant_volts_, volts.begin());
  for (const Drive& drive : volts_) volts[drive.source] = value(drive, t);
  return are_in_full_ || !volts_.empty();
}

}  // namespace gridiron
