// SPDX-License-Identifier: Apache-2.0
#include "app/run_facts.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <iterator>

#include "netlist/source_checksum.hpp"

namespace gridiron {
namespace {

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "_-+=.,:/@%";
  const auto is_plain = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kPlain.find(c) != kPlain.npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string command_as_typed() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string line, word;
  while (std::getline(file, word, '\0')) line += (line.empty() ? "" : " ") + shell_word(word);
  return line;
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc)};
}

std::vector<std::string> files_of(const Circuit& circuit) {
  std::vector<std::string> paths;
  for (const auto& file : circuit.files) paths.push_back(file->path());
  return paths;
}

std::vector<RunFacts::InputFile> input_files(const Circuit& circuit) {
  std::vector<RunFacts::InputFile> files;
  for (const auto& file : circuit.files) files.push_back({file->path(), file->bytes_on_disk(), sha256_of(*file)});
  return files;
}

}  // namespace gridiron
