// SPDX-License-Identifier: Apache-2.0
#include "analysis/distributed/merge_findings.hpp"

#include <map>
#include <set>

#include "analysis/model/findings.hpp"
#include "support/lists.hpp"

namespace gridiron::distributed {

std::vector<Finding> merge_findings(const Communicator& all, const std::vector<Finding>& mine) {
  Writer writer;
  for (const Finding& f : mine)
    writer.put(f.severity), writer.put(f.code), writer.put(f.message), writer.put(f.place), writer.put(f.more);
  std::vector<Communicator::Bytes> to(all.count());
  to[0] = writer.take();
  std::vector<std::string> codes;  // in the order of their first mention
  std::map<std::string, std::vector<Finding>> of_code;
  std::map<std::string, int64_t> more;
  std::set<std::pair<std::string, std::string>> told;
  for (const Communicator::Bytes& bytes : all.all_to_all(std::move(to)))
    for (Reader reader(bytes); !reader.is_done();) {
      Finding f;
      f.severity = reader.take<Finding::Severity>();
      f.code = reader.text();
      f.message = reader.text();
      f.place = reader.text();
      f.more = reader.take<int64_t>();
      if (!of_code.contains(f.code)) codes.push_back(f.code);
      std::vector<Finding>& same = of_code[f.code];
      if (f.more > 0)
        more[f.code] += f.more;
      else if (told.emplace(f.message, f.place).second) {
        if (std::ssize(same) < kToldOneByOne)
          same.push_back(std::move(f));
        else
          ++more[f.code];
      }
    }
  std::vector<Finding> findings;
  for (const std::string& code : codes) {
    const std::vector<Finding>& same = of_code[code];
    append(findings, same);
    if (more[code] > 0 && !same.empty()) findings.push_back(end_of_list(same[0].severity, code, more[code]));
  }
  return findings;
}

}  // namespace gridiron::distributed
