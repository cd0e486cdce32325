// SPDX-License-Identifier: Apache-2.0
#include "python/tables.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

#include "analysis/run/run_facts.hpp"
#include "support/lists.hpp"

namespace gridiron::python {
namespace {

std::mutex guard;
std::map<std::weak_ptr<const Design>, std::vector<std::string>, std::owner_less<>> tables;

}  // namespace

void note_table(const std::shared_ptr<const Design>& design, const std::filesystem::path& path) {
  const std::lock_guard lock(guard);
  std::erase_if(tables, [](const auto& of) { return of.first.expired(); });
  tables[design].push_back(std::filesystem::absolute(path).string());
}

std::vector<std::string> tables_of(const std::shared_ptr<const Design>& design) {
  const std::lock_guard lock(guard);
  const auto found = tables.find(design);
  return found == tables.end() ? std::vector<std::string>() : found->second;
}

std::vector<std::string> inputs_of(const IrReport& report) {
  std::vector<std::string> inputs = files_of(*report.circuit);
  append(inputs, tables_of(report.design));
  return inputs;
}

}  // namespace gridiron::python
