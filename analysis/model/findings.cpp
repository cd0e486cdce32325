// SPDX-License-Identifier: Apache-2.0
#include "analysis/model/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/model/deck/duplicate_names.hpp"
#include "analysis/model/floating_loads.hpp"
#include "support/error.hpp"
#include "support/field.hpp"
#include "support/lists.hpp"
#include "support/parallel_arrays.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

using Severity = Finding::Severity;

/// Collects findings of one code: the first ones in full, then a count of the rest.
class Collector {
 public:
  Collector(Severity severity, std::string code) : severity_(severity), code_(std::move(code)) {}

  void add(std::string message, std::string place) {
    if (++count_ <= kToldOneByOne) told_.push_back({severity_, code_, std::move(message), std::move(place)});
  }
  int64_t count() const { return count_; }
  bool wants_text() const { return count_ < kToldOneByOne; }
  void count_only(int64_t more = 1) { count_ += more; }

  void append_to(std::vector<Finding>& findings) {
    append(findings, told_);
    if (count_ > kToldOneByOne) findings.push_back(end_of_list(severity_, code_, count_ - kToldOneByOne));
  }

 private:
  Severity severity_;
  std::string code_;
  std::vector<Finding> told_;
  int64_t count_ = 0;
};

bool bad_value(Kind kind, double value) {
  if (!std::isfinite(value)) return true;
  return kind == kResistor && value != 0 && !std::isfinite(1.0 / value);
}

std::string why_bad(Kind kind, double value) {
  if (kind == kResistor && std::isfinite(value))
    return fmt::format("has the value {:g} Ω; double precision does not hold the inverse; write 0 for a short", value);
  return fmt::format("has the value {:g} {}; it must be finite", value, kUnits[kind]);
}

/// Names shared by several elements.
void find_duplicates(const Circuit& circuit, Collector& duplicates) {
  const DuplicateNames names = find_duplicate_names(circuit, kToldOneByOne);
  for (const auto& [element, first] : names.pairs)
    duplicates.add(fmt::format("element name '{}' was used before at {}; both are used",
                               shown(circuit.element_name(element.kind, element.index)),
                               circuit.place(circuit.elements(first.kind).origin[first.index])),
                   circuit.place(circuit.elements(element.kind).origin[element.index]));
  duplicates.count_only(names.count - std::ssize(names.pairs));
}

/// What to add where something is missing: it may stand on a card that was skipped.
std::string skipped_hint(const Circuit& circuit) {
  const auto first = std::ranges::find(circuit.findings, "card-skipped", &ReadFinding::code);
  if (circuit.skipped_cards == 0 || first == circuit.findings.end()) return "";
  return fmt::format("; it may stand on {} that {} skipped ({}), {}{}: {}",
                     circuit.skipped_cards == 1 ? "the card" : fmt::format("the {} cards", circuit.skipped_cards),
                     circuit.skipped_cards == 1 ? "was" : "were", field("lenient"),
                     circuit.skipped_cards == 1 ? "" : "the first at ", first->place,
                     first->message.substr(first->message.find(": ") + 2));
}

/// What to add where a node floats that other programs take for node 0.
std::string ground_hint(const Circuit& circuit, const Parts& parts) {
  if (std::ranges::find(parts.anchored, 0) == parts.anchored.end()) return "";
  for (const std::string_view name : {"gnd!", "ground"})
    if (const NodeId n = circuit.nodes.find(name);
        n > 0 && n < std::ssize(parts.part) && !parts.anchored[parts.part[n]])
      return fmt::format("; {0} is a node of its own: give {1} hspice if it is node 0, or write '.connect {0} 0'",
                         shown(circuit.node_name(n)), field("dialect"));
  return "";
}

/// The card of the first current source at a node, or the file.
std::string place_of_load(const Circuit& circuit, NodeId n) {
  const Sources& sources = circuit.current_sources;
  for (int64_t i = 0; i < sources.size(); ++i)
    if ((sources.a[i] == n || sources.b[i] == n) && sources.value[i] != 0) return circuit.place(sources.origin[i]);
  return circuit.files[0]->path();
}

}  // namespace

std::string location(const NodePlaces& places, NodeId n) {
  std::string text;
  if (places.layer[n] >= 0) text += fmt::format(" on layer {}", places.layers[places.layer[n]]);
  if (!std::isnan(places.x_um[n])) text += fmt::format(" at ({:.4f}, {:.4f}) µm", places.x_um[n], places.y_um[n]);
  return text;
}

std::string place_of_load(const Circuit& circuit, const Parts& parts, int32_t part) {
  const Sources& sources = circuit.current_sources;
  const auto is_there = [&](NodeId n) { return n != kGround && parts.part[n] == part; };
  for (int64_t i = 0; i < sources.size(); ++i)
    if (is_there(sources.a[i]) || is_there(sources.b[i])) return circuit.place(sources.origin[i]);
  return circuit.files[0]->path();
}

Finding end_of_list(Severity severity, const std::string& code, int64_t more) {
  return {severity, code, fmt::format("… and {} more of this kind", more), "", more};
}

