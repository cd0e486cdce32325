// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "app/common_arguments.hpp"
#include "app/session/session_commands.hpp"
#include "reports/pg_spice.hpp"
#include "reports/report.hpp"
#include "support/output_file.hpp"

namespace gridiron {
namespace {

struct WriteReportArguments {
  std::string out, formats;
};

Value write_report(Console& console, const WriteReportArguments& arguments) {
  const IrReport& report = console.session.report();
  const Formats formats = report_formats(arguments.formats, arguments.out);
  const OutputFolder folder(arguments.out);
  remove_old_reports(arguments.out, report.netlist_name, formats);
  Value files = Value::array();
  for (const std::filesystem::path& path : write_reports(report, arguments.out, formats))
    files.push_back(path.string());
  return files;
}

struct WriteSpiceArguments {
  std::string file, net;
};

Value write_pg_spice(Console& console, const WriteSpiceArguments& arguments) {
  const System& system = console.session.system();
  write_pg_spice(system, console.session.loads(), arguments.net, arguments.file);
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

  Declaration<WriteSpiceArguments> spice(
      {.name = "write_pg_spice",
       .help = "writes the grid as it is now, with its edits and loads, as a SPICE deck in OpenROAD's form",
       .example = "write_pg_spice changed.sp -net VDD"});
  spice.add(&WriteSpiceArguments::file, {.field = "file",
                                         .value = "FILE",
                                         .help = "deck to write",
                                         .path = Argument::Path::file,
                                         .is_positional = true,
                                         .is_required = true});
  spice.add(&WriteSpiceArguments::net, {.field = "net", .value = "NET", .help = "this net only"});
  return {in_session(report, write_report), in_session(spice, write_pg_spice)};
}

}  // namespace gridiron
