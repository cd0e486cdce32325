// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cctype>
#include <random>
#include <string>
#include <vector>

namespace gridiron::test {

/// Choices of a generator, the same ones for the same seed.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(engine_); }
  int integer(int low, int high) { return std::uniform_int_distribution(low, high)(engine_); }
  bool chance(double p) { return uniform(0, 1) < p; }
  template <class T>
  const T& pick(const std::vector<T>& of) {
    return of[static_cast<size_t>(integer(0, static_cast<int>(of.size()) - 1))];
  }
  /// The letters of an ASCII text in any case, but those of `µ` and of quotations of files.
  std::string any_case(std::string text) {
    const int way = integer(0, 3);
    for (char& c : text)
      if (way == 2 || (way == 3 && chance(0.5)))
        c = static_cast<unsigned char>(c) < 128 ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    return text;
  }
  template <class T>
  void shuffle(std::vector<T>& items) {
    for (size_t i = items.size(); i > 1; --i)
      std::swap(items[i - 1], items[static_cast<size_t>(integer(0, static_cast<int>(i) - 1))]);
  }

 private:
  std::mt19937 engine_;
};

}  // namespace gridiron::test
