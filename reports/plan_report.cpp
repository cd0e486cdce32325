// SPDX-License-Identifier: Apache-2.0
#include "reports/plan_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/diff/diff_runs.hpp"
#include "netlist/edit/edited_deck.hpp"
#include "reports/diff_report.hpp"
#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/page/plan_page.hpp"
#include "reports/plan_rows.hpp"
#include "reports/tables/csv_line.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/print.hpp"
#include "reports/text/text_table.hpp"
#include "reports/text/utf8.hpp"
#include "support/error_text.hpp"
#include "support/lists.hpp"
#include "support/output_file.hpp"

namespace gridiron {
namespace {

constexpr size_t kShownEdits = 12;

std::string limits_table(const Plan& plan) {
  const char* after = plan.outcome == PlanOutcome::found ? "with the plan>" : "all means exhausted>";
  const bool has_after = plan.outcome != PlanOutcome::kept_today;
  std::vector<std::string> headers{"net", "layer", "limit on", "limit>", "today>"};
  if (has_after) headers.insert(headers.end(), {after, "certified to>"});
  TextTable table(headers);
  for (const PlanLimitRow& row : plan_limits(plan)) {
    std::vector<std::string> cells{printable(row.net), name_or_dash(row.layer), row.quantity,
                                   with_unit(row.limit, row.unit), with_unit(row.today, row.unit)};
    if (has_after)
      cells.insert(cells.end(),
                   {with_unit(row.after, row.unit) + (row.is_kept_after ? "" : " !"), with_unit(row.bound, row.unit)});
    table.add(std::move(cells));
  }
  return table.str();
}

std::string edits_table(const Plan& plan) {
  TextTable table(
      {"step>", "edit", "net", "layer", "from um", "to um", "change>", "cost>", "gain alone>", "in this order>"});
  for (size_t i = 0; i < std::min(kShownEdits, plan.edits.size()); ++i) {
    const PlanEditRow row = plan_edit(plan, i);
    table.add({std::to_string(row.step), row.edit, printable(row.net), name_or_dash(row.layer),
               place_text(row.x0_um, row.y0_um), row.edit == "add_pad" ? "" : place_text(row.x1_um, row.y1_um),
               change_text(row), fmt::format("{:.4g}", row.cost), gain_text(plan, row.gain_alone, row.gain_unit, "u"),
               gain_text(plan, row.gain_in_order, row.gain_unit, "u")});
  }
  return table.str();
}

const char* all_means(const PlanMeans& means) {
  if (means.widen.empty()) return "pads at all candidates";
  return means.pads ? "all straps widened up to their most and pads at all candidates"
                    : "all straps widened up to their most";
}

/// What all means together have that no plan may have.
std::string beyond_means(const PlanMeans& means) {
  std::string text;
  if (means.pads) text += fmt::format(", of which a plan may have {}", means.pads->count);
  if (has_widths(means)) text += "; widths of straps are not rounded down to the grid";
  return text;
}

std::string proof_text(const Plan& plan, const PlanFacts& facts) {
  const Impossibility& proof = *plan.proof;
  const LimitResult& limit = plan.after.report.limits[proof.limit];
  std::string out;
  print(out, "Proof: with {}, ", all_means(facts.means));
  print(out, "the worst drop of net {} is at least {} (certified to {}), above the limit of {}", printable(limit.net),
        volts(proof.least_v), volts(proof.bound_v), volts(limit.limit_v));
  if (plan.today.answers.size() > 1) print(out, ", under load vector {}", proof.vector + 1);
  print(
      out, ":\n  {}\n",
      proof.has_weights
          ? "1/4 [(w+i)' R_exhausted (w+i) - (w-i)' R_today (w-i)] <= w'R i <= sum(i) * worst drop, for weights w >= "
            "0 of sum(w) = sum(i)"
          : "i' R_exhausted i / sum(i) <= i' R i / sum(i) <= worst drop, as no conductance raises the first: the mean "
            "drop weighted with loads");
  print(out, "With all means exhausted {} of the mean drop weighted with loads fall in resistors at sources. ",
        volts(proof.at_sources_v));
  print(out, "{}\n",
        facts.means.pads ? "More or better pads, wider straps on more layers, or smaller loads open the way."
                         : "Pads (--add-pads), wider straps on more layers, or smaller loads open the way.");
  return out;
}

bool is_word_letter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// A word of Tcl, whatever is in it, in ASCII, as scripts are read in the encoding of the system.
std::string tcl_word(std::string_view name) {
  const std::string unicode = as_unicode(name);
  std::string out;
  for (std::string_view left = unicode; !left.empty();) {
    const std::string_view from = left;
    const char32_t code = next_code_point(left).value_or(0);
    const char c = from.front();
    if (is_word_letter(c) || c == '.' || c == ':' || c == '/' || c == '-')
      out += c;
    else if (code > 0xffff)
      out += from.substr(0, from.size() - left.size());
    else if (code < 0x20 || code >= 0x80)
      print(out, "\\u{:04x}", static_cast<uint32_t>(code));
    else
      (out += '\\') += c;
  }
  return out.empty() ? "{}" : out;
}

/// The only resistor of a name, −1 if there are others.
int64_t find_only(const Design& design, const std::string& name) {
  try {
    return design.find_element(kResistor, name);
  } catch (const InputError&) {
    return -1;
  }
}

Json json_edit(const Plan& plan, size_t index) {
  const PlanEdit& edit = plan.edits[index];
  const PlanEditRow row = plan_edit(plan, index);
  Json out = {{"step", row.step},
              {"edit", row.edit},
              {"net", row.net},
              {"layer", name_or_null(row.layer)},
              {"from_um", std::isnan(row.x0_um) ? Json(nullptr) : Json{row.x0_um, row.y0_um}},
              {"to_um", std::isnan(row.x1_um) ? Json(nullptr) : Json{row.x1_um, row.y1_um}}};
  if (edit.strap >= 0) {
    Json resistors = Json::array();
    for (const int64_t r : plan.straps[edit.strap].resistors)
      resistors.push_back(edited_grid(plan).circuit->element_name(kResistor, r));
    out["factor"] = edit.to;
    out["width_um"] = plan.straps[edit.strap].width_um > 0 ? Json(row.to) : Json(nullptr);
    out["resistors"] = std::move(resistors);
  } else if (edit.new_strap >= 0) {
    out["width_um"] = row.to;
    out["pieces"] = Json::array();
    for (const StrapPlace::Piece& p : plan.new_straps[edit.new_strap].pieces)
      out["pieces"].push_back({p.x0_um, p.y0_um, p.x1_um, p.y1_um});
  } else {
    const AddPad& pad = plan.after.setting.pads[edit.pad];
    out["node"] = pad.node;
    out["name"] = pad.name;
    out["volts"] = pad.volts;
    out["ohm"] = pad.ohm;
  }
  out["cost"] = row.cost;
  out["gain_alone_v"] = number_or_null(row.in_volts(row.gain_alone));
  out["gain_in_order_v"] = number_or_null(row.in_volts(row.gain_in_order));
  out["gain_alone"] = number_or_null(row.gain_alone);
  out["gain_in_order"] = number_or_null(row.gain_in_order);
  out["gain_unit"] = row.gain_unit;
  return out;
}

/// A name of letters, digits and _, as cards have it.
std::string word_of(std::string name) {
  for (char& c : name)
    if (!is_word_letter(c)) c = '_';
  return name;
}

void write_csv(const Plan& plan, const OutputPath& path) {
  write_table(path,
              "step,edit,layer,x0_um,y0_um,x1_um,y1_um,from,to,cost,gain_alone_v,gain_in_order_v,unit,net,name,"
              "gain_alone,gain_in_order,gain_unit",
              plan.edits.size(), [&](size_t i, CsvLine line) {
                const PlanEditRow row = plan_edit(plan, i);
                line.count(row.step).text(row.edit).text(row.layer);
                line.number(row.x0_um).number(row.y0_um).number(row.x1_um).number(row.y1_um);
                line.number(row.from).number(row.to).number(row.cost);
                line.volts(row.in_volts(row.gain_alone)).volts(row.in_volts(row.gain_in_order));
                line.text(row.unit).text(row.net).text(row.name);
                line.volts(row.gain_alone).volts(row.gain_in_order).text(row.gain_unit);
              });
}

/// Those of the plan, and what edits before it had made of the netlist, each resistor once.
std::vector<ResistorFactor> changed_resistors(const Plan& plan) {
  std::map<int64_t, double> factor;
  for (const ResistorFactor& earlier : plan.earlier.resistors) factor[earlier.resistor] = earlier.factor;
  for (const PlanEdit& edit : plan.edits)
    if (edit.strap >= 0)
      for (const int64_t r : plan.straps[edit.strap].resistors) factor.try_emplace(r, 1.0).first->second *= edit.to;
  std::vector<ResistorFactor> changed;
  for (const auto& [resistor, times] : factor) changed.push_back({resistor, times});
  return changed;
}

std::vector<AddPad> all_pads(const Plan& plan) {
  std::vector<AddPad> pads = plan.earlier.pads;
  append(pads, plan.after.setting.pads);
  return pads;
}

/// Errors: InputError where a source was dropped, which the netlist cannot say.
void write_changed_netlist(const Plan& plan, const OutputPath& path) {
  if (!plan.earlier.dropped.empty())
    throw input_error(
        "{}: source {} was dropped before the plan was made, but its card would stay; leave it out of "
        "the netlist that is read",
        path.path().string(), printable(plan.earlier.dropped.front()));
  const IrReport& report = edited_grid(plan);
  std::vector<NewPad> pads;
  for (const AddPad& pad : all_pads(plan)) {
    const NodeId node = report.design->find_node(pad.node);
    pads.push_back({node, pad.volts, pad.ohm, word_of(pad.name), report.nets[report.nodes.net[node]].name});
  }
  write_edited_deck(*report.circuit, changed_resistors(plan), pads, path);
}

std::string none_found_text(const Plan& plan, const PlanFacts& facts) {
  if (facts.means.straps.empty())
    return fmt::format(
        "All means exhausted: {}{}.\n"
        "There may be one: only of limits on worst drops, with loads of one sign and sources of one voltage, can it be "
        "proved that there is none, and where that holds here, the drop that is left to every plan is within the "
        "limit.\n",
        all_means(facts.means), beyond_means(facts.means));
  std::string out = "There may be one: with new straps it is never proved that there is none.\n";
  if (!plan.why_no_straps.empty())
    print(out,
          "No strap can be added on {}: every place is nearer than its pitch to other metal, below an obstruction of a "
          "macro, or crosses fewer than two wires of its net that a via would fit on.\n",
          plan.why_no_straps);
  return out;
}

}  // namespace

std::string plan_text(const Plan& plan, const PlanFacts& facts) {
  std::string out;
  print(out, "Gridiron fix: {}\n", plan_headline(plan));
  print(out, "Input: {}\n\n{}", printable(facts.input), limits_table(plan));
  if (plan.outcome == PlanOutcome::kept_today) return out;
  for (const std::string& text : capped_texts(plan)) print(out, "{}\n", printable(text));
  out += '\n';
  if (plan.proof) return out + proof_text(plan, facts);
  if (plan.outcome != PlanOutcome::found) return out + none_found_text(plan, facts);
  print(out, "Plan: {}\n", plan_cost_text(plan));
  if (plan.uniform_cost)
    print(out, "      the same factor for all straps, {:.4g}, keeps them at a cost of {:.6g}\n", plan.uniform_factor,
          *plan.uniform_cost);
  print(out, "\n{}", edits_table(plan));
  out += "Gains are of the worst place of the net; an edit that gains none there may be needed at another place.\n";
  if (plan.edits.size() > kShownEdits) print(out, "  and {} more in plan.csv\n", plan.edits.size() - kShownEdits);
  if (facts.is_layout && !plan.after.setting.pads.empty())
    print(out, "{}.fixed.def goes without the pads: give their places, which plan.csv lists, as sources of a run.\n",
          printable(facts.netlist_name));
  return out;
}

std::string plan_json(const Plan& plan, const PlanFacts& facts) {
  Json out = {{"schema", "gridiron.plan/1"},
              {"input", facts.input},
              {"outcome", outcome_word(plan.outcome)},
              {"is_interrupted", plan.is_interrupted},
              {"limits", json_of(plan_limits(plan))}};
  const bool is_found = plan.outcome == PlanOutcome::found;
  out["cost"] = is_found ? Json(in_nine_digits(plan.after.cost)) : Json(nullptr);
  out["uniform"] = plan.uniform_cost
                       ? Json{{"factor", plan.uniform_factor}, {"cost", in_nine_digits(*plan.uniform_cost)}}
                       : Json(nullptr);
  out["capped"] = Json::array();
  for (const CappedStraps& c : plan.capped)
    out["capped"].push_back({{"layer", c.layer},
                             {"in_the_way", name_or_null(c.in_the_way)},
                             {"straps", c.straps},
                             {"stay", c.stay},
                             {"most_factor", in_nine_digits(c.most)}});
  out["edits"] = Json::array();
  for (size_t i = 0; i < plan.edits.size(); ++i) out["edits"].push_back(json_edit(plan, i));
  out["proof"] = nullptr;
  if (plan.proof) {
    const LimitResult& limit = plan.after.report.limits[plan.proof->limit];
    out["proof"] = {{"net", limit.net},
                    {"layer", name_or_null(limit.layer)},
                    {"vector", plan.proof->vector},
                    {"least_drop_v", plan.proof->least_v},
                    {"bound_v", plan.proof->bound_v},
                    {"limit_v", limit.limit_v},
                    {"at_sources_v", plan.proof->at_sources_v},
                    {"has_weights", plan.proof->has_weights}};
  }
  out["rounds"] = plan.rounds;
  out["trials"] = plan.trials;
  return json_text(std::move(out));
}

std::string plan_tcl(const Plan& plan, const PlanFacts& facts) {
  const Circuit& circuit = *edited_grid(plan).circuit;
  std::string out;
  print(out, "# Changes of a plan by gridiron fix, to {}: source this after reading it.\n", printable(facts.input));
  if (!plan.new_straps.empty()) {
    print(out, "error {{no command of a session adds straps; read {}.fixed.{} instead}}\n",
          printable(facts.netlist_name), plan.after.setting.pads.empty() ? "def" : "sp");
    return out;
  }
  const Design& design = *edited_grid(plan).design;
  const std::vector<ResistorFactor> changed = changed_resistors(plan);
  for (const ResistorFactor& r : changed) {
    if (find_only(design, circuit.element_name(kResistor, r.resistor)) == r.resistor) continue;
    print(out,
          "error {{several resistors are called alike, so that no command names one; read the changed netlist}}\n");
    return out;
  }
  for (const ResistorFactor& r : changed)
    print(out, "set_resistor {} {}\n", tcl_word(circuit.element_name(kResistor, r.resistor)), r.value(circuit));
  for (const AddPad& pad : all_pads(plan))
    print(out, "add_source {} {} {} -name {}\n", tcl_word(pad.node), pad.volts, pad.ohm, tcl_word(pad.name));
  for (const std::string& source : plan.earlier.dropped) print(out, "drop_source {}\n", tcl_word(source));
  return out;
}

std::vector<std::filesystem::path> write_plan_reports(const Plan& plan, const PlanFacts& facts,
                                                      const OutputPath& directory, const Formats& formats) {
  std::vector<std::filesystem::path> files;
  const auto next = [&](const std::string& name) {
    files.push_back(directory.path() / name);
    return directory / name;
  };
  const auto write = [&](const std::string& name, const std::string& text) {
    OutputFile file(next(name));
    file.write(text);
    file.commit();
  };
  if (formats.contains("text")) write("plan.txt", plan_text(plan, facts));
  if (formats.contains("csv")) write_csv(plan, next("plan.csv"));
  if (formats.contains("json")) write("plan.json", plan_json(plan, facts));
  if (plan.outcome != PlanOutcome::found && plan.outcome != PlanOutcome::kept_today) return files;
  if (formats.contains("tcl")) write("plan.tcl", plan_tcl(plan, facts));
  if (formats.contains("spice")) write_changed_netlist(plan, next(facts.netlist_name + ".fixed.sp"));
  if (formats.contains("html") && plan.outcome == PlanOutcome::found) {
    RunData before = run_of(plan.today.report), after = run_of(plan.after.report);
    before.title = facts.input;
    after.title = facts.netlist_name + ".fixed.sp";
    for (const auto& file :
         write_diff_reports(before, after, diff_runs(before, after, {}), directory, {"html"}, plan_story(plan)))
      files.push_back(file);
  }
  return files;
}

}  // namespace gridiron
