// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "analysis/diff/diff_runs.hpp"
#include "app/commands.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "reports/diff_report.hpp"
#include "reports/folder/run_files.hpp"
#include "reports/folder/run_folder.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

struct DiffArguments {
  std::string before, after, out, formats;
  std::vector<std::string> limits;
  bool quiet = false;
};

int run_diff(const DiffArguments& arguments) {
  const std::vector<ChangeLimit> limits = parse_change_limits(arguments.limits);
  const Formats formats = parse_formats(arguments.formats, kDiffFormats, arguments.out);
  RunFolder folder(arguments.out, {"diff", formats});
  for (const std::string* run : {&arguments.before, &arguments.after})
    for (const std::string& part : parts_of_run(*run)) folder.protect(part);
  const RunData before = read_run(arguments.before), after = read_run(arguments.after);
  const RunDiff diff = diff_runs(before, after, limits);
  if (!arguments.out.empty()) write_diff_reports(before, after, diff, folder.path(), formats);
  folder.finish();
  if (!arguments.quiet) fmt::print("{}", diff_text(before, after, diff));
  Verdict verdict;
  for (const ChangeLimitResult& limit : diff.limits)
    limit.open.empty() || limit.exceeded ? verdict.add(limit, describe(limit)) : verdict.leave_open(describe(limit));
  return exit_code(verdict, " of the runs");
}

}  // namespace

ToolCommand diff_command() {
  Declaration<DiffArguments> diff(
      {.name = "diff",
       .help = "what changed between two runs of 'ir', or two of 'tran'",
       .description =
           "Compares nodes, nets and layers of two runs by name, with the certified bounds of both taken into "
           "account: a change within them is none. Of two runs of 'tran' every node is compared at its worst moment.",
       .example = "gridiron diff reports/monday reports/tuesday --limit worst=+5mV"});
  diff.add(&DiffArguments::before,
           {.field = "run_a",
            .value = "RUN_A",
            .help = "the run before: a folder that 'ir --out' or 'tran --out' wrote, or its report.json",
            .path = Argument::Path::file,
            .is_positional = true,
            .is_required = true});
  diff.add(&DiffArguments::after, {.field = "run_b",
                                   .value = "RUN_B",
                                   .help = "the run after",
                                   .path = Argument::Path::file,
                                   .is_positional = true,
                                   .is_required = true});
  diff.add(&DiffArguments::limits,
           {.field = "limit",
            .value = "LIMIT",
            .help = "largest allowed rise of the drop, [NET:[LAYER:]]QUANTITY=+5mV or =+1% of the supply (of a layer: "
                    "worst or average), with worst, "
                    "average, p50, p95, p99, p99.9, or node for the largest rise of any node; =-5mV asks for a fall; "
                    "exit code 1 when exceeded, 4 when the certified bounds do not decide",
            .suggestions = {"worst=", "average=", "p50=", "p95=", "p99=", "p99.9=", "node="}});
  add_out(diff, "write diff.txt, diff.json, diff.html and maps into this folder");
  add_formats(diff, "which of text,json,png,html (default: all)", {std::begin(kDiffFormats), std::end(kDiffFormats)});
  diff.add(&DiffArguments::quiet, {.field = "quiet", .help = "nothing on standard output"});
  return std::move(diff).run_by(run_diff);
}

}  // namespace gridiron
