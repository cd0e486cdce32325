// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "analysis/tran/tran_report.hpp"
#include "reports/json/json.hpp"
#include "support/output_path.hpp"

// What the reports of a dynamic run share.

namespace gridiron {

/// The name of a waveform: the node's, and with several scenarios which of them.
std::string waveform_name(const TranReport& report, const Probe& probe, int64_t scenario);

/// report.json
Json tran_document(const TranReport& report);

/// report.html: waveforms that can be zoomed, maps and tables in one file of at most about 6 MB.
void write_tran_html(const TranReport& report, const OutputPath& path);

}  // namespace gridiron
