// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/loads.hpp"
#include "analysis/model/deck/unknown_name.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>

namespace gridiron {
namespace {

/// Sources at a node whose sum is a smaller share than this of what each of them carries cancel each other.
constexpr double kLeastCurrentShare = 1e-9;

bool has_source(const Design& design, const std::string& name) {
  return design.find_element(kCurrentSource, name) >= 0;
}

size_t find_source(const Design& design, std::string_view name) {
  const int64_t source = design.find_element(kCurrentSource, name);
  if (source >= 0) return static_cast<size_t>(source);
  const std::string v = std::string(name) + "_v", g = std::string(name) + "_g";
  const std::string halves =
      has_source(design, v) && has_source(design, g) ? fmt::format("; it has {} and {}, name these", v, g) : "";
  throw unknown_element(*design.circuit, kCurrentSource, name,
                        fmt::format("load {}: the netlist has no current source of that name", name), halves);
}

/// Errors: InputError for a name that no source has, or that another name of the table means, too.
std::vector<size_t> sources_of(const Design& design, const LoadTable& table) {
  std::vector<size_t> sources;
  std::vector<std::string_view> named(design.circuit->current_sources.size());
  sources.reserve(table.names.size());
  for (size_t i = 0; i < table.names.size(); ++i) {
    try {
      sources.push_back(find_source(design, table.names[i]));
      std::string_view& earlier = named[sources.back()];
      if (!earlier.empty())
        throw input_error("{} and {} name the same current source; keep one", earlier, table.names[i]);
      earlier = table.names[i];
    } catch (const InputError& e) {
      throw input_error("{}: {}", table.place(i), e.message());
    }
  }
  return sources;
}

void require_finite(std::string_view name, double amperes) {
  if (!std::isfinite(amperes)) throw input_error("load {}: {} A; a current must be finite", name, amperes);
}

void require_shape(const LoadTable& table) {
  const size_t entries = table.names.size() * table.vectors;
  if (table.amperes.size() != entries)
    throw input_error("load table: {} names and {} vectors, but {} currents", table.names.size(), table.vectors,
                      table.amperes.size());
}

}  // namespace

Loads::Loads(std::shared_ptr<const Design> design, int64_t vectors) : design_(std::move(design)), vectors_(vectors) {
  if (vectors < 0) throw input_error("{} load vectors: there cannot be fewer than none", vectors);
  const std::vector<double>& deck = design_->circuit->current_sources.value;
  amperes_.reserve(deck.size() * vectors);
  for (int64_t v = 0; v < vectors; ++v) append(amperes_, deck);
}

Loads::Loads(std::shared_ptr<const Design> design, const LoadTable& table) : Loads(std::move(design), table.vectors) {
  require_shape(table);
  const std::vector<size_t> source = sources_of(*design_, table);
  const double* next = table.amperes.data();
  for (int64_t v = 0; v < vectors_; ++v) {
    const std::span<double> values = vector(v);
    for (size_t i = 0; i < source.size(); ++i, ++next) {
      if (!std::isfinite(*next))
        throw input_error("{}: load {}: {} A in vector {}; a current must be finite", table.place(i), table.names[i],
                          *next, v);
      values[source[i]] = *next;
    }
  }
}

std::span<const double> Loads::vector(int64_t v) const {
  if (v < 0 || v >= vectors_) throw input_error("load vector {}: there are {}, numbered from 0", v, vectors_);
  const auto size = static_cast<size_t>(sources());
  return std::span(amperes_).subspan(static_cast<size_t>(v) * size, size);
}

std::span<double> Loads::vector(int64_t v) {
  const std::span<const double> found = std::as_const(*this).vector(v);
  return std::span(amperes_).subspan(found.data() - amperes_.data(), found.size());
}

void Loads::set(std::string_view source, double amperes, int64_t v) {
  require_finite(source, amperes);
  vector(v)[find_source(*design_, source)] = amperes;
}

void Loads::set_at_node(std::string_view node, double amperes, int64_t v) {
  const NodeId id = design_->find_node(node);
  if (id < 0) throw unknown_node(*design_->circuit, node, fmt::format("load at {}: {}", node, kNoNode));
  if (id == kGround) throw InputError("load at ground: ground is the reference; name a node of the grid");
  require_finite(fmt::format("at {}", node), amperes);
  const Sources& sources = design_->circuit->current_sources;
  const std::span<double> values = vector(v);
  const auto direction = [&](size_t i) { return (sources.a[i] == id) - (sources.b[i] == id); };
  double sum = 0, gross = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += direction(i) * values[i];
    gross += std::abs(direction(i) * values[i]);
  }
  if (!(std::abs(sum) > kLeastCurrentShare * gross))
    throw input_error("load at {}: {}", node,
                      gross > 0 ? "its sources cancel each other; set them one by one"
                                : "nothing is drawn there that could be scaled");
  for (size_t i = 0; i < values.size(); ++i)
    if (direction(i) != 0) values[i] = values[i] / std::abs(sum) * amperes;
}

void Loads::set_instance(std::string_view instance, double amperes, int64_t v) {
  require_finite(instance, amperes);
  const std::span<double> values = vector(v);
  const size_t power = find_source(*design_, std::string(instance) + "_v"),
               ground = find_source(*design_, std::string(instance) + "_g");
  values[power] = values[ground] = amperes;
}

std::vector<Finding> unnamed_load_findings(const LoadTable& table, int64_t sources) {
  if (std::ssize(table.names) >= sources) return {};
  return {{Finding::Severity::info, "loads-partial",
           fmt::format("this table names {} of {} current sources; the others draw what the deck says",
                       table.names.size(), sources),
           table.path}};
}

}  // namespace gridiron
