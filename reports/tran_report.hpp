// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/tran/tran_report.hpp"
#include "reports/formats.hpp"
#include "reports/text/brief.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The formats of `gridiron tran --formats`, in the order they are written; the first ones are the usual ones.
inline constexpr std::string_view kTranFormats[] = {"text", "csv",  "output", "raw", "json",
                                                    "png",  "html", "lyrdb",  "drc"};
inline constexpr size_t kUsualTranFormats = 7;

/// What `gridiron tran` prints: as brief_summary(), with the worst moments.
std::string brief_tran_text(const TranReport& report, const WrittenReports& written);

/// summary.txt
std::string tran_text(const TranReport& report);

/// report.json, schema gridiron.tran/2 (reports/schema/gridiron.tran-2.schema.json).
std::string tran_json(const TranReport& report);

/// Waveforms of the probes as IBM's transient benchmarks publish them: per node a line `Node: NAME`, a line `time
/// value` per row, and `END: NAME`. With several scenarios the name is followed by `@` and that of the scenario.
void write_ibm_output(const TranReport& report, const OutputPath& path);

/// The same as ngspice's raw file (binary, real), which its `load` reads. Blanks, parentheses and commas of names
/// become underscores; names that are then alike get numbers.
void write_spice_raw(const TranReport& report, const OutputPath& path);

/// What these formats leave out, one finding each.
std::vector<Finding> left_out_of_tran_reports(const TranReport& report, const Formats& formats);

/// Writes the chosen formats below `directory` (made if absent); each file is written atomically.
///
///     text    summary.txt
///     csv     nodes.csv, layers.csv, sources.csv, hotspots.csv, instances.csv, waveforms.csv; where there are any,
///             scenarios.csv, segments.csv, em.csv and windows.csv
///     output  NAME.output
///     raw     NAME.raw
///     lyrdb   markers.lyrdb
///     drc     markers.drc
///     json    report.json
///     png     waveforms.png, waveforms_<net>.png of recorded nodes, and map_<net>_<layer>.png of every node at its
///             worst moment
///     html    report.html
///
/// `compress`: csv as .zst. Errors: ResourceError.
void write_tran_reports(const TranReport& report, const OutputPath& directory, const Formats& formats,
                        bool compress = false);

}  // namespace gridiron
