// SPDX-License-Identifier: Apache-2.0
#include "reports/folder/report_names.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>

#include "support/zstd_writer.hpp"

namespace gridiron {
namespace {

using When = ReportName::When;

// What does not begin as a text of its own.
constexpr std::string_view kPicture = "picture", kDoubles = "doubles", kNumbers = "numbers",
                           kAsMatrix = "beside matrix.mtx", kAsPlan = "beside plan.json",
                           kAsPapers = "beside papers.md";

constexpr std::string_view kPage =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
    "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta "
    "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'";
constexpr std::string_view kJson = "{\n  \"schema\": \"gridiron.", kText = "Gridiron ",
                           kVtk = "# vtk DataFile Version 3.0\nGridiron ",
                           kMarkers = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<report-database>\n",
                           kArrayMarket = "%%MatrixMarket matrix array real general\n";

constexpr ReportName kNames[] = {
    {"ir", "text", "summary.txt", "########## IR report #|Gridiron "},
    {"ir", "solution", "*.solution", "0 0\n"},
    {"ir", "csv", "nodes.csv", "node,net,layer,x_um,y_um,voltage_v,drop_v"},
    {"ir", "csv", "layers.csv", "net,layer,nodes,worst_drop_v,"},
    {"ir", "csv", "sources.csv", "name,node,net,layer,x_um,y_um,voltage_v,current_a|name,node,net,voltage_v,current_a"},
    {"ir", "csv", "hotspots.csv", "node,net,layer,x_um,y_um,drop_v,bound_v,pad,"},
    {"ir", "csv", "instances.csv", "name,power_node,ground_node,x_um,y_um,"},
    {"ir", "csv", "segments.csv", "resistor,net,layer,from,to,current_a,"},
    {"ir", "csv", "em.csv", "segment,layer,from,to,width_um,average_a,rms_a,peak_a,rule,limit,", When::sometimes},
    {"ir", "csv", "stress.csv", "tree,node,layer,x_um,y_um,stress_pa,", When::sometimes},
    {"ir", "csv", "nucleation.csv", "tree,net,layer,node,x_um,y_um,time_s,", When::sometimes},
    {"ir", "csv", "cascade.csv", "stage,tree,net,layer,node,x_um,y_um,segment,", When::sometimes},
    {"ir", "csv", "vectors.csv", "vector,net,worst_drop_v,worst_node,", When::sometimes},
    {"ir", "csv", "budget.csv", "net,node,layer,x_um,y_um,drop_v,bound_v,deck_drop_v,", When::sometimes},
    {"ir", "csv", "budget_loads.csv", "source,", When::sometimes},
    {"ir", "openroad", "instances.csv", "Instance,Terminal,Layer,X location,"},
    {"ir", "openroad", "segments.csv", "Node0 Layer,Node0 X location,"},
    {"ir", "lyrdb", "markers.lyrdb", kMarkers},
    {"ir", "drc", "markers.drc", "violation type: "},
    {"ir", "iccad", "ir_drop_map*.csv", kNumbers},
    {"ir", "npy", "ir_drop_map*.npy", kDoubles},
    {"ir", "json", "report.json", kJson},
    {"ir", "png", "map_*.png", kPicture},
    {"ir", "png", "stress_*.png", kPicture, When::sometimes},
    {"ir", "png", "convergence.png", kPicture, When::sometimes},
    {"ir", "html", "report.html", kPage},
    {"dump", "system", "matrix.mtx", "%%MatrixMarket matrix coordinate real "},
    {"dump", "system", "rhs.mtx", kArrayMarket},
    {"dump", "system", "reference.mtx", kArrayMarket},
    {"dump", "system", "names.txt", kAsMatrix},
    {"tran", "text", "summary.txt", kText},
    {"tran", "csv", "nodes.csv", "node,net,layer,x_um,y_um,worst_voltage_v,"},
    {"tran", "csv", "layers.csv", "net,layer,nodes,worst_drop_v,"},
    {"tran", "csv", "sources.csv", "name,node,net,layer,x_um,y_um,peak_current_a,|name,node,net,peak_current_a,"},
    {"tran", "csv", "hotspots.csv", "node,net,layer,x_um,y_um,drop_v,bound_v,"},
    {"tran", "csv", "instances.csv", "name,power_node,ground_node,x_um,y_um,"},
    {"tran", "csv", "waveforms.csv", "time_s,"},
    {"tran", "csv", "scenarios.csv", "scenario,net,worst_drop_v,", When::sometimes},
    {"tran", "csv", "segments.csv", "resistor,net,layer,from,to,average_current_a,", When::sometimes},
    {"tran", "csv", "em.csv", "segment,layer,from,to,width_um,average_a,rms_a,peak_a,rule,limit,", When::sometimes},
    {"tran", "csv", "windows.csv", "begin_s,end_s,net,", When::sometimes},
    {"tran", "output", "*.output", "\nNode: "},
    {"tran", "raw", "*.raw", "Title: "},
    {"tran", "lyrdb", "markers.lyrdb", kMarkers},
    {"tran", "drc", "markers.drc", "violation type: "},
    {"tran", "json", "report.json", kJson},
    {"tran", "png", "waveforms.png", kPicture},
    {"tran", "png", "waveforms_*.png", kPicture, When::sometimes},
    {"tran", "png", "map_*.png", kPicture},
    {"tran", "html", "report.html", kPage},
    {"check", "json", "check.json", kJson},
    {"check", "lyrdb", "markers.lyrdb", kMarkers},
    {"check", "drc", "markers.drc", "violation type: "},
    {"diff", "text", "diff.txt", kText},
    {"diff", "json", "diff.json", kJson},
    {"diff", "png", "map_*_change*.png", kPicture},
    {"diff", "html", "diff.html", kPage},
    {"fix", "text", "plan.txt", kText},
    {"fix", "csv", "plan.csv", "step,edit,layer,x0_um,y0_um,x1_um,y1_um,from,to,cost,"},
    {"fix", "json", "plan.json", kJson},
    {"fix", "tcl", "plan.tcl", "# Changes of a plan by gridiron fix", When::sometimes},
    {"fix", "spice", "*.fixed.sp", kAsPlan, When::sometimes},
    {"fix", "spice", "*.fixed.def", kAsPlan, When::sometimes},
    {"fix", "html", "diff.html", kPage, When::sometimes},
    {"pde", "text", "summary.txt", kText},
    {"pde", "json", "report.json", kJson},
    {"pde", "png", "solution.png", kPicture},
    {"pde", "png", "error.png", kPicture, When::sometimes},
    {"pde", "png", "pressure.png", kPicture, When::sometimes},
    {"pde", "png", "convergence.png", kPicture, When::sometimes},
    {"pde", "png", "mesh.png", kPicture, When::sometimes},
    {"pde", "png", "lines.png", kPicture, When::sometimes},
    {"pde", "vtk", "solution.vtk", kVtk},
    {"pde", "vtk", "mesh.vtk", kVtk, When::sometimes},
    {"pde", "vtk", "lines.vtk", kVtk, When::sometimes},
    {"pde", "vtk", "sources.vtk", kVtk, When::sometimes},
    {"study", "text", "study.txt", kText},
    {"study", "json", "study.json", kJson},
    {"study", "png", "study.png", kPicture},
    {"compare", "text", "compare.txt", kText},
    {"compare", "csv", "compare.csv", "case,engine,device,reference,status,"},
    {"compare", "json", "compare.json", kJson},
    {"compare", "png", "compare.png", kPicture},
    {"regularize", "json", "regularize.json", kJson},
    {"regularize", "npy", "table_*_*.npy", kDoubles},
    {"regularize", "png", "table_*_*_*.png", kPicture},
    {"papers", "text", "papers.txt", kAsPapers},
    {"papers", "markdown", "papers.md", "# The papers side by side\n"},
    {"papers", "html", "papers.html", "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport "},
    {"papers", "json", "papers.json", kJson},
    {"papers", "csv", "papers.csv", "paper,table,row,column,printed,ours,"},
    {"papers", "csv", "papers_exhibits.csv", "paper,exhibit,shows,coverage,"},
};

bool matches(std::string_view name, std::string_view pattern) {
  const size_t star = pattern.find('*');
  if (star == pattern.npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  for (size_t at = star; at <= name.size(); ++at)
    if (matches(name.substr(at), pattern.substr(star + 1))) return true;
  return false;
}

bool is_table(std::string_view name) { return name.ends_with(".csv") || name.ends_with(".solution"); }

/// The first bytes of a file, unpacked; nothing where it is no regular file or cannot be read.
std::string beginning_of(const std::filesystem::path& path) {
  std::string bytes(4096, '\0');
  const int file = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const ssize_t got = file < 0 ? -1 : ::read(file, bytes.data(), bytes.size());
  if (file >= 0) ::close(file);
  bytes.resize(std::max<ssize_t>(got, 0));
  if (!names_zstd(path.native())) return bytes;
  const std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), ZSTD_freeDStream);
  std::string text(1024, '\0');
  ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
  ZSTD_outBuffer out{text.data(), text.size(), 0};
  while (stream && in.pos < in.size && out.pos < out.size)
    if (ZSTD_isError(ZSTD_decompressStream(stream.get(), &out, &in))) break;
  text.resize(out.pos);
  return text;
}

/// Pictures have the colours of Canvas: a palette, and the background of a plot or transparency first in it.
bool is_own_picture(std::string_view bytes) {
  constexpr size_t kDepth = 24, kPalette = 37, kEnough = 64;
  constexpr std::string_view kBackground = "PLTE\xEE\xF1\xF5";
  return bytes.size() >= kEnough && bytes.starts_with("\x89PNG\r\n\x1a\n") &&
         bytes.substr(kDepth).starts_with("\x08\x03") && bytes.substr(kPalette).starts_with(kBackground);
}

bool is_own_array(std::string_view bytes) {
  constexpr size_t kPreface = 10;
  return bytes.size() > kPreface && bytes.starts_with("\x93NUMPY\x01") &&
         bytes.substr(kPreface).starts_with("{'descr': '<f8', 'fortran_order': False, 'shape': (");
}

/// Digits as those of a map: 1.23456e-02.
bool are_own_numbers(std::string_view bytes) {
  constexpr size_t kMantissa = 7;
  bytes.remove_prefix(bytes.starts_with('-') ? 1 : 0);
  return bytes.starts_with("nan") || (bytes.size() > kMantissa && bytes[1] == '.' && bytes[kMantissa] == 'e' &&
                                      std::isdigit(static_cast<unsigned char>(bytes[0])));
}

bool begins_as(const ReportName& report, std::string_view bytes, const std::filesystem::path& path) {
  if (report.begins == kPicture) return is_own_picture(bytes);
  if (report.begins == kDoubles) return is_own_array(bytes);
  if (report.begins == kNumbers) return are_own_numbers(bytes);
  if (report.begins == kAsMatrix) return is_own_report(path.parent_path() / "matrix.mtx");
  if (report.begins == kAsPlan) return is_own_report(path.parent_path() / "plan.json");
  if (report.begins == kAsPapers) return is_own_report(path.parent_path() / "papers.md");
  for (std::string_view ways = report.begins; !ways.empty();) {
    const size_t end = std::min(ways.find('|'), ways.size());
    if (bytes.starts_with(ways.substr(0, end))) return true;
    ways.remove_prefix(std::min(end + 1, ways.size()));
  }
  return false;
}

}  // namespace

std::span<const ReportName> report_names() { return kNames; }

bool fits(const ReportName& report, std::string_view file) {
  if (names_zstd(file) && is_table(report.name)) file.remove_suffix(4);
  return matches(file, report.name);
}

bool is_own_report(const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  const auto has_name = [&](const ReportName& report) { return fits(report, file); };
  struct stat status {};
  if (std::ranges::none_of(kNames, has_name) || ::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return false;
  const std::string bytes = beginning_of(path);
  return status.st_size == 0 || std::ranges::any_of(kNames, [&](const ReportName& report) {
           return has_name(report) && begins_as(report, bytes, path);
         });
}

}  // namespace gridiron
