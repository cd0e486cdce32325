// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <optional>

#include "analysis/diff/diff_runs.hpp"
#include "analysis/model/findings.hpp"
#include "analysis/run/run_facts.hpp"
#include "app/session/common_arguments.hpp"
#include "app/session/declare_layout.hpp"
#include "app/session/session_commands.hpp"
#include "layout/pg_deck.hpp"
#include "reports/diff_report.hpp"
#include "reports/folder/run_files.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/report.hpp"
#include "reports/tables/pg_spice.hpp"

namespace gridiron {
namespace {

struct WriteReportArguments {
  std::string out, formats;
  bool compress = false;
};

Value write_report(Console& console, const WriteReportArguments& arguments) {
  const IrReport& report = console.session.report();
  const Formats formats = report_formats(arguments.formats, arguments.out);
  RunFolder folder(arguments.out, {"ir", formats, report.netlist_name}, inputs_of(console));
  if (formats.contains("json") || formats.contains("html"))
    console.session.set_files(input_files(*report.circuit, tables_of(console)));
  Value files = Value::array();
  for (const std::filesystem::path& path : write_reports(report, folder.path(), formats, arguments.compress))
    files.push_back(path.string());
  folder.finish();
  return files;
}

struct DiffRunsArguments {
  std::string before, after, out, formats;
  std::vector<std::string> limits;
};

Value diff_two_runs(Console& console, const DiffRunsArguments& arguments) {
  const std::vector<ChangeLimit> limits = parse_change_limits(arguments.limits);
  const Formats formats = parse_formats(arguments.formats, kDiffFormats, arguments.out);
  RunFolder folder(arguments.out, {"diff", formats});
  for (const std::string* run : {&arguments.before, &arguments.after})
    for (const std::string& part : parts_of_run(*run)) folder.protect(part);
  const RunData before = read_run(arguments.before);
  const RunData after = arguments.after.empty() ? run_of(console.session.report()) : read_run(arguments.after);
  const RunDiff diff = diff_runs(before, after, limits);
  if (!arguments.out.empty()) write_diff_reports(before, after, diff, folder.path(), formats);
  folder.finish();
  console.print(diff_text(before, after, diff));
  return Value::parse(diff_json(before, after, diff));
}

struct WriteSpiceArguments {
  std::string file, net, vsrc, source_type, corner, extraction;
  double mesh_um = 0;
  bool ignore_opens = false, ignore_shorts = false;

