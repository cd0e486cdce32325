// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "analysis/tran/tran_report.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// Curves of a picture at most, so that their colours and names can be told apart.
inline constexpr size_t kCurvesOfPicture = 8;

/// Pictures of waveforms of a run at most.
inline constexpr size_t kMostWaveformPictures = 200;

/// Writes waveforms.png, the worst drop of every net at all rows, and per net waveforms_<net>.png, the voltages of its
/// recorded nodes in all scenarios; of more curves than a picture shows, waveforms_<net>_2.png and so on. Names are
/// made as those of maps. Returns them. Errors: ResourceError.
std::vector<std::string> write_waveform_pictures(const TranReport& report, const OutputPath& directory);

/// One line on the curves that there are too many of; empty if there are none.
std::string left_out_waveforms(const TranReport& report);

}  // namespace gridiron
