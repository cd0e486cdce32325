// SPDX-License-Identifier: Apache-2.0
// The format is that of the NumPy Enhancement Proposal 1, "A Simple File Format for NumPy Arrays".
#include "analysis/pde/npy_field.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "support/error.hpp"

namespace gridiron {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kLongestHeader = 1 << 16;

/// The Python dictionary `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`, read just as far as needed.
struct Header {
  std::string type;
  bool is_fortran = false;
  std::vector<std::int64_t> shape;
};

std::string_view value_after(std::string_view dictionary, std::string_view key) {
  const std::size_t at = dictionary.find(key);
  if (at == std::string_view::npos) return {};
  std::string_view rest = dictionary.substr(at + key.size());
  while (!rest.empty() && (rest.front() == ':' || rest.front() == ' ')) rest.remove_prefix(1);
  return rest;
}

std::optional<Header> parse(std::string_view dictionary) {
  Header header;
  const std::string_view type = value_after(dictionary, "'descr'"), order = value_after(dictionary, "'fortran_order'");
  std::string_view shape = value_after(dictionary, "'shape'");
  if (type.size() < 2 || type[0] != '\'' || order.empty() || shape.empty() || shape[0] != '(') return std::nullopt;
  header.type = type.substr(1, type.find('\'', 1) - 1);
  header.is_fortran = order.starts_with("True");
  shape.remove_prefix(1);
  while (true) {
    while (!shape.empty() && (shape.front() == ' ' || shape.front() == ',')) shape.remove_prefix(1);
    if (shape.empty()) return std::nullopt;
    if (shape.front() == ')') return header;
    std::int64_t size = 0;
    const auto [end, error] = std::from_chars(shape.data(), shape.data() + shape.size(), size);
    if (error != std::errc{} || size < 0) return std::nullopt;
    header.shape.push_back(size);
    shape.remove_prefix(end - shape.data());
  }
}

class NpyFile {
 public:
  explicit NpyFile(const std::filesystem::path& path) : path_(path.string()), file_(path, std::ios::binary) {
    if (!file_ || std::filesystem::is_directory(path)) fail("cannot be opened; check the path");
  }

  Header header() {
    std::array<unsigned char, 8> start{};
    const bool is_npy = read(start.data(), start.size()) &&
                        std::string_view(reinterpret_cast<const char*>(start.data()), kMagic.size()) == kMagic;
    if (!is_npy || start[6] < 1 || start[6] > 3) fail("is not a .npy file; write it with numpy.save()");
    const std::size_t width = start[6] == 1 ? 2 : 4;
    std::array<unsigned char, 4> length{};
    if (!read(length.data(), width)) fail("ends within its header");
    const std::size_t size = length[0] | length[1] << 8 | length[2] << 16 | std::size_t{length[3]} << 24;
    std::string dictionary(std::min(size, kLongestHeader), '\0');
    if (size > kLongestHeader || !read(dictionary.data(), size)) fail("ends within its header");
    const auto header = parse(dictionary);
    if (!header) fail("has a header that cannot be read; write it with numpy.save()");
    return *header;
  }

  template <class T>
  std::vector<double> values(std::size_t count) {
    std::vector<double> result(count);
    std::array<T, 4096> some;
    for (std::size_t done = 0; done < count;) {
      const std::size_t now = std::min(some.size(), count - done);
      if (!read(some.data(), now * sizeof(T))) fail(fmt::format("ends before its {} values do", count));
      std::copy_n(some.begin(), now, result.begin() + static_cast<std::ptrdiff_t>(done));
      done += now;
    }
    if (file_.peek() != std::ifstream::traits_type::eof()) fail(fmt::format("goes on after its {} values", count));
    return result;
  }

  [[noreturn]] void fail(const std::string& what) const { throw InputError(fmt::format("{:?} {}", path_, what)); }

 private:
  bool read(void* to, std::size_t bytes) {
    return static_cast<bool>(file_.read(static_cast<char*>(to), static_cast<std::streamsize>(bytes)));
  }

  std::string path_;
  std::ifstream file_;
};

std::string shape_of(std::span<const std::int64_t> shape) { return fmt::format("({})", fmt::join(shape, ", ")); }

}  // namespace

std::vector<double> read_npy_field(const std::filesystem::path& path, std::span<const std::int64_t> shape) {
  NpyFile file(path);
  const Header header = file.header();
  if (header.type != "<f8" && header.type != "<f4")
    file.fail(fmt::format("holds {:?}; expected float64 or float32", header.type));
  if (header.is_fortran) file.fail("is in Fortran order; save numpy.ascontiguousarray() of it");
  if (!std::equal(shape.begin(), shape.end(), header.shape.begin(), header.shape.end()))
    file.fail(fmt::format("has the shape {}, the grid has {} points (axes {})", shape_of(header.shape), shape_of(shape),
                          shape.size() == 2 ? "y, x" : "z, y, x"));
  std::size_t count = 1;
  for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
  return header.type == "<f8" ? file.values<double>(count) : file.values<float>(count);
}

}  // namespace gridiron
