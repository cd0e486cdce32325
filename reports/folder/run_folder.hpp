// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/folder/manifest.hpp"
#include "reports/formats.hpp"
#include "support/output_file.hpp"
#include "support/output_path.hpp"

namespace gridiron {

/// What a run is going to write, as far as that is known before: of ReportName.
struct RunReports {
  std::string_view command;
  Formats formats;
  std::string name = {};  ///< of NAME.solution and the like
};

/// The one owner of the folder that a run writes into. What the run before wrote, as its manifest lists it, goes, in
/// whatever formats; nothing else does, and nothing else is replaced. A run that does not finish() leaves neither its
/// own files nor those. All of it holds for one run at a time: a second one is refused while the first lasts.
///
/// A folder of a version that wrote no manifest: files of report names that begin as reports do are the run before.
class RunFolder final : private FileList {
 public:
  /// Makes the folder, and removes nothing yet. An empty path is no folder, and all calls do nothing. `inputs` are
  /// files that the run reads, see protect(). Errors: InputError for what is not to be touched: an input, a report that
  /// was changed, a file of somebody else's under the name of a report, a manifest that is none, a folder in use;
  /// ResourceError.
  RunFolder(const std::filesystem::path& folder, RunReports reports, const std::vector<std::string>& inputs = {});
  ~RunFolder() override;
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;

  /// To be called with each further file before it is read; "-" is standard input. Errors: InputError for one that
  /// this run would remove or replace, whatever it is called elsewhere; then all stays as it is.
  void protect(const std::string& input);

  /// Whether anything is there that this run would remove or replace: an input may be.
  bool may_replace() const { return !endangered_.empty(); }

  /// Removes what the run before left, once all inputs are known; the first file written does, too. Errors:
  /// ResourceError.
  void clear();

  /// For what writes into the folder.
  OutputPath path() { return {folder_, this}; }

  /// Writes the manifest of a run that is complete. Errors: ResourceError.
  void finish();

 private:
  using Identity = std::pair<dev_t, ino_t>;

  void begin(const std::filesystem::path& path) override;
  void enter(const std::filesystem::path& path, int64_t bytes, const std::string& sha256) override;

  void lock();
  void find_old();
  void find_old_of(const Manifest& manifest);
  void find_old_without_manifest();
  void find_foreign_files();
  void complain(const std::string& name, std::string_view why);
  bool is_to_write(std::string_view file) const;
  void remove(const std::string& name);
  void remove_all();
  void write_manifest();

  std::filesystem::path folder_;
  RunReports reports_;
  std::optional<OutputFolder> made_;
  int descriptor_ = -1;        ///< of the folder, locked
  std::set<std::string> old_;  ///< names of what the run before left
  bool had_manifest_ = false, has_written_manifest_ = false;
  std::map<Identity, std::string> endangered_;  ///< names of what an input must not be
  std::string complaint_;                       ///< the first one
  bool is_cleared_ = false, is_refused_ = false, is_finished_ = false;
  std::mutex guard_;  ///< of what follows
  Manifest manifest_;
  std::set<std::string> begun_;
};

}  // namespace gridiron
