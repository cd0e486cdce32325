// SPDX-License-Identifier: Apache-2.0
#include "reports/diff_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/json/fields_json.hpp"
#include "reports/json/json.hpp"
#include "reports/page/assets.hpp"
#include "reports/page/base64.hpp"
#include "reports/tables/diff_tables.hpp"
#include "reports/tables/diff_tran_tables.hpp"
#include "reports/text/escape.hpp"
#include "reports/text/text_table.hpp"
#include "support/output_file.hpp"

namespace gridiron {
namespace {

/// "results/today, of chip.sp, 2026-01-31T12:00:00Z".
std::string origin(const RunData& run) {
  std::string text = run.title;
  if (!run.deck.empty() && run.deck != run.title) text += ", of " + run.deck;
  return text + (run.date.empty() ? "" : ", " + run.date);
}

/// null without budgets; of one run only, what the other one has is null.
Json json_budget(const BudgetChange& budget) {
  if (!budget.is_in_before && !budget.is_in_after) return nullptr;
  Json change = json_of(budget.worst);
  if (!budget.is_in_before) change["before_v"] = nullptr;
  if (!budget.is_in_after) change["after_v"] = nullptr;
  if (!budget.is_in_before || !budget.is_in_after) change["change_v"] = nullptr;
  change["is_change"] = budget.is_change();
  return change;
}

Json json_node(const RunData& after, const NodeChange& node) {
  if (node.after < 0) return nullptr;
  return {{"node", after.names[node.after]}, {"drop", json_of(node.drop)}};
}

/// A node that only one run has.
Json json_single(const RunData& run, int32_t row) {
  if (row < 0) return nullptr;
  return {{"node", run.names[row]}, {"drop_v", number_or_null(run.drop_v[row])}};
}

/// null of a net that one run alone has.
Json json_supply(const NetChange& net) {
  if (!net.is_in_before || !net.is_in_after) return nullptr;
  return json_of(net.supply);
}

Json json_net(const RunData& before, const RunData& after, const NetChange& net) {
  Json out = json_of(net.whole);
  out["name"] = net.name;
  out["status"] = !net.is_in_before ? "new" : !net.is_in_after ? "gone" : net.name_before.empty() ? "both" : "renamed";
  out["name_before"] = name_or_null(net.name_before);
  out["supply"] = json_supply(net);
  out["percentiles"] = {
      {"p50", json_of(net.p50)}, {"p95", json_of(net.p95)}, {"p99", json_of(net.p99)}, {"p99.9", json_of(net.p999)}};
  out["worst_moment"] = net.moment ? json_of(*net.moment) : Json();
  out["worst_over_budget"] = json_budget(net.over_budget);
  out["nodes_risen"] = net.risen;
  out["nodes_fallen"] = net.fallen;
  out["nodes_gone"] = net.only_before;
  out["nodes_new"] = net.only_after;
  out["worst_gone"] = json_single(before, net.worst_gone);
  out["worst_new"] = json_single(after, net.worst_new);
  out["largest_rise"] = json_node(after, net.largest_rise);
  out["largest_fall"] = json_node(after, net.largest_fall);
  out["layers"] = json_of(net.layers);
  return out;
}

Json json_run(const RunData& run) {
  return {{"path", run.title},
          {"nodes", run.nodes()},
          {"bound_v", number_or_null(run.bound_v)},
          {"left_out_nets", run.left_out},
          {"is_dynamic", run.simulation.has_value()},
          {"time_error_v", run.simulation ? number_or_null(run.simulation->time_error_v) : Json()}};
}

/// A thousand of them at most.
template <class T>
Json json_of_first(const std::vector<T>& list) {
  constexpr size_t kMost = 1000;
  return json_of(std::vector(list.begin(), list.begin() + static_cast<ptrdiff_t>(std::min(list.size(), kMost))));
}

/// null unless both runs have rules of electromigration; the first of what is new.
Json json_violations(const std::optional<ViolationChange>& change) {
  if (!change) return nullptr;
  return {
      {"new_count", change->appeared.size()}, {"gone_count", change->gone}, {"new", json_of_first(change->appeared)}};
}

/// null unless both runs have the stress of metal.
Json json_stress(const std::optional<StressChange>& change) {
  if (!change) return nullptr;
  Json voids = nullptr;
  if (change->has_times)
    voids = {{"earlier_count", change->earlier.size()},
             {"later_count", change->later},
             {"earlier", json_of_first(change->earlier)}};
  return {{"newly_mortal_count", change->mortal.size()},
          {"no_longer_mortal_count", change->no_longer_mortal},
          {"newly_mortal", json_of_first(change->mortal)},
          {"voids", std::move(voids)}};
}

/// `is_abridged`: as high as a screen, with the other rows below its edge.
std::string html_table(const DiffTable& table, bool is_abridged = false) {
  std::string out = fmt::format(
      "<div class=\"card table-card\"><div class=\"bar\"><h2>{}</h2>{}</div><div "
      "class=\"scroll{}\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table><thead><tr>",
      html_text(table.title),
      table.note.empty() ? "" : fmt::format("<span class=\"muted\">{}</span>", html_text(table.note)),
      is_abridged ? " abridged" : "", html_text(table.title));
  std::vector<bool> is_number;
  for (const std::string& header : table.headers) {
    is_number.push_back(header.ends_with('>'));
    const std::string text = header.substr(0, header.size() - (is_number.back() ? 1 : 0));
    if (text.empty())
      out += "<td></td>";
    else
      out += fmt::format("<th scope=\"col\"{}>{}</th>", is_number.back() ? " class=\"number\"" : "", html_text(text));
  }
  out += "</tr></thead><tbody>";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (size_t k = 0; k < row.size(); ++k)
      out += fmt::format("<td{}>{}</td>", is_number[k] ? " class=\"number\"" : "", html_text(row[k]));
    out += "</tr>";
  }
  return out + "</tbody></table></div></div>\n";
}

std::string lower_first(std::string text) {
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') text[0] = static_cast<char>(text[0] - 'A' + 'a');
  return text;
}

std::string verdict(const RunDiff& diff, const ChangeStory& story) {
  const auto badge = [](std::string_view kind, std::string_view text) {
    return fmt::format("<span class=\"badge {}\">{}</span>", kind, text);
  };
  if (!story.verdict.empty()) return badge("good", html_text(story.verdict));
  std::string out = diff.is_empty() ? badge("good", "No change") : badge("neutral", "Changed");
  if (diff.limits.empty()) return out;
  const bool is_undecided = std::ranges::any_of(diff.limits, &ChangeLimitResult::undecided);
  return out + (diff.limit_exceeded() ? badge("bad", "Limit exceeded")
                : is_undecided        ? badge("warn", "Limits undecided")
                                      : badge("good", "Within limits"));
}

}  // namespace

