// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/results/ir_report.hpp"
#include "reports/formats.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// The formats of `--formats`. The first six are written unless told otherwise.
inline constexpr std::string_view kReportFormats[] = {"text",     "solution", "csv", "json",  "png", "html",
                                                      "openroad", "lyrdb",    "drc", "iccad", "npy"};
inline constexpr size_t kUsualFormats = 6;

/// What maps and markers do not show, in these formats.
std::vector<Finding> left_out_of_reports(const IrReport& result, const Formats& formats);

/// summary.txt: OpenROAD's IR report block per net, verbatim, then ours.
std::string text_summary(const IrReport& result);

/// report.json, schema gridiron.ir/1 (reports/schema/gridiron.ir-1.schema.json).
std::string json_report(const IrReport& result);

/// What a table is called: compressed it is `file`.zst.
std::string table_name(const std::string& file, bool compress);

/// Writes the chosen formats below `directory` (made if absent) and returns their paths; each file is written
/// atomically.
///
///     text      summary.txt
///     solution  NAME.solution
///     csv       nodes.csv, layers.csv, sources.csv, hotspots.csv, instances.csv, segments.csv; vectors.csv if there
///               are several load vectors; budget.csv and budget_loads.csv with a budget; em.csv with rules of
///               electromigration; stress.csv with the stress of metal, nucleation.csv with lifetimes, and
///               cascade.csv with segments as they fail
///     openroad  instances.csv and segments.csv in OpenROAD's form
///     json      report.json
///     png       map_<net>_<layer>.png and map_<net>_all.png, for nets whose nodes have coordinates; the same of
///               stress_ with the stress of metal; convergence.png if there were iterations
///     html      report.html
///     lyrdb     markers.lyrdb, a KLayout report database of what exceeds limits, of hot spots and of what floats
///     drc       markers.drc, the same as OpenROAD's DRC text
///     iccad     ir_drop_map.csv and ir_drop_map_worst.csv in the form of the ICCAD-2023 contest, pixels of 1 µm; one
///     pair
///               per net where there are several, for nets whose nodes have coordinates
///     npy       the same maps as arrays that numpy.load() reads
///
/// `compress`: tables of solution and csv as .zst, see table_name(). `done(k, n)` is called when k of n formats are
/// written. Errors: ResourceError; InputError when a map would be too large.
std::vector<std::filesystem::path> write_reports(
    const IrReport& result, const OutputPath& directory, const Formats& formats, bool compress = false,
    const std::function<void(int64_t, int64_t)>& done = [](int64_t, int64_t) {});

}  // namespace gridiron
