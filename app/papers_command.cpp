// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "analysis/papers/paper.hpp"
#include "app/commands.hpp"
#include "app/progress.hpp"
#include "app/session/analysis_options.hpp"
#include "app/session/common_arguments.hpp"
#include "reports/folder/run_folder.hpp"
#include "reports/papers_report.hpp"
#include "support/error.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

struct PapersArguments {
  std::vector<std::string> names;
  bool large = false, quiet = false, no_progress = false;
  int threads = 0;
  std::string out, formats;
};

int run_papers(const PapersArguments& arguments) {
  use_threads(arguments.threads);
  std::vector<const Paper*> chosen;
  for (const std::string& name : arguments.names) {
    const Paper& paper = find_paper(name);
    if (std::ranges::find(chosen, &paper) == chosen.end()) chosen.push_back(&paper);
  }
  if (chosen.empty())
    for (const Paper& paper : papers()) chosen.push_back(&paper);
  ProgressLine progress(!arguments.quiet && !arguments.no_progress);
  PaperOptions options;
  options.large = arguments.large;
  options.progress = [&](std::string_view stage) { progress.stage(stage); };
  const Formats formats = parse_formats(arguments.formats, kPaperFormats, arguments.out);
  RunFolder folder(arguments.out, {"papers", formats});
  std::vector<PaperResult> results;
  int missed = 0;
  for (const Paper* paper : chosen) {
    results.push_back(run_paper(*paper, options));
    missed += results.back().tally().unexplained();
    progress.finish();
    if (!arguments.quiet) fmt::print("{}\n", papers_text(results.back()));
    std::fflush(stdout);
    if (!arguments.out.empty()) write_papers(results, folder.path(), formats);
  }
  folder.finish();
  if (missed == 0) return static_cast<int>(ExitCode::done);
  complain(fmt::format("{} outside the tolerance; the tables mark them", counted(missed, "figure")));
  return static_cast<int>(ExitCode::limit_exceeded);
}

}  // namespace

ToolCommand papers_command() {
  using Args = PapersArguments;
  Declaration<Args> command({.name = "papers",
                             .help = "the tables of the engines' papers, their figures beside ours",
                             .description =
                                 "Runs what fits this machine and judges what does not depend on it. The exit "
                                 "code is 1 when a figure is outside its tolerance and nothing explains it.",
                             .example = "gridiron papers psc --out tables"});
  std::vector<std::string> names;
  for (const Paper& paper : papers()) names.emplace_back(paper.name);
  command.add(&Args::names, {.field = "paper",
                             .value = "NAME",
                             .help = "which",
                             .initial = "all",
                             .choices = std::move(names),
                             .is_positional = true});
  command.add(&Args::large, {.field = "large", .help = "also rows that take gigabytes or many minutes"});
  add_threads(command);
  add_out(command,
          "write papers.txt, .md, .html, .json and .csv, papers_exhibits.csv and manifest.json into this folder");
  add_formats(command, "which of text,markdown,html,json,csv (default: all)",
              {std::begin(kPaperFormats), std::end(kPaperFormats)});
  add_quiet(command);
  return std::move(command).run_by(run_papers);
}

}  // namespace gridiron