std::string diff_text(const RunData& before, const RunData& after, const RunDiff& diff) {
  std::string out = fmt::format("Gridiron {}\nBefore       {}\nAfter        {}\n", GRIDIRON_VERSION,
                                printable(origin(before)), printable(origin(after)));
  for (const std::string& fact : diff_facts(before, after, diff)) out += printable(fact) + "\n";
  for (const DiffTable& table : diff_tables(before, after, diff, "u")) {
    TextTable text(table.headers);
    for (const auto& row : table.rows) {
      std::vector<std::string> cells;
      for (const std::string& cell : row) cells.push_back(cell.empty() ? "-" : printable(cell));
      text.add(std::move(cells));
    }
    out += fmt::format("\n{}{}\n{}", table.title, table.note.empty() ? "" : " (" + table.note + ")", text.str());
  }
  return out;
}

std::string diff_json(const RunData& before, const RunData& after, const RunDiff& diff) {
  Json nets = Json::array();
  for (const NetChange& net : diff.nets) nets.push_back(json_net(before, after, net));
  return json_text({{"schema", "gridiron.diff/1"},
                    {"tool_version", GRIDIRON_VERSION},
                    {"before", json_run(before)},
                    {"after", json_run(after)},
                    {"is_empty", diff.is_empty()},
                    {"limit_exceeded", diff.limit_exceeded()},
                    {"limits", json_of(diff.limits)},
                    {"run_limits", json_of(diff.run_limits)},
                    {"nets", std::move(nets)},
                    {"hot_spots", json_of(diff.spots)},
                    {"em_violations", json_violations(diff.violations)},
                    {"stress", json_stress(diff.stress)},
                    {"lifetimes", diff.lifetimes ? json_of(*diff.lifetimes) : Json()},
                    {"em_parameters", json_of(diff.em_parameters)},
                    {"only_in_one", json_of(diff.one_sided)},
                    {"not_compared", diff.simulation ? kNotComparedOfTran : std::vector<std::string>()}});
}