  LayoutRequest of_layout() const {
    return {net, vsrc, source_type, corner, extraction, mesh_um, ignore_opens, ignore_shorts};
  }
};

/// The grid of the session if it is what is asked for: with the same sources, corner and extraction, or if none are
/// given with the net, if one is given. Null if it is not.
const layout::Layout* asked_grid(Console& console, const WriteSpiceArguments& arguments) {
  if (!arguments.vsrc.empty() || !arguments.source_type.empty() || !arguments.corner.empty() ||
      !arguments.extraction.empty() || arguments.mesh_um > 0)
    return console.layout.kept(arguments.of_layout());
  const layout::Layout* const grid = console.layout.kept();
  if (!grid || arguments.net.empty()) return grid;
  const int32_t net = console.layout.nets(arguments.net).front();
  return std::ranges::find(grid->grids, net, &layout::NetGrid::net) != grid->grids.end() ? grid : nullptr;
}

void write_grid(Console& console, const WriteSpiceArguments& arguments) {
  write_pg_spice(console.session.system(), console.session.loads(), arguments.net, arguments.file);
}

/// The grid of the session with its edits, or what `gridiron extract` writes. Errors: as GridChange::make().
void write_extracted(Console& console, const WriteSpiceArguments& arguments) {
  const layout::Layout* grid = asked_grid(console, arguments);
  if (grid && !console.session.is_as_read()) return write_grid(console, arguments);
  std::optional<layout::Layout> fresh;
  if (!grid || (!arguments.net.empty() && grid->grids.size() > 1))
    grid = &fresh.emplace(console.layout.extract(arguments.of_layout()));
  if (!arguments.ignore_shorts && fresh) require_no_shorts(read_findings(*grid->circuit));
  if (!arguments.ignore_opens && fresh) require_no_opens(read_findings(*grid->circuit));
  layout::write_pg_deck(*grid->circuit, *grid->chip, grid->elements, layout::kOpenRoadDigits, arguments.file);
}

Value write_pg_spice(Console& console, const WriteSpiceArguments& arguments) {
  if (!console.layout.is_input()) {
    require_no_layout_request(arguments.of_layout());
    console.session.set_islands({arguments.ignore_opens, arguments.net});
    console.session.system();
  } else if (!arguments.vsrc.empty()) {
    console.tables.push_back(arguments.vsrc);
  }
  require_outputs(console, {arguments.file});
  if (console.layout.is_input())
    write_extracted(console, arguments);
  else
    write_grid(console, arguments);
  return arguments.file;
}

}  // namespace

std::vector<SessionCommand> file_commands() {
  Declaration<WriteReportArguments> report({.name = "write_report",
                                            .help = "writes the reports of the last analysis; returns their paths",
                                            .example = "write_report reports -formats html,csv"});
  report.add(&WriteReportArguments::out, {.field = "out",
                                          .value = "FOLDER",
                                          .help = "folder, made if there is none",
                                          .path = Argument::Path::folder,
                                          .is_positional = true,
                                          .is_required = true});
  add_report_formats(report);
  add_compress(report, "solution and csv");

  using Diff = DiffRunsArguments;
  Declaration<Diff> diff({.name = "diff_runs",
                          .help = "what changed between two runs, printed and as the dict of diff.json",
                          .description = "A change within the certified bounds of the two is none.",
                          .example = "diff_runs reports/monday reports/tuesday -limit worst=+5mV"});
  diff.add(&Diff::before, {.field = "run_a",
                           .value = "RUN_A",
                           .help = "the run before: a folder that write_report or the tool's ir or tran wrote",
                           .path = Argument::Path::folder,
                           .is_positional = true,
                           .is_required = true});
  diff.add(&Diff::after, {.field = "run_b",
                          .value = "RUN_B",
                          .help = "the run after (default: the last analysis)",
                          .path = Argument::Path::folder,
                          .is_positional = true});
  add_limits(diff, &Diff::limits, "largest allowed rise of the drop, [NET:[LAYER:]]QUANTITY=+5mV or =+1% of the supply",
             {"worst=", "average=", "p50=", "p95=", "p99=", "p99.9=", "node="});
  add_out(diff, "write diff.txt, diff.json, diff.html and maps into this folder");
  add_formats(diff, "which of text,json,png,html (default: all)", {std::begin(kDiffFormats), std::end(kDiffFormats)});

  Declaration<WriteSpiceArguments> spice(
      {.name = "write_pg_spice",
       .help = "writes the grid as it is now, with its edits and loads, as a SPICE "
               "deck in OpenROAD's form, with its capacitors, inductors and "
               "waveforms; a load that was changed is constant",
       .description = "Of a layout it is the grid that was analysed, if that is what the options "
                      "ask for, where -net, -vsrc, -source_type, -corner, -extract and -mesh may be left out; "
                      "otherwise the net is extracted. Without edits the deck is that of "
                      "gridiron extract.",
       .example = "write_pg_spice changed.sp -net VDD"});
  spice.add(&WriteSpiceArguments::file, positional(file("file", "deck to write")));
  spice.add(&WriteSpiceArguments::net, {.field = "net", .value = "NET", .help = "this net only"});
  add_layout_request(spice);
  return {in_session(report, write_report), in_session(diff, diff_two_runs), in_session(spice, write_pg_spice)};
}

}  // namespace gridiron
