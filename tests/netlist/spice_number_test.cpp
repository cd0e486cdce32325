// SPDX-License-Identifier: Apache-2.0
#include "netlist/spice_number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace gridiron {
namespace {

TEST(Volts, TakeScalesAndTheirOwnUnitOnly) {
  for (const auto& [text, value] : {std::pair("10uV", 10e-6),
                                    {"50mV", 0.05},
                                    {"0.05", 0.05},
                                    {"50m", 0.05},
                                    {"1e-5", 1e-5},
                                    {"1.1V", 1.1},
                                    {"2kv", 2e3},
                                    {"3MEGvolt", 3e6},
                                    {"5 ", NAN},
                                    {"10mA", NAN},
                                    {"10a", NAN},
                                    {"5ohm", NAN},
                                    {"1milv", NAN},
                                    {"V", NAN},
                                    {"", NAN},
                                    {"1e400V", NAN},
                                    {"5%", NAN},
                                    {"10uVV", NAN}}) {
    const auto parsed = volts(text);
    EXPECT_EQ(parsed.has_value(), value == value) << text;
    if (parsed) {
      EXPECT_DOUBLE_EQ(*parsed, value) << text;
    }
  }
}

}  // namespace
}  // namespace gridiron