std::string diff_html(const RunData& before, const RunData& after, const RunDiff& diff,
                      const std::vector<ChangeMap>& maps, const ChangeStory& story) {
  std::string facts, body;
  for (const std::string& fact : story.facts) facts += "<p>" + html_text(fact) + "</p>\n";
  for (const std::string& fact : diff_facts(before, after, diff)) facts += "<p>" + html_text(fact) + "</p>\n";
  for (const DiffTable& table : story.tables) body += html_table(table, true);
  const std::string note =
      story.marks.empty() ? "" : fmt::format("<p class=\"muted\">{}</p>", html_text(story.marks_note));
  for (const ChangeMap& map : maps)
    body += fmt::format(
        "<div class=\"card\"><h2>{}</h2><img class=\"picture\" alt=\"Change of the drop of {} over the "
        "chip\" src=\"data:image/png;base64,{}\">{}</div>\n",
        html_text(map.net), html_text(map.net), base64(map.png), note);
  for (const DiffTable& table : diff_tables(before, after, diff, "µ")) body += html_table(table);
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<meta "
      "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src "
      "'unsafe-inline'\">\n<title>{0} · {7}</title>\n<style>{1}\n.picture {{ max-width: 100%; height: "
      "auto; border-radius: 8px; }}\nimg.picture {{ background: #fff; "
      "}}\n</style>\n</head>\n<body>\n<header><div><h1>{8}</h1><p class=\"muted\">from {2}<br>to "
      "{9}</p></div><div>{3}</div></header>\n<main>\n<div "
      "class=\"card\">\n{4}</div>\n{5}</main>\n<footer class=\"muted\">Gridiron {6}</footer>\n</body>\n</html>\n",
      html_text(after.title), assets::report_css(), html_text(origin(before)), verdict(diff, story), facts, body,
      GRIDIRON_VERSION, html_text(lower_first(story.title)), html_text(story.title), html_text(origin(after)));
}

std::vector<std::filesystem::path> write_diff_reports(const RunData& before, const RunData& after, const RunDiff& diff,
                                                      const OutputPath& directory, const Formats& formats,
                                                      const ChangeStory& story) {
  make_directory(directory);
  std::vector<std::filesystem::path> written;
  const auto write = [&](const std::string& name, const std::string& content) {
    written.push_back(directory / name);
    write_file(directory / name, content);
  };
  if (formats.contains("text")) write("diff.txt", diff_text(before, after, diff));
  if (formats.contains("json")) write("diff.json", diff_json(before, after, diff));
  if (!formats.contains("png") && !formats.contains("html")) return written;
  const std::vector<ChangeMap> maps = change_maps(after, diff, story.marks);
  const std::vector<std::string> names = change_map_names(maps);
  if (formats.contains("png"))
    for (size_t k = 0; k < maps.size(); ++k) write(names[k], maps[k].png);
  if (formats.contains("html")) write("diff.html", diff_html(before, after, diff, maps, story));
  return written;
}

}  // namespace gridiron
