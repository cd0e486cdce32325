// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gridiron {

/// Curves over a common axis.
struct Panel {
  struct Series {
    std::string name;
    std::vector<double> x, y;   ///< values that a logarithmic axis cannot show are omitted
    bool is_reference = false;  ///< a thin line without markers, as a reference slope
  };

  std::string x_label, y_label;
  bool x_is_logarithmic = false, y_is_logarithmic = false;
  std::vector<Series> series;
};

/// Panels side by side under one title.
struct Chart {
  std::string title, remark, facts;
  std::vector<Panel> panels;
};

/// The bytes of a PNG. Errors: ResourceError.
std::string chart_png(const Chart& chart);

}  // namespace gridiron
