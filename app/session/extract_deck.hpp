// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "analysis/model/finding.hpp"
#include "layout/read_layout.hpp"

namespace gridiron {

/// Reads a layout and writes its deck, resistances with so many digits: see layout::write_pg_deck(). Between the two,
/// `judge` gets the findings; if it throws, nothing is written. Errors: InputError, also where the deck would replace a
/// file that it is made from; ResourceError.
layout::Layout extract_deck(const layout::LayoutFiles& files, int digits, const std::filesystem::path& out,
                            const std::function<void(std::vector<Finding>)>& judge);

}  // namespace gridiron
