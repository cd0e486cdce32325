// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/foreign_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "netlist/names/lower_case.hpp"
#include "netlist/names/name_table.hpp"
#include "support/byte_order_mark.hpp"
#include "support/error_text.hpp"

namespace gridiron {
namespace {

constexpr std::string_view kUnpack = "unpack it and name a file of it";
constexpr std::string_view kSpice = "name a SPICE netlist (plain, .gz, .bz2, .xz or .zst)";
constexpr std::string_view kFetch = "the download answered with a page instead of the file: fetch it again";

struct Signature {
  std::string_view bytes;  ///< at `offset`
  std::string_view format, advice;
  size_t offset = 0;
};

using namespace std::string_view_literals;
constexpr Signature kSignatures[] = {
    {"version https://git-lfs."sv, "a Git LFS pointer, not the file itself", "fetch that with 'git lfs pull'"},
    {"ustar"sv, "a tar archive", "unpack it with 'tar -xf' and name a file of it", 257},
    {"PK\x03\x04"sv, "a zip archive", kUnpack},
    {"PK\x05\x06"sv, "an empty zip archive", kSpice},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive", kUnpack},
    {"Rar!\x1a\x07"sv, "a rar archive", kUnpack},
    {"\x1f\x9d"sv, "a file packed by compress (.Z)", "unpack it with 'gzip -d'"},
    {"\x04\x22\x4d\x18"sv, "a file packed by lz4", "unpack it with 'lz4 -d'"},
    {"LZIP"sv, "a file packed by lzip", "unpack it with 'lzip -d'"},
    {"%SEMI-OASIS"sv, "an OASIS layout", kSpice},
    {"\x00\x06\x00\x02"sv, "a GDSII layout", kSpice},
    {"%PDF-"sv, "a PDF document", kSpice},
    {"\x89PNG"sv, "a PNG picture", kSpice},
    {"\x89HDF"sv, "an HDF5 file", kSpice},
    {"\x93NUMPY"sv, "a numpy array", kSpice},
    {"\x7f"
     "ELF"sv,
     "a program", kSpice},
    {"\xff\xfe"sv, "text in UTF-16", "convert it with 'iconv -f UTF-16 -t UTF-8'"},
    {"\xfe\xff"sv, "text in UTF-16", "convert it with 'iconv -f UTF-16 -t UTF-8'"},
};

std::string_view without_blanks(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first == text.npos ? std::string_view() : text.substr(first);
}

bool begins_with_any_case(std::string_view text, std::string_view word) {
  return text.size() >= word.size() && same_name(text.substr(0, word.size()), word);
}

/// What a line begins with, in the order of search.
struct LineStart {
  std::string_view words;
  std::string_view format, advice;
};
constexpr std::string_view kLayout = "read it with its LEF files, as the layout of a command with --lef";
constexpr std::string_view kSpef = "write the parasitics as DSPF or SPICE";
constexpr LineStart kLines[] = {
    {"*spef", "a SPEF file", kSpef},
    {"units distance microns", "a DEF file", kLayout},
    {"dividerchar", "a DEF file", kLayout},
    {"database microns", "a LEF file", "give it to --lef, with a DEF file as the input"},
    {"propertydefinitions", "a LEF or DEF file", kLayout},
    {"macro ", "a LEF file", "give it to --lef, with a DEF file as the input"},
    {"simulator lang", "a Spectre netlist", "write it in SPICE's language"},
    {"module ", "a Verilog netlist", "it has no resistances; name the SPICE netlist of the grid"},
    {"library (", "a Liberty file", kSpice},
    {"library(", "a Liberty file", kSpice},
    {"#!", "a script", kSpice},
};

}  // namespace

void refuse_foreign(const SourceText& source) {
  const std::string_view text = source.text();
  const auto found = std::ranges::find_if(kSignatures, [text](const Signature& s) {
    return text.size() >= s.offset + s.bytes.size() && text.substr(s.offset, s.bytes.size()) == s.bytes;
  });
  if (found != std::end(kSignatures))
    throw input_error("{}: this is {}; {}", source.path(), found->format, found->advice);
  if (text.empty() || (text[0] != '<' && text[0] != '\xef' && text[0] > ' ')) return;
  const std::string_view start = without_blanks(without_byte_order_mark(text.substr(0, 512)));
  for (const std::string_view tag : {"<!doctype", "<html", "<head", "<?xml", "<error"})
    if (begins_with_any_case(start, tag))
      throw input_error("{}: this is a page of HTML or XML; {}", source.path(), kFetch);
}

std::string foreign_language(std::string_view text) {
  constexpr size_t kLooked = size_t{64} << 10;
  std::string_view rest = without_byte_order_mark(text.substr(0, kLooked));
  const std::string_view start = without_blanks(rest);
  if (start.starts_with('{') || start.starts_with('[')) return fmt::format("a JSON file; {}", kSpice);
  const LineStart* found = nullptr;
  while (!rest.empty()) {
    const size_t length = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, length);
    rest.remove_prefix(std::min(length + 1, rest.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const auto begins = [line](std::string_view words) { return begins_with_any_case(line, words); };
    for (const std::string_view directive : {".subckt", ".end", ".opt", ".tran", ".param", ".inc", ".print", ".model"})
      if (begins(directive)) return {};  // a deck after all, with a mistake
    for (const LineStart& l : kLines)
      if (!found && begins(l.words)) found = &l;
  }
  return found ? fmt::format("{}; {}", found->format, found->advice) : std::string();
}

}  // namespace gridiron