std::string shown(std::string_view name) {
  constexpr size_t kLongest = 80;
  return name.size() <= kLongest ? std::string(name)
                                 : fmt::format("{}… ({} characters)", name.substr(0, kLongest), name.size());
}

std::vector<Finding> read_findings(const Circuit& circuit) {
  std::vector<Finding> findings;
  for (const ReadFinding& f : circuit.findings)
    findings.push_back({f.is_warning ? Severity::warning : Severity::info, f.code, f.message, f.place});
  return findings;
}

std::vector<Finding> check_values(const Circuit& circuit, const std::function<std::string(NodeId)>& name_of) {
  std::vector<Finding> findings = read_findings(circuit);
  const bool is_title_told =
      std::ranges::any_of(circuit.findings, [](const ReadFinding& f) { return f.code == "first-line"; });
  if (!circuit.title.empty() && !is_title_told && !circuit.made_names)
    findings.push_back(
        {Severity::info, "title", fmt::format("the first line is taken as the title: {}", shown(circuit.title)), ""});
  if (circuit.skipped_cards > 0)
    findings.push_back(
        {Severity::warning, "cards-skipped",
         fmt::format("{} not understood and skipped ({})",
                     circuit.skipped_cards == 1 ? "1 card was" : fmt::format("{} cards were", circuit.skipped_cards),
                     field("lenient")),
         ""});
  Collector bad(Severity::error, "bad-value"), loops(Severity::warning, "self-loop"),
      duplicates(Severity::warning, "duplicate-name");
  for (const Kind kind : kEveryKind) {
    const Elements& e = circuit.elements(kind);
    const auto is_loop = [&](int64_t i) { return e.a[i] == e.b[i] && kind != kVoltageSource; };
    const auto odd = parallel_list<int64_t>(e.size(), [&](int64_t i, auto& list) {
      if (bad_value(kind, e.value[i]) || is_loop(i)) list.push_back(i);
    });
    for (const int64_t i : odd) {
      if (bad_value(kind, e.value[i])) {
        if (bad.wants_text())
          bad.add(fmt::format("'{}' {}", shown(circuit.element_name(kind, i)), why_bad(kind, e.value[i])),
                  circuit.place(e.origin[i]));
        else
          bad.count_only();
      }
      if (is_loop(i)) {
        if (loops.wants_text())
          loops.add(fmt::format("both ends of '{}' are node {}; it has no effect", shown(circuit.element_name(kind, i)),
                                shown(name_of ? name_of(e.a[i]) : std::string(circuit.node_name(e.a[i])))),
                    circuit.place(e.origin[i]));
        else
          loops.count_only();
      }
    }
  }
  find_duplicates(circuit, duplicates);
  circuit.release_pages();
  for (Collector* c : {&bad, &loops, &duplicates}) c->append_to(findings);
  return findings;
}

std::vector<Finding> pattern_findings(const Circuit& circuit, const NodePlaces& places) {
  if (places.matched < 0) return {};
  const int64_t nodes = circuit.node_count() - 1;
  std::string message =
      fmt::format("{} matches the names of {} of {}", field("node_pattern"), places.matched, counted(nodes, "node"));
  if (places.matched < nodes) message += "; all others have no net, layer and place";
  return {{Finding::Severity::info, "node-pattern", message, ""}};
}

std::vector<Finding> check_geometry(const Circuit& circuit, const NodePlaces& places) {
  std::vector<Finding> findings;
  // What is extracted from a layout joins a terminal, in the middle of its shapes, to the wires below these.
  if (places.placed == 0 || circuit.made_names) return findings;
  Collector jumps(Severity::warning, "layer-and-place-jump");
  const Elements& r = circuit.resistors;
  const auto is_jump = [&](int64_t i) {
    const NodeId a = r.a[i], b = r.b[i];
    return places.layer[a] >= 0 && places.layer[b] >= 0 && places.layer[a] != places.layer[b] &&
           places.x_um[a] != places.x_um[b] && places.y_um[a] != places.y_um[b] && !std::isnan(places.x_um[a]) &&
           !std::isnan(places.x_um[b]);
  };
  const auto found = parallel_list<int64_t>(r.size(), [&](int64_t i, auto& list) {
    if (is_jump(i)) list.push_back(i);
  });
  for (const int64_t i : found) {
    const NodeId a = r.a[i], b = r.b[i];
    if (jumps.wants_text())
      jumps.add(fmt::format("'{}' joins {} and {}, which differ in both layer and location",
                            shown(circuit.element_name(kResistor, i)), shown(circuit.node_name(a)),
                            shown(circuit.node_name(b))),
                circuit.place(r.origin[i]));
    else
      jumps.count_only();
  }
  jumps.append_to(findings);
  return findings;
}

