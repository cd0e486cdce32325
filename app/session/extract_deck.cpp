// SPDX-License-Identifier: Apache-2.0
#include "app/session/extract_deck.hpp"

#include <string>
#include <system_error>

#include "analysis/model/findings.hpp"
#include "layout/pg_deck.hpp"
#include "support/error_text.hpp"
#include "support/output_file.hpp"

namespace gridiron {
namespace {

/// Errors: InputError where `out` is a file that the deck is made from, or no file at all.
void require_other_file(const layout::LayoutFiles& files, const std::filesystem::path& out) {
  require_file_name(out);
  std::vector<std::string> inputs = files.tables();
  inputs.push_back(files.def);
  inputs.insert(inputs.end(), files.lefs.begin(), files.lefs.end());
  for (const std::string& input : inputs) {
    std::error_code none;
    if (std::filesystem::equivalent(input, out, none))
      throw input_error("{}: the deck would replace a file that it is made from; name another one", out.string());
  }
}

}  // namespace

layout::Layout extract_deck(const layout::LayoutFiles& files, int digits, const std::filesystem::path& out,
                            const std::function<void(std::vector<Finding>)>& judge) {
  require_other_file(files, out);
  layout::Layout layout = layout::read_layout(files);
  judge(read_findings(*layout.circuit));
  layout::write_pg_deck(*layout.circuit, *layout.chip, layout.elements, digits, out);
  return layout;
}

}  // namespace gridiron
