// SPDX-License-Identifier: Apache-2.0
#include "app/engine_variant.hpp"

#include "app/session/analysis_options.hpp"
#include "engines/engine.hpp"
#include "support/error_text.hpp"
#include "support/number_in.hpp"

namespace gridiron {
namespace {

int64_t size_of(std::string_view part, const std::string& text) {
  const auto size = number_in<int64_t>(part);
  if (!size || *size < 1 || *size > INT32_MAX)
    throw field_error("size", "{}: expected a whole number from 1 to {}, or a sweep like 65..1025", text, INT32_MAX);
  return *size;
}

}  // namespace

EngineVariant parse_variant(const std::string& text) {
  EngineVariant variant{text, text.substr(0, text.find_first_of("@:")), {}};
  const EngineInfo& engine = find_engine(variant.engine);
  const size_t colon = text.find(':');
  if (const size_t at = text.find('@'); at < colon)
    variant.settings["preset"] = text.substr(at + 1, colon == std::string::npos ? colon : colon - at - 1);
  for (size_t begin = colon; begin != std::string::npos;) {
    const size_t end = text.find(':', begin + 1);
    const std::string part = text.substr(begin + 1, end == std::string::npos ? end : end - begin - 1);
    const size_t equals = part.find('=');
    if (equals == 0 || equals == std::string::npos)
      throw field_error("engine", "{}: expected ENGINE[@PRESET][:KEY=VALUE]", text);
    if (!variant.settings.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
      throw field_error("engine", "{}: {} is given twice", text, part.substr(0, equals));
    begin = end;
  }
  engine.make(variant.settings);
  return variant;
}

std::vector<int64_t> sizes_of(const std::string& text) {
  const size_t dots = text.find("..");
  if (dots == std::string::npos) return {size_of(text, text)};
  const int64_t first = size_of(std::string_view(text).substr(0, dots), text),
                last = size_of(std::string_view(text).substr(dots + 2), text);
  if (last < first) throw field_error("size", "{}: the sweep ends before it begins", text);
  std::vector<int64_t> sizes;
  for (int64_t size = first; size <= last; size = size % 2 == 1 && size > 1 ? 2 * size - 1 : 2 * size)
    sizes.push_back(size);
  return sizes;
}

}  // namespace gridiron
