// SPDX-License-Identifier: Apache-2.0
#include "reports/folder/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "reports/folder/report_names.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/utf8.hpp"
#include "support/error_text.hpp"
#include "support/parallel.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

/// What OutputFile calls a file until it is whole: "NAME.part-123-4" is of NAME.
std::string_view whole_name(std::string_view name) {
  constexpr std::string_view kPart = ".part-";
  const size_t part = name.rfind(kPart);
  if (part == name.npos || name.find_first_not_of("0123456789-", part + kPart.size()) != name.npos) return "";
  return name.substr(0, part);
}

/// Of the deck that a report is about; empty if there is none. Only for folders without a manifest.
std::string deck_name(const fs::path& report) {
  std::ifstream file(report, std::ios::binary);
  const nlohmann::json document = nlohmann::json::parse(file, nullptr, false);
  try {
    const std::string path = from_unicode(document.at("input").at("path").get<std::string>());
    const std::string deck = fs::path(path).filename().string();
    return path == "-" || path == "<stdin>" ? "stdin" : file_name_part(deck.substr(0, deck.find('.', 1)));
  } catch (const nlohmann::json::exception&) {
    return "";
  }
}

}  // namespace

RunFolder::RunFolder(const fs::path& folder, RunReports reports, const std::vector<std::string>& inputs)
    : folder_(folder), reports_(std::move(reports)) {
  manifest_.command = reports_.command;
  if (folder_.empty()) return;
  made_.emplace(folder_);
  lock();
  try {
    find_old();
    for (const std::string& input : inputs) protect(input);
    if (!complaint_.empty()) throw InputError(complaint_);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

RunFolder::~RunFolder() {
  if (folder_.empty()) return;
  if (!is_finished_ && !is_refused_) remove_all();
  ::close(descriptor_);
}

void RunFolder::lock() {
  descriptor_ = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0)
    throw resource_error("{}: cannot open the folder: {}; choose another {}", folder_.string(), std::strerror(errno),
                         field("out"));
  // Where locks are unknown, the checksums of the manifest still tell a mixture of two runs.
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  throw input_error("{}: another run is writing into this folder; wait for it, or choose another {}", folder_.string(),
                    field("out"));
}

void RunFolder::complain(const std::string& name, std::string_view why) {
  if (complaint_.empty())
    complaint_ =
        fmt::format("{}: {}; move it away, or choose another {}", (folder_ / name).string(), why, field("out"));
}

bool RunFolder::is_to_write(std::string_view file) const {
  return file == Manifest::kName || std::ranges::any_of(report_names(), [&](const ReportName& report) {
           if (report.command != reports_.command || !reports_.formats.contains(report.format)) return false;
           const bool is_of_deck = report.name == "*.solution" || report.name == "*.output" || report.name == "*.raw";
           if (is_of_deck && !file.starts_with(file_name_part(reports_.name) + ".")) return false;
           return fits(report, file);
         });
}

void RunFolder::find_old() {
  const std::optional<Manifest> manifest = read_manifest(folder_);
  had_manifest_ = manifest.has_value();
  had_manifest_ ? find_old_of(*manifest) : find_old_without_manifest();
  find_foreign_files();
  for (const std::string& name : names_in(folder_)) {
    struct stat status {};
    if (!old_.contains(name) && !is_to_write(name)) continue;
    if (::stat((folder_ / name).c_str(), &status) == 0)
      endangered_.emplace(Identity(status.st_dev, status.st_ino), name);
  }
}

void RunFolder::find_old_of(const Manifest& manifest) {
  const std::vector<std::pair<std::string, Manifest::File>> files(manifest.files.begin(), manifest.files.end());
  std::vector<std::string> faults(files.size());
  parallel_tasks(std::ssize(files), [&](int64_t k) {
    const auto& [name, file] = files[k];
    faults[k] = fault_of(folder_ / name, file);
  });
  for (size_t k = 0; k < files.size(); ++k) {
    old_.insert(files[k].first);
    if (!faults[k].empty()) complain(files[k].first, faults[k]);
  }
  if (manifest.is_complete) return;
  for (const std::string& name : names_in(folder_)) {
    const std::string_view whole = whole_name(name);
    if (whole == Manifest::kName ||
        std::ranges::any_of(report_names(), [&](const ReportName& report) { return fits(report, whole); }))
      old_.insert(name);
  }
}

void RunFolder::find_old_without_manifest() {
  const std::vector<std::string> names = names_in(folder_);
  const std::string deck = is_own_report(folder_ / "report.json") ? deck_name(folder_ / "report.json") : "";
  for (const std::string& name : names) {
    // Of results by deck only those of the decks that are known: others may be kept there as references.
    const bool is_of_deck = std::ranges::any_of(report_names(), [&](const ReportName& report) {
      return fits(report, name) && report.is_pattern() && report.name.starts_with("*.");
    });
    const bool is_known = !is_of_deck || (!deck.empty() && name.starts_with(deck + ".")) || is_to_write(name);
    if (is_known && is_own_report(folder_ / name)) {
      old_.insert(name);
      continue;
    }
    const bool has_name = std::ranges::any_of(report_names(), [&](const ReportName& report) {
      return report.command == reports_.command && !report.is_pattern() && fits(report, name);
    });
    if (has_name) complain(name, "has the name of a report, but was not written by Gridiron");
  }
}

/// What certainly would be replaced is told before the work, the rest by begin().
void RunFolder::find_foreign_files() {
  for (const ReportName& report : report_names()) {
    if (report.command != reports_.command || !reports_.formats.contains(report.format)) continue;
    if (report.is_pattern() || report.when == ReportName::When::sometimes) continue;
    const std::string name(report.name);
    std::error_code error;
    if (!old_.contains(name) && fs::exists(fs::symlink_status(folder_ / name, error)))
      complain(name, "is in the way of a report, and no run of Gridiron wrote it");
  }
}

void RunFolder::protect(const std::string& input) {
  if (folder_.empty()) return;
  struct stat status {};
  const bool is_there = (input == "-" ? ::fstat(STDIN_FILENO, &status) : ::stat(input.c_str(), &status)) == 0;
  const auto found = is_there ? endangered_.find({status.st_dev, status.st_ino}) : endangered_.end();
  if (found == endangered_.end()) return;
  is_refused_ = true;
  const fs::path same = folder_ / found->second;
  throw input_error("{}: is read by this run, which would {} {}; choose another {}",
                    input == "-" ? same.string() : input, old_.contains(found->second) ? "remove" : "replace",
                    same.lexically_normal() == fs::path(input).lexically_normal() ? "it" : same.string(), field("out"));
}

void RunFolder::remove(const std::string& name) {
  // Within the folder that is locked, and nothing else than a file.
  if (::unlinkat(descriptor_, name.c_str(), 0) == 0 || errno == ENOENT) return;
  throw resource_error("{}: cannot remove what an earlier run wrote: {}; choose another {}", (folder_ / name).string(),
                       std::strerror(errno), field("out"));
}

void RunFolder::clear() {
  if (folder_.empty() || is_cleared_) return;
  for (const std::string& name : old_) remove(name);
  if (had_manifest_) remove(Manifest::kName);  // last: until then it tells a later run what is left
  is_cleared_ = true;
}

void RunFolder::remove_all() {
  for (const std::set<std::string>* names : {&old_, &begun_})
    for (const std::string& name : *names)
      if (names == &begun_ || !is_cleared_) ::unlinkat(descriptor_, name.c_str(), 0);
  if (had_manifest_ || has_written_manifest_) ::unlinkat(descriptor_, Manifest::kName, 0);
}

void RunFolder::begin(const fs::path& path) {
  const std::lock_guard lock(guard_);
  clear();
  const std::string name = path.filename().string();
  if (begun_.contains(name)) return;
  std::error_code error;
  if (fs::exists(fs::symlink_status(path, error)))
    throw input_error(
        "{}: is in the way of a report, and no run of Gridiron wrote it; move it away, or "
        "choose another {}",
        path.string(), field("out"));
  begun_.insert(name);
}

void RunFolder::enter(const fs::path& path, int64_t bytes, const std::string& sha256) {
  const std::lock_guard lock(guard_);
  manifest_.files[path.filename().string()] = {bytes, sha256};
  write_manifest();
}

void RunFolder::write_manifest() {
  std::error_code error;
  const fs::path path = folder_ / Manifest::kName;
  if (!has_written_manifest_ && fs::exists(fs::symlink_status(path, error)))
    throw input_error("{}: appeared while this run went on; choose another {}", path.string(), field("out"));
  write_file(path, manifest_.text());
  has_written_manifest_ = true;
}

void RunFolder::finish() {
  if (folder_.empty()) return;
  const std::lock_guard lock(guard_);
  clear();
  manifest_.is_complete = true;
  write_manifest();
  is_finished_ = true;
}

}  // namespace gridiron
