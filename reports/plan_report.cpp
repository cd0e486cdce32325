// SPDX-License-Identifier: Apache-2.0
#include "reports/plan_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/diff/diff_runs.hpp"
#include "netlist/edit/edited_deck.hpp"
#include "reports/diff_report.hpp"
#include "reports/json/json.hpp"
#include "reports/tables/csv_line.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/numbers.hpp"
#include "reports/text/print.hpp"
#include "reports/text/text_table.hpp"
#include "support/output_file.hpp"
#include "support/plural.hpp"

namespace gridiron {
namespace {

constexpr size_t kShownEdits = 12;

const char* outcome_word(PlanOutcome outcome) {
  switch (outcome) {
    case PlanOutcome::kept_today:
      return "kept_today";
    case PlanOutcome::found:
      return "found";
    case PlanOutcome::impossible:
      return "impossible";
    default:
      return "none_found";
  }
}

std::string headline(const Plan& plan) {
  switch (plan.outcome) {
    case PlanOutcome::kept_today:
      return "all limits are kept today; nothing is to be done";
    case PlanOutcome::found:
      return plan.is_interrupted ? "a plan that keeps all limits, the cheapest until the search was interrupted"
                                 : "a plan that keeps all limits";
    case PlanOutcome::impossible:
      return "proved impossible: no plan by these means keeps all limits";
    default:
      return "no plan was found that keeps all limits; that there is none is not proved";
  }
}

/// A limit, today and after.
struct LimitRow {
  std::string net, layer, quantity;
  double limit, today, after, bound;
  bool is_current;
  bool is_exceeded_after;
};
std::vector<LimitRow> limit_rows(const Plan& plan) {
  std::vector<LimitRow> rows;
  const bool has_after = plan.outcome != PlanOutcome::kept_today;
  const IrReport& today = plan.today.report;
  const IrReport& after = has_after ? plan.after.report : today;
  for (size_t l = 0; l < today.limits.size(); ++l) {
    const LimitResult &t = today.limits[l], &a = after.limits[l];
    rows.push_back({t.net, t.layer, t.quantity + " drop", t.limit_v, t.value_v, a.value_v, a.bound_v, false,
                    a.exceeded || a.undecided});
  }
  for (size_t l = 0; l < today.em_limits.size(); ++l) {
    const EmLimitResult &t = today.em_limits[l], &a = after.em_limits[l];
    rows.push_back({t.net, t.layer, current_name(t.quantity), t.limit_a, t.value_a, a.value_a, a.bound_a, true,
                    a.exceeded || a.undecided});
  }
  return rows;
}

std::string limits_table(const Plan& plan) {
  const char* after = plan.outcome == PlanOutcome::found ? "with the plan>" : "all means exhausted>";
  const bool has_after = plan.outcome != PlanOutcome::kept_today;
  std::vector<std::string> headers{"net", "layer", "limit on", "limit>", "today>"};
  if (has_after) headers.insert(headers.end(), {after, "certified to>"});
  TextTable table(headers);
  for (const LimitRow& row : limit_rows(plan)) {
    const char* unit = row.is_current ? "A" : "V";
    std::vector<std::string> cells{printable(row.net), name_or_dash(row.layer), row.quantity,
                                   with_unit(row.limit, unit), with_unit(row.today, unit)};
    if (has_after)
      cells.insert(cells.end(),
                   {with_unit(row.after, unit) + (row.is_exceeded_after ? " !" : ""), with_unit(row.bound, unit)});
    table.add(std::move(cells));
  }
  return table.str();
}

/// Where an edit is, and what it is from and to.
struct EditRow {
  std::string edit, layer, net, name, from_unit;
  double x0 = NAN, y0 = NAN, x1 = NAN, y1 = NAN, from = NAN, to = NAN;
};
EditRow row_of(const Plan& plan, const PlanEdit& edit) {
  const IrReport& report = plan.today.report;
  EditRow row;
  row.net = report.nets[edit.net].name;
  if (edit.strap >= 0) {
    const Strap& strap = plan.straps[edit.strap];
    row.edit = "widen";
    row.layer = report.layer_names[strap.layer];
    row.name = report.circuit->element_name(kResistor, strap.resistors.front());
    row.x0 = strap.x0_um, row.y0 = strap.y0_um, row.x1 = strap.x1_um, row.y1 = strap.y1_um;
    const double unit = strap.width_um > 0 ? strap.width_um : 1;
    row.from_unit = strap.width_um > 0 ? "um" : "x";
    row.from = edit.from * unit, row.to = edit.to * unit;
    return row;
  }
  const AddPad& pad = plan.after.setting.pads[edit.pad];
  const NodeId node = report.design->find_node(pad.node);
  row.edit = "add_pad";
  row.name = pad.node;
  row.from_unit = "ohm";
  if (report.nodes.layer[node] >= 0) row.layer = report.layer_names[report.nodes.layer[node]];
  row.x0 = row.x1 = report.nodes.x_um[node], row.y0 = row.y1 = report.nodes.y_um[node];
  row.to = pad.ohm;
  return row;
}

std::string place(double x, double y) { return std::isnan(x) ? "-" : fmt::format("{:.6g},{:.6g}", x, y); }

std::string edits_table(const Plan& plan) {
  TextTable table(
      {"step>", "edit", "net", "layer", "from um", "to um", "change>", "cost>", "gain alone>", "in this order>"});
  for (size_t i = 0; i < std::min(kShownEdits, plan.edits.size()); ++i) {
    const PlanEdit& edit = plan.edits[i];
    const EditRow row = row_of(plan, edit);
    const std::string change = edit.strap < 0         ? fmt::format("{:.4g} ohm", row.to)
                               : row.from_unit == "x" ? fmt::format("x {:.4g}", row.to)
                                                      : fmt::format("{:.4g} -> {:.4g} um", row.from, row.to);
    const double least_v = 2 * plan.after.report.certificate.bound_v();
    const auto gain = [&](double g) {
      return std::isnan(g) ? std::string("-") : std::abs(g) <= least_v ? std::string("none") : with_unit(g, "V");
    };
    table.add({std::to_string(i + 1), row.edit, printable(row.net), name_or_dash(row.layer), place(row.x0, row.y0),
               edit.strap < 0 ? "" : place(row.x1, row.y1), change, fmt::format("{:.4g}", edit.cost),
               gain(edit.gain_alone), gain(edit.gain_in_order)});
  }
  return table.str();
}

std::string proof_text(const Plan& plan, const PlanFacts& facts) {
  const Impossibility& proof = *plan.proof;
  const LimitResult& limit = plan.after.report.limits[proof.limit];
  std::string out;
  print(out, "Proof: whatever is widened up to its most{}, ", facts.means.pads ? ", with pads at all candidates" : "");
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

/// A word of Tcl, whatever is in it.
std::string tcl_word(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
                          c == '.' || c == ':' || c == '/' || c == '-' || static_cast<unsigned char>(c) >= 0x80;
    if (static_cast<unsigned char>(c) < 0x20)
      print(out, "\\x{:02x}", static_cast<int>(c));
    else
      (is_plain ? out : out += '\\') += c;
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

Json json_edit(const Plan& plan, const PlanEdit& edit, size_t step) {
  const EditRow row = row_of(plan, edit);
  Json out = {{"step", step},
              {"edit", row.edit},
              {"net", row.net},
              {"layer", name_or_null(row.layer)},
              {"from_um", std::isnan(row.x0) ? Json(nullptr) : Json{row.x0, row.y0}},
              {"to_um", std::isnan(row.x1) ? Json(nullptr) : Json{row.x1, row.y1}}};
  if (edit.strap >= 0) {
    Json resistors = Json::array();
    for (const int64_t r : plan.straps[edit.strap].resistors)
      resistors.push_back(plan.today.report.circuit->element_name(kResistor, r));
    out["factor"] = edit.to;
    out["width_um"] = plan.straps[edit.strap].width_um > 0 ? Json(row.to) : Json(nullptr);
    out["resistors"] = std::move(resistors);
  } else {
    const AddPad& pad = plan.after.setting.pads[edit.pad];
    out["node"] = pad.node;
    out["name"] = pad.name;
    out["volts"] = pad.volts;
    out["ohm"] = pad.ohm;
  }
  out["cost"] = edit.cost;
  out["gain_alone_v"] = number_or_null(edit.gain_alone);
  out["gain_in_order_v"] = number_or_null(edit.gain_in_order);
  return out;
}

Json json_limits(const Plan& plan) {
  Json out = Json::array();
  for (const LimitRow& row : limit_rows(plan))
    out.push_back({{"net", row.net},
                   {"layer", name_or_null(row.layer)},
                   {"quantity", row.quantity},
                   {"unit", row.is_current ? "A" : "V"},
                   {"limit", row.limit},
                   {"today", number_or_null(row.today)},
                   {"after", number_or_null(row.after)},
                   {"bound", number_or_null(row.bound)},
                   {"is_kept_after", !row.is_exceeded_after}});
  return out;
}

void write_csv(const Plan& plan, const OutputPath& path) {
  write_table(path, "step,edit,layer,x0_um,y0_um,x1_um,y1_um,from,to,cost,gain_alone_v,gain_in_order_v,unit,net,name",
              plan.edits.size(), [&](size_t i, CsvLine line) {
                const PlanEdit& edit = plan.edits[i];
                const EditRow row = row_of(plan, edit);
                line.count(static_cast<int64_t>(i) + 1).text(row.edit).text(row.layer);
                line.number(row.x0).number(row.y0).number(row.x1).number(row.y1).number(row.from).number(row.to);
                line.number(edit.cost).volts(edit.gain_alone).volts(edit.gain_in_order);
                line.text(row.from_unit).text(row.net).text(row.name);
              });
}

void write_changed_netlist(const Plan& plan, const OutputPath& path) {
  const IrReport& report = plan.today.report;
  std::vector<ResistorFactor> widened;
  for (const PlanEdit& edit : plan.edits)
    if (edit.strap >= 0)
      for (const int64_t r : plan.straps[edit.strap].resistors) widened.push_back({r, edit.to});
  std::vector<NewPad> pads;
  for (const AddPad& pad : plan.after.setting.pads) {
    const NodeId node = report.design->find_node(pad.node);
    pads.push_back({node, pad.volts, pad.ohm, pad.name, report.nets[report.nodes.net[node]].name});
  }
  write_edited_deck(*report.circuit, widened, pads, path);
}

}  // namespace

std::string plan_text(const Plan& plan, const PlanFacts& facts) {
  std::string out;
  print(out, "Gridiron fix: {}\n", headline(plan));
  print(out, "Input: {}\n\n{}", printable(facts.input), limits_table(plan));
  if (plan.outcome == PlanOutcome::kept_today) return out;
  out += '\n';
  if (plan.proof) return out + proof_text(plan, facts);
  if (plan.outcome != PlanOutcome::found) {
    out +=
        "There may be one: only of limits on worst drops, with loads of one sign and sources of one voltage, can it be "
        "proved that there is none, and where that holds here, the drop that is left to every plan is within the "
        "limit.\n";
    return out;
  }
  const auto widened = std::ranges::count_if(plan.edits, [](const PlanEdit& e) { return e.strap >= 0; });
  print(out, "Plan: {} of {} widened, {} added; cost {:.6g}\n", widened, counted(std::ssize(plan.straps), "strap"),
        counted(std::ssize(plan.after.setting.pads), "pad"), plan.after.cost);
  if (plan.uniform_cost)
    print(out, "      the same factor for all straps, {:.4g}, keeps them at a cost of {:.6g}\n", plan.uniform_factor,
          *plan.uniform_cost);
  print(out, "\n{}", edits_table(plan));
  out += "Gains are of the worst place of the net; an edit that gains none there may be needed at another place.\n";
  if (plan.edits.size() > kShownEdits) print(out, "  and {} more in plan.csv\n", plan.edits.size() - kShownEdits);
  return out;
}

std::string plan_json(const Plan& plan, const PlanFacts& facts) {
  Json out = {{"schema", "gridiron.plan/1"},
              {"input", facts.input},
              {"outcome", outcome_word(plan.outcome)},
              {"is_interrupted", plan.is_interrupted},
              {"limits", json_limits(plan)}};
  const bool is_found = plan.outcome == PlanOutcome::found;
  out["cost"] = is_found ? Json(plan.after.cost) : Json(nullptr);
  out["uniform"] =
      plan.uniform_cost ? Json{{"factor", plan.uniform_factor}, {"cost", *plan.uniform_cost}} : Json(nullptr);
  out["edits"] = Json::array();
  for (size_t i = 0; i < plan.edits.size(); ++i) out["edits"].push_back(json_edit(plan, plan.edits[i], i + 1));
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
  const Circuit& circuit = *plan.today.report.circuit;
  std::string out;
  print(out, "# Changes of a plan by gridiron fix, to {}: source this after reading it.\n", printable(facts.input));
  const Design& design = *plan.today.report.design;
  for (const PlanEdit& edit : plan.edits) {
    if (edit.strap < 0) continue;
    for (const int64_t r : plan.straps[edit.strap].resistors) {
      const std::string name = circuit.element_name(kResistor, r);
      if (find_only(design, name) == r) continue;
      print(out,
            "error {{several resistors are called alike, so that no command names one; read the changed netlist}}\n");
      return out;
    }
  }
  for (const PlanEdit& edit : plan.edits) {
    if (edit.strap >= 0) {
      for (const int64_t r : plan.straps[edit.strap].resistors)
        print(out, "set_resistor {} {}\n", tcl_word(circuit.element_name(kResistor, r)),
              circuit.resistors.value[r] / edit.to);
    } else {
      const AddPad& pad = plan.after.setting.pads[edit.pad];
      print(out, "add_source {} {} {} -name {}\n", tcl_word(pad.node), pad.volts, pad.ohm, tcl_word(pad.name));
    }
  }
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
    for (const auto& file : write_diff_reports(before, after, diff_runs(before, after, {}), directory, {"html"}))
      files.push_back(file);
  }
  return files;
}

}  // namespace gridiron
