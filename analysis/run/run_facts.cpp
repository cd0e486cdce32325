// SPDX-License-Identifier: Apache-2.0
#include "analysis/run/run_facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>

#include "netlist/source_checksum.hpp"
#include "support/checksum.hpp"

namespace gridiron {
namespace {

std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain = "_-+=.,:/@%";
  const auto is_plain = [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || kPlain.find(c) != kPlain.npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

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

}  // namespace

RunFacts facts_of_this_run() { return {time_now(), command_as_typed(), {}, {}}; }

void add_option(RunFacts& run, const char* name, const std::string& value) {
  if (!value.empty()) run.options.emplace_back(name, value);
}

void add_option(RunFacts& run, const char* name, const std::vector<std::string>& values) {
  add_option(run, name, fmt::format("{}", fmt::join(values, " ")));
}

std::vector<std::string> files_of(const Circuit& circuit) {
  std::vector<std::string> paths;
  for (const auto& file : circuit.files) paths.push_back(file->path());
  return paths;
}

RunFacts::InputFile table_file(const std::string& path) {
  std::error_code is_gone;
  const FileSum sum = sum_of_file(std::filesystem::canonical(path, is_gone));
  return {path, sum.bytes, sum.sha256};
}

std::vector<RunFacts::InputFile> input_files(const Circuit& circuit, const std::vector<std::string>& tables) {
  std::vector<RunFacts::InputFile> files;
  for (const auto& file : circuit.files) files.push_back({file->path(), file->bytes_on_disk(), sha256_of(*file)});
  for (const std::string& table : std::set<std::string>(tables.begin(), tables.end()))
    files.push_back(table_file(table));
  return files;
}

}  // namespace gridiron
