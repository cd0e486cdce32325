// SPDX-License-Identifier: Apache-2.0
#include "reports/folder/em_file.hpp"

#include <cmath>
#include <optional>

#include "reports/tables/csv_reader.hpp"
#include "support/error_text.hpp"
#include "support/number_in.hpp"

namespace gridiron {

std::vector<RunData::Violation> violations_in(const std::filesystem::path& path, const std::string& text,
                                              double share) {
  CsvReader csv(text);
  constexpr size_t kLayer = 1, kFrom = 2, kTo = 3, kRule = 8, kRatio = 11;
  if (!csv.next() || csv.fields().size() <= kRatio || csv.fields()[kRatio] != "ratio")
    throw input_error("{}: is no em.csv of Gridiron: the header is another one", path.string());
  std::vector<RunData::Violation> violations;
  while (csv.next()) {
    const std::vector<std::string>& row = csv.fields();
    const std::optional<double> ratio = row.size() > kRatio ? number_in<double>(row[kRatio]) : std::nullopt;
    if (!ratio || !std::isfinite(*ratio))
      throw input_error("{}: line {}: the ratio is no number", path.string(), csv.line());
    if (!(*ratio > share)) break;
    const auto name = [&](size_t column) { return std::string(csv_name(row[column])); };
    violations.push_back({name(kFrom), name(kTo), name(kLayer), name(kRule), *ratio});
  }
  return violations;
}

}  // namespace gridiron
