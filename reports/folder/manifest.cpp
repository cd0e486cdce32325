// SPDX-License-Identifier: Apache-2.0
#include "reports/folder/manifest.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/json/json.hpp"
#include "reports/text/utf8.hpp"
#include "support/checksum.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;
constexpr const char* kSchema = "gridiron.manifest/1";

bool is_name_in_folder(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name != Manifest::kName &&
         name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

/// Errors: those of nlohmann::json for members that are missing or of another type.
Manifest manifest_of(const nlohmann::json& document, const fs::path& path) {
  Manifest manifest{document.at("command").get<std::string>(), document.at("complete").get<bool>()};
  for (const nlohmann::json& file : document.at("files")) {
    const std::string name = from_unicode(file.at("name").get<std::string>());
    if (!is_name_in_folder(name))
      throw input_error(
          "{}: lists \"{}\", which is no file of this folder; no run of Gridiron wrote that: "
          "remove it, or choose another folder",
          path.string(), name);
    manifest.files[name] = {file.at("bytes").get<int64_t>(), file.at("sha256").get<std::string>()};
  }
  return manifest;
}

}  // namespace

std::string Manifest::text() const {
  Json list = Json::array();
  for (const auto& [name, file] : files)
    list.push_back({{"name", as_unicode(name)}, {"bytes", file.bytes}, {"sha256", file.sha256}});
  return json_text({{"schema", kSchema},
                    {"tool_version", GRIDIRON_VERSION},
                    {"command", command},
                    {"complete", is_complete},
                    {"files", std::move(list)}});
}

std::optional<Manifest> read_manifest(const fs::path& folder) {
  const fs::path path = folder / Manifest::kName;
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (!fs::exists(status)) return std::nullopt;
  const auto foreign = [&](const std::string& why) {
    return input_error("{}: is no manifest of Gridiron ({}); move it away, or choose another folder", path.string(),
                       why);
  };
  if (!fs::is_regular_file(status)) throw foreign("no regular file");
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  const nlohmann::json document = nlohmann::json::parse(text.str(), nullptr, false);
  if (document.is_discarded() || !document.is_object()) throw foreign("no JSON object");
  if (document.value("schema", nlohmann::json()) != kSchema)
    throw foreign(fmt::format("its schema is not \"{}\"", kSchema));
  try {
    return manifest_of(document, path);
  } catch (const nlohmann::json::exception& e) {
    throw foreign(e.what());
  }
}

std::string fault_of(const fs::path& path, const Manifest::File& file) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) return errno == ENOENT ? "" : "cannot be read";
  if (!S_ISREG(status.st_mode)) return "is no regular file, as the run that wrote it left one";
  constexpr const char* kChanged = "was changed since the run that wrote it";
  if (status.st_size != file.bytes) return kChanged;
  const FileSum sum = block_sum_of_file(path);
  if (!sum.is_read) return "cannot be read";
  return sum.sha256 == file.sha256 ? "" : kChanged;
}

}  // namespace gridiron