std::vector<Finding> check_ties(const Circuit& circuit, const Grid& grid, const Merge& merge) {
  Collector conflicts(Severity::error, "source-loop");
  for (const TieConflict& conflict : merge.conflicts) {
    std::string names, case_of_names;
    Origin last{};
    for (const int64_t t : conflict.loop) {
      if (t < 0) continue;
      const Grid::TieElement& e = grid.tie_elements[t];
      if (names.size() < 200)
        names += fmt::format("{}{}", names.empty() ? "" : ", ", shown(circuit.element_name(e.kind, e.index)));
      const Elements& elements = circuit.elements(e.kind);
      last = elements.origin[e.index];
      const NodeId node = circuit.nodes.in_other_case();
      if (node >= 0 && (elements.a[e.index] == node || elements.b[e.index] == node))
        case_of_names =
            fmt::format("; names have no case: {} in other letters is the same node", shown(circuit.node_name(node)));
    }
    conflicts.add(
        fmt::format("ideal sources contradict each other: around {} the voltages add up to {:g} V instead of 0; "
                    "remove one or put a resistor in series{}",
                    names, conflict.volts, case_of_names),
        circuit.place(last));
  }
  std::vector<Finding> findings;
  conflicts.append_to(findings);
  return findings;
}

std::vector<PartLoad> loads_of_floating_parts(const Circuit& circuit, const Parts& parts) {
  std::vector<PartLoad> loads(parts.count());
  for (const FloatingLoad& at :
       floating_loads(circuit, parts, sources_at_floating(circuit, parts), circuit.current_sources.value)) {
    PartLoad& load = loads[parts.part[at.node]];
    if (at.cancels) {
      load.cancels = true;
      continue;
    }
    const double current = std::abs(at.amperes);
    load.total += current;
    if (current > load.largest) {
      load.largest = current;
      load.node = at.node;
    }
  }
  return loads;
}

std::vector<Finding> check_parts(const Circuit& circuit, const Parts& parts, const NodePlaces& places,
                                 const LeftOut& left_out, bool has_ground_pads) {
  return check_parts(circuit, parts, places, loads_of_floating_parts(circuit, parts), left_out, has_ground_pads);
}

std::vector<Finding> check_parts(const Circuit& circuit, const Parts& parts, const NodePlaces& places,
                                 const std::vector<PartLoad>& loads, const LeftOut& left_out, bool has_ground_pads) {
  Collector loaded(Severity::error, "floating-load"), idle(Severity::warning, "floating-part");
  const std::string hint = ground_hint(circuit, parts) + skipped_hint(circuit);
  for (int32_t p = 0; p < parts.count(); ++p) {
    if (parts.anchored[p] || left_out.has(p)) continue;
    const PartLoad& load = loads[p];
    const NodeId n = load.total > 0 ? load.node : parts.first_node[p];
    const std::string example = std::string(shown(circuit.node_name(n))) + location(places, n);
    const std::string nodes = counted(parts.nodes[p], "node");
    if (load.total > 0 && !loaded.wants_text())
      loaded.count_only();
    else if (load.total > 0)
      loaded.add(fmt::format("{} with a load of {:g} A float{}, e.g. {} drawing {:g} A: no path leads to a voltage "
                             "source; connect them or remove the load, or leave them out by {}{}",
                             nodes, load.total, parts.nodes[p] == 1 ? "s" : "", example, load.largest,
                             field("ignore_opens"), hint),
                 place_of_load(circuit, n));
    else if (idle.wants_text())
      idle.add(fmt::format("{} float{} {}, e.g. {}; left out", nodes, parts.nodes[p] == 1 ? "s" : "",
                           load.cancels ? "with loads that cancel at each node" : "without load", example),
               circuit.files[0]->path());
    else
      idle.count_only();
  }
  std::vector<Finding> findings;
  const bool is_anchored = std::ranges::any_of(parts.anchored, [](uint8_t anchored) { return anchored != 0; });
  if (circuit.voltage_sources.size() == 0 && !(has_ground_pads && is_anchored))
    findings.push_back({Severity::error, "no-source",
                        fmt::format("the netlist has no voltage source, so no node has a potential; add the pads as V "
                                    "cards, or by {}{}{}",
                                    field("pads"),
                                    is_anchored ? fmt::format("; where the resistors to node 0 are the pads of a "
                                                              "ground net, name it by {} NET=0",
                                                              field("nominal"))
                                                : "",
                                    hint),
                        circuit.files[0]->path()});
  loaded.append_to(findings);
  if (circuit.voltage_sources.size() > 0 && !is_anchored)
    findings.push_back({Severity::error, "no-ground",
                        "no voltage source and no resistor leads to ground (node 0), so no node has a potential" + hint,
                        circuit.place(circuit.voltage_sources.origin[0])});
  append(findings, left_out_findings(circuit, places, parts, left_out));
  idle.append_to(findings);
  return findings;
}

std::vector<Finding> atto_findings(const AttoNumbers& numbers) {
  if (numbers.count == 0) return {};
  return {{Finding::Severity::info, "atto", atto_text(numbers.count), numbers.place}};
}

void throw_first_error(const std::vector<Finding>& findings) {
  for (const Finding& f : findings) {
    if (f.severity != Severity::error) continue;
    const std::string text = fmt::format("{}{}{} [{}]", f.place, f.place.empty() ? "" : ": ", f.message, f.code);
    if (f.code == "bad-value") throw InputError(text);
    throw GridError(text);
  }
}

}  // namespace gridiron
