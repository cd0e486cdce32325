// SPDX-License-Identifier: Apache-2.0
#include "netlist/packed/npz_file.hpp"
#include "support/error_text.hpp"

#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

namespace gridiron {
namespace {

/// Load vectors that are mostly zero compress well; a higher ratio is malicious or a mistake.
constexpr uint64_t kLargestRatioOfArray = 200;
constexpr uint64_t kArrayAlwaysAllowed = uint64_t{1} << 30;

struct CloseMember {
  void operator()(zip_file_t* member) const { zip_fclose(member); }
};

std::string list_of_members(zip_t* archive) {
  constexpr zip_int64_t kMost = 8;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  std::string names;
  for (zip_int64_t i = 0; i < std::min(count, kMost); ++i) {
    const char* name = zip_get_name(archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_GUESS);
    names += fmt::format("{}{:?}", i == 0 ? "" : ", ", std::string_view(name ? name : ""));
  }
  return names.empty() ? "nothing" : names + (count > kMost ? ", …" : "");
}

}  // namespace

NpzFile::NpzFile(std::string path, std::string arrays)
    : path_(std::move(path)), arrays_(std::move(arrays)), archive_(nullptr, zip_discard) {
  int code = 0;
  archive_.reset(zip_open(path_.c_str(), ZIP_RDONLY, &code));
  if (archive_) return;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const std::string why = zip_error_strerror(&error);
  zip_error_fini(&error);
  throw input_error("{}: cannot read this .npz file: {}; write it with numpy.savez()", path_, why);
}

bool NpzFile::has(std::string_view name) const {
  return zip_name_locate(archive_.get(), (std::string(name) + ".npy").c_str(), 0) >= 0;
}

void NpzFile::require_only(std::initializer_list<std::string_view> names) const {
  for (zip_int64_t k = 0; k < zip_get_num_entries(archive_.get(), 0); ++k) {
    const char* const stored = zip_get_name(archive_.get(), static_cast<zip_uint64_t>(k), 0);
    std::string_view name = stored ? stored : "";
    if (name.ends_with(".npy")) name.remove_suffix(4);
    if (std::ranges::find(names, name) == names.end())
      throw input_error("{}: array '{}' is not used; this file holds {}", path_, name, arrays_);
  }
}

void NpzFile::array(std::string_view name, const std::function<void(NpyReader&)>& read) {
  const std::string member_name = std::string(name) + ".npy", what = fmt::format("{}: array {:?}", path_, name);
  const auto fail = [&](std::string_view why) { throw input_error("{} {}", what, why); };

  const zip_int64_t index = zip_name_locate(archive_.get(), member_name.c_str(), 0);
  if (index < 0)
    fail(fmt::format("is missing; the file holds {}. Write it with numpy.savez(FILE, {})",
                     list_of_members(archive_.get()), arrays_));
  zip_stat_t entry;
  if (zip_stat_index(archive_.get(), static_cast<zip_uint64_t>(index), 0, &entry) != 0 ||
      (entry.valid & ZIP_STAT_SIZE) == 0)
    fail("has no size in the directory of the file; write it again");
  if (entry.comp_method != ZIP_CM_STORE && entry.comp_method != ZIP_CM_DEFLATE)
    fail("is compressed in a way that numpy does not use; write it with numpy.savez()");
  std::error_code unknown;
  const uint64_t on_disk = std::filesystem::file_size(path_, unknown);
  if (entry.size > std::max(kArrayAlwaysAllowed, unknown ? 0 : on_disk * kLargestRatioOfArray))
    fail(
        fmt::format("unpacks to more than {} times the size of the file; if you trust it, write it with numpy.savez() "
                    "instead of savez_compressed()",
                    kLargestRatioOfArray));

  const std::unique_ptr<zip_file_t, CloseMember> member(
      zip_fopen_index(archive_.get(), static_cast<zip_uint64_t>(index), 0));
  if (!member) fail(fmt::format("cannot be read: {}", zip_strerror(archive_.get())));
  NpyReader reader(
      what,
      [&](void* to, size_t bytes) {
        size_t done = 0;
        while (done < bytes) {
          const zip_int64_t got = zip_fread(member.get(), static_cast<char*>(to) + done, bytes - done);
          if (got < 0)
            fail(fmt::format("is damaged ({}); fetch or write the file again", zip_file_strerror(member.get())));
          if (got == 0) break;
          done += got;
        }
        return done;
      },
      entry.size);
  read(reader);
}

}  // namespace gridiron
