// SPDX-License-Identifier: Apache-2.0
// SITE: what rows of a floorplan are made of.
#include <fmt/format.h>

#include "layout/lef/lef_file.hpp"
#include "netlist/names/name_table.hpp"

namespace gridiron::layout {

void LefFile::read_site(size_t begin) {
  const std::string_view name = tokens.name("the name of a SITE");
  Site site;
  while (!tokens.accept("END")) {
    if (tokens.at_end()) tokens.fail(begin, fmt::format("SITE has no END {}; is the file cut off?", name));
    if (tokens.accept("SIZE")) {
      site.width_um = tokens.um("the width of a site");
      tokens.expect("BY", "SIZE");
      site.height_um = tokens.um("the height of a site");
      tokens.expect(";", "SIZE");
    } else if (tokens.accept("CLASS")) {
      site.is_pad = same_name(tokens.name("the CLASS of a site"), "PAD");
      tokens.expect(";", "CLASS");
    } else {
      tokens.skip_statement("SITE");
    }
  }
  end_block("SITE", name);
  site.name = plain_name(name);
  site.place = place(begin);
  // Technology and cells may both have it: the first one counts.
  if (library.site_index.emplace(site.name, static_cast<int32_t>(library.sites.size())).second)
    library.sites.push_back(std::move(site));
}

}  // namespace gridiron::layout
