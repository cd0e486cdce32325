// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "analysis/diff/diff_runs.hpp"
#include "app/analysis_options.hpp"
#include "app/commands.hpp"
#include "reports/diff_report.hpp"
#include "reports/run_files.hpp"
#include "support/error.hpp"
#include "support/output_file.hpp"

namespace gridiron {
namespace {

struct DiffArguments {
  std::string before, after, out, formats;
  std::vector<std::string> limits;
  bool quiet = false;
};

/// Exit code of the limits; those that are not kept go to standard error.
int judge(const RunDiff& diff) {
  std::string exceeded, undecided;
  for (const ChangeLimitResult& limit : diff.limits) {
    if (limit.exceeded) exceeded += (exceeded.empty() ? "" : "; ") + describe(limit);
    if (limit.undecided) undecided += (undecided.empty() ? "" : "; ") + describe(limit);
  }
  if (!exceeded.empty()) {
    complain("limit exceeded: " + exceeded);
    return static_cast<int>(ExitCode::limit_exceeded);
  }
  if (!undecided.empty())
    throw SolverError(fmt::format("limit undecided: {}; lower {} of the runs", undecided, field("tolerance")));
  return static_cast<int>(ExitCode::done);
}

int run_diff(const DiffArguments& arguments) {
  std::vector<ChangeLimit> limits;
  for (const std::string& text : arguments.limits) limits.push_back(parse_change_limit(text));
  const Formats formats = parse_formats(arguments.formats, kDiffFormats, arguments.out);
  const OutputFolder folder(arguments.out);
  remove_old_diff_reports(arguments.out, formats);
  const RunData before = read_run(arguments.before), after = read_run(arguments.after);
  const RunDiff diff = diff_runs(before, after, limits);
  if (!arguments.out.empty()) write_diff_reports(before, after, diff, arguments.out, formats);
  if (!arguments.quiet) fmt::print("{}", diff_text(before, after, diff));
  return judge(diff);
}

}  // namespace

void add_diff_command(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("diff", "what changed between two runs of 'ir'");
  auto arguments = std::make_shared<DiffArguments>();
  command->add_option("RUN_A", arguments->before, "the run before: a folder that 'ir --out' wrote, or its report.json")
      ->required();
  command->add_option("RUN_B", arguments->after, "the run after")->required();
  command
      ->add_option(
          "--limit", arguments->limits,
          "largest allowed rise of the drop, [NET:[LAYER:]]QUANTITY=+5mV or =+1% of the supply, with worst, "
          "average, p50, p95, p99, p99.9, or node for the largest rise of any node; =-5mV asks for a fall; may "
          "be repeated; exit code 1 when exceeded, 4 when the certified bounds do not decide")
      ->allow_extra_args(false);
  add_out_option(*command, arguments->out, "write diff.txt, diff.json, diff.html and maps into this folder");
  command->add_option("--formats", arguments->formats, "which of text,json,png,html (default: all)");
  command->add_flag("--quiet", arguments->quiet, "nothing on standard output");
  command->callback([arguments, &exit_code] { exit_code = run_diff(*arguments); });
}

}  // namespace gridiron
