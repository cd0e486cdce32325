// SPDX-License-Identifier: Apache-2.0
// ROW: where cells may stand. The box of all rows is the core of the chip.
#include <fmt/format.h>

#include <algorithm>

#include "layout/def/def_file.hpp"

namespace gridiron::layout {
namespace {

bool is_a_number(const Tokens& tokens) {
  const std::string_view word = tokens.peek();
  return !word.empty() &&
         ((word[0] >= '0' && word[0] <= '9') || ((word[0] == '-' || word[0] == '+') && word.size() > 1));
}

}  // namespace

void DefFile::read_row() {
  Row row;
  tokens.name("the name of a ROW");
  row.offset = tokens.offset();
  row.site = plain_name(tokens.name("the site of a ROW"));
  row.place.x = tokens.dbu("the place of a ROW");
  row.place.y = tokens.dbu("the place of a ROW");
  row.orientation = take_orientation(tokens);
  if (tokens.accept("DO")) {
    row.columns = tokens.count("a number of sites");
    tokens.expect("BY", "DO");
    row.rows = tokens.count("a number of sites");
    if (tokens.accept("STEP")) {
      row.has_step = true;
      row.step_x = tokens.dbu("a STEP");
      row.step_y = is_a_number(tokens) ? tokens.dbu("a STEP") : 0;
    }
  }
  tokens.skip_statement("ROW");  // with its properties
  rows.push_back(std::move(row));
}

void DefFile::find_core() {
  bool is_first = true;
  chip.core = chip.die;
  for (const Row& row : rows) {
    const auto found = library.site_index.find(row.site);
    if (found == library.site_index.end()) {
      if (chip.unknown_site.empty()) chip.unknown_site = row.site, chip.unknown_site_place = {0, row.offset};
      continue;
    }
    const Site& site = library.sites[found->second];
    if (site.is_pad) continue;
    Dbu width = to_dbu(site.width_um, chip.dbu_per_um), height = to_dbu(site.height_um, chip.dbu_per_um);
    const Box one = turned(Box{0, 0, width, height}, row.orientation);
    width = one.width(), height = one.height();
    const int64_t step_x = row.has_step ? row.step_x : width, step_y = row.has_step ? row.step_y : height;
    const auto end = [&](Dbu from, int64_t count, int64_t step, Dbu size) {
      // A product of a count and a step may be beyond 64 bits: neither is beyond 2^31 of a chip that exists.
      if (count > kFarthest || step < 0) tokens.fail(row.offset, "this ROW is out of range; is its number right?");
      return in_range(tokens, row.offset, from + (count - 1) * step + size);
    };
    const Box box{row.place.x, row.place.y, end(row.place.x, row.columns, step_x, width),
                  end(row.place.y, row.rows, step_y, height)};
    chip.core = is_first ? box
                         : Box{std::min(chip.core.x0, box.x0), std::min(chip.core.y0, box.y0),
                               std::max(chip.core.x1, box.x1), std::max(chip.core.y1, box.y1)};
    is_first = false;
  }
}

}  // namespace gridiron::layout
