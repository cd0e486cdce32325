// SPDX-License-Identifier: Apache-2.0
#include "reports/folder/run_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <optional>
#include <utility>

#include "analysis/results/net_statistics.hpp"
#include "netlist/names/node_pattern.hpp"
#include "netlist/names/node_place.hpp"
#include "netlist/source_text.hpp"
#include "reports/folder/em_file.hpp"
#include "reports/folder/em_run.hpp"
#include "reports/folder/manifest.hpp"
#include "reports/folder/run_accuracy.hpp"
#include "reports/folder/run_json.hpp"
#include "reports/folder/stress_file.hpp"
#include "reports/folder/table_digits.hpp"
#include "reports/tables/csv_reader.hpp"
#include "reports/text/numbers.hpp"
#include "support/number_in.hpp"
#include "support/zstd_writer.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;

/// The folder with this path, which is empty for the current one.
fs::path or_here(const fs::path& folder) { return folder.empty() ? "." : folder; }

/// The text of a table, compressed or not.
std::string content_of(const fs::path& path) {
  if (names_zstd(path.native())) return std::string(SourceText::open(path)->text());
  std::error_code error;
  const std::uintmax_t size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  std::ifstream file(path, std::ios::binary);
  std::string text(error ? 0 : size, '\0');
  if (!file || error || !fs::is_regular_file(path) || !file.read(text.data(), static_cast<std::streamsize>(size)))
    fail_file(path, "cannot be read");
  return text;
}

std::optional<double> number(std::string_view text) {
  const auto value = number_in<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

PlainJson read_report(const fs::path& path) {
  const std::string text = content_of(path);
  PlainJson report = PlainJson::parse(text, nullptr, false);
  if (report.is_discarded()) fail_file(path, "is no JSON, or only part of a file");
  const PlainJson schema = report.is_object() ? report.value("schema", PlainJson()) : PlainJson();
  if (schema != kStaticSchema && schema != kDynamicSchema && schema != kOlderDynamicSchema)
    fail_file(path, "is no report of an IR drop: its schema is {}, neither \"{}\" nor \"{}\"",
              schema.is_string() && schema.get<std::string>().size() < 40 ? schema.dump() : "another one",
              kStaticSchema, kDynamicSchema);
  return report;
}

/// Where the names of a run's nodes place these, µm; NaN unknown.
class PlaceOfName {
 public:
  PlaceOfName(const PlainJson& report, double dbu_per_um) : dbu_per_um_(dbu_per_um) {
    const PlainJson options = report.value("run", PlainJson::object()).value("options", PlainJson::object());
    if (const PlainJson regex = options.value("node-pattern", PlainJson()); regex.is_string()) {
      pattern_.emplace(name_in(regex));
      matcher_.emplace(*pattern_);
    }
  }
  std::pair<double, double> operator()(std::string_view name) const {
    if (!(dbu_per_um_ > 0)) return {NAN, NAN};
    if (matcher_) {
      NodePattern::Parts parts;
      matcher_->match(name, parts);
      return {parts.x / dbu_per_um_, parts.y / dbu_per_um_};
    }
    const NodeName parsed = parse_node_name(name);
    if (!parsed.has_place()) return {NAN, NAN};
    return {static_cast<double>(parsed.x) / dbu_per_um_, static_cast<double>(parsed.y) / dbu_per_um_};
  }

 private:
  double dbu_per_um_;
  std::optional<NodePattern> pattern_;
  std::optional<NodePattern::Matcher> matcher_;
};

/// What the nets hold in all, to recognise files of another run.
int64_t nodes_of(const fs::path& path, const PlainJson& report) {
  int64_t sum = 0;
  for (const PlainJson& net : member(path, report, "nets"))
    sum += static_cast<int64_t>(number_or(member(path, net, "nodes"), 0));
  return sum;
}

class RunReader {
 public:
  explicit RunReader(const fs::path& path)
      : report_path_(fs::is_directory(path) ? path / "report.json" : path), folder_(report_path_.parent_path()) {
    run_.title = path.string();
  }

  RunData read() && {
    if (fs::is_directory(or_here(folder_))) manifest_ = read_manifest(or_here(folder_));
    if (manifest_ && !manifest_->is_complete)
      fail_file(folder_ / Manifest::kName, "the run was interrupted before all was written; run again");
    if (!fs::exists(run_.title))
      fail_file(run_.title, "does not exist; name a folder with the reports of a run, or its report.json");
    if (!fs::exists(report_path_))
      fail_file(report_path_, "is missing; run again with json among {}", field("formats"));
    require_of_this_run(report_path_);
    report_ = read_report(report_path_);
    try {
      run_.deck = report_.value("/input/path"_json_pointer, "");
      run_.date = report_.value("/run/date"_json_pointer, "");
      read_nets();
      const fs::path csv = table("nodes");
      if (run_.simulation && !fs::exists(csv))
        fail_file(folder_ / "nodes.csv", "is missing; run again with csv among {}", field("formats"));
      fs::exists(csv) ? read_nodes(csv) : read_solution(solution_path());
      if (!manifest_) require_same_drops(fs::exists(csv) ? csv : solution_path());
      read_spots();
      read_violations();
      read_metal();
      read_em(report_, run_);
    } catch (const PlainJson::exception& e) {
      fail_file(report_path_, "is no report of Gridiron, or was changed: {}", e.what());
    }
    return std::move(run_);
  }

 private:
  /// Reads all of the file once more; that costs a fraction of parsing it.
  void require_of_this_run(const fs::path& path) const {
    if (!manifest_) return;
    const auto listed = manifest_->files.find(path.filename().string());
    if (listed == manifest_->files.end())
      fail_file(path, "is not of the run whose files {} lists; run again with csv and json among {}", Manifest::kName,
                field("formats"));
    if (const std::string fault = fault_of(path, listed->second); !fault.empty())
      fail_file(path, "{}; run again", fault);
  }

  /// All that tells files of different runs apart where no manifest does.
  void require_same_drops(const fs::path& path) const {
    std::vector<std::vector<double>> drops(run_.nets.size());
    for (int32_t n = 0; n < run_.nodes(); ++n) drops[run_.net[n]].push_back(run_.drop_v[n]);
    for (size_t net = 0; net < drops.size(); ++net) {
      std::vector<double>& of_net = drops[net];
      if (of_net.empty()) continue;
      const PlainJson& told = report_.at("nets").at(net);
      const double sum = std::accumulate(of_net.begin(), of_net.end(), 0.0);
      require_same(path, net, "a worst", *std::ranges::max_element(of_net), member(report_path_, told, "worst_drop_v"));
      require_same(path, net, "an average", sum / of_net.size(), told.value("average_drop_v", PlainJson()));
      const Percentiles p = percentiles_of(of_net);
      const PlainJson told_p = told.value("percentiles_v", PlainJson::object());
      for (const auto& [name, value] :
           {std::pair("p50", p.p50), std::pair("p95", p.p95), std::pair("p99", p.p99), std::pair("p99.9", p.p999)})
        require_same(path, net, fmt::format("a {}", name), value, told_p.value(name, PlainJson()));
    }
  }

  /// `told`: by report.json, which may not tell it.
  void require_same(const fs::path& path, size_t net, std::string_view what, double value,
                    const PlainJson& told) const {
    constexpr double kRelative = 1e-9;
    const double volts = number_or(told, NAN);
    if (std::abs(value - volts) > kRelative * (std::abs(volts) + std::abs(nominal_v_[net])))
      fail_file(path, "has {} drop of {:g} V in net {}, report.json {:g} V: they are not of the same run", what, value,
                run_.nets[net].name, volts);
  }

  void read_nets() {
    for (const PlainJson& net : member(report_path_, report_, "nets")) {
      run_.nets.push_back({name_in(member(report_path_, net, "name")), net.value("is_ground", false),
                           number_or(net, "supply_v", 0), number_or(net, "nominal_v", NAN)});
      nominal_v_.push_back(number_or(net, "nominal_v", 0));
    }
    for (const PlainJson& net : report_.value("input", PlainJson::object()).value("left_out_nets", PlainJson::array()))
      run_.left_out.push_back(name_in(net));
    run_.limits = limits_in(report_);
    read_budget();
    read_accuracy(report_path_, report_, run_);
  }

  void read_budget() {
    if (!report_.contains("budget")) return;
    for (const PlainJson& of : member(report_path_, report_.at("budget"), "nets")) {
      const int32_t net = net_called(name_in(member(report_path_, of, "net")));
      if (net < 0) continue;
      const PlainJson& worst = member(report_path_, of, "worst");
      const double drop = worst.empty() ? 0 : number_or(member(report_path_, worst.at(0), "drop_v"), 0),
                   bound = worst.empty() ? 0 : number_or(member(report_path_, worst.at(0), "bound_v"), INFINITY);
      run_.nets[net].over_budget_v = drop;
      run_.nets[net].over_budget_bound_v = std::max(bound, number_or(of, "ceiling_v", INFINITY) - drop);
    }
  }

  void read_nodes(const fs::path& path) {
    require_of_this_run(path);
    const std::string text = content_of(path);
    CsvReader csv(text);
    const bool is_static = !run_.simulation;
    const std::string_view header[] = {"node",
                                       "net",
                                       "layer",
                                       "x_um",
                                       "y_um",
                                       is_static ? "voltage_v" : "worst_voltage_v",
                                       is_static ? "drop_v" : "worst_drop_v"};
    constexpr size_t kColumns = std::size(header);
    if (!csv.next() || csv.fields().size() < kColumns ||
        !std::equal(std::begin(header), std::end(header), csv.fields().begin()))
      fail_file(path, "is no nodes.csv of Gridiron: the header is another one");
    DigitsOfTable digits;
    while (csv.next()) {
      const std::vector<std::string>& row = csv.fields();
      const auto complain = [&](const std::string& why) { fail_file(path, "line {}: {}", csv.line(), why); };
      if (row.size() < kColumns || csv.is_cut_off()) complain("the row is cut off");
      const auto drop = number(row[6]);
      if (!drop) complain("the drop is no number");
      digits.see(row[6]);
      const int32_t net = net_called(csv_name(row[1]));
      if (net < 0) complain(fmt::format("report.json has no net {}", row[1]));
      if (!add(csv_name(row[0]), net, layer_called(csv_name(row[2])), number(row[3]).value_or(NAN),
               number(row[4]).value_or(NAN), *drop))
        complain(fmt::format("node {} is listed twice", row[0]));
    }
    run_.rounding = digits.rounding();
    if (const int64_t nodes = nodes_of(report_path_, report_); run_.nodes() != nodes)
      fail_file(path, "has {} nodes, report.json {}: they are not of the same run", run_.nodes(), nodes);
  }

  /// NAME.csv, compressed or not.
  fs::path table(const std::string& name) const {
    const fs::path plain = folder_ / (name + ".csv");
    return fs::exists(plain) ? plain : folder_ / (name + ".csv.zst");
  }

  void read_violations() {
    const PlainJson em = report_.value("em", PlainJson());
    const fs::path path = table("em");
    if (!em.is_object() || !fs::exists(path)) return;
    require_of_this_run(path);
    run_.violations = violations_in(path, content_of(path), number_or(em, "share", 1));
  }

  void read_metal() {
    const PlainJson stress = report_.value("stress", PlainJson());
    const fs::path path = table("stress"), voids = table("nucleation");
    if (!stress.is_object() || !fs::exists(path)) return;
    require_of_this_run(path);
    run_.metal = metal_in(path, content_of(path), run_);
    const PlainJson lifetime = stress.value("lifetime", PlainJson());
    if (!lifetime.is_object() || !fs::exists(voids)) return;
    require_of_this_run(voids);
    add_voids(voids, content_of(voids), number_or(lifetime, "horizon_s", 0), *run_.metal);
  }

  fs::path solution_path() const {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(or_here(folder_)))
      if (const std::string& name = entry.path().native();
          (name.ends_with(".solution") || name.ends_with(".solution.zst")) &&
          (!manifest_ || manifest_->files.contains(entry.path().filename().string())))
        found.push_back(entry.path());
    if (found.size() != 1)
      fail_file(folder_ / "nodes.csv", "is missing, and {}; run again with csv among {}",
                found.empty() ? "there is no *.solution instead" : "there are several *.solution", field("formats"));
    return found[0];
  }

  /// Nets by the nearest nominal voltage, places from the names.
  void read_solution(const fs::path& path) {
    for (size_t a = 0; a < nominal_v_.size(); ++a)
      for (size_t b = 0; b < a; ++b)
        if (nominal_v_[a] == nominal_v_[b])
          fail_file(folder_ / "nodes.csv",
                    "is missing, and *.solution does not tell the nodes of {} and {} apart, "
                    "both of {:g} V; run again with csv among {}",
                    run_.nets[b].name, run_.nets[a].name, nominal_v_[a], field("formats"));
    require_of_this_run(path);
    const PlainJson& input = member(report_path_, report_, "input");
    const double per_um = number_or(input, "dbu_per_um", 0);
    const PlaceOfName place_of(report_, per_um);
    const std::string text = content_of(path);
    std::string_view rest = text;
    DigitsOfTable digits;
    for (int64_t line = 1; !rest.empty(); ++line) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view row = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      const size_t blank = row.rfind(' ');
      if (blank == row.npos) fail_file(path, "line {}: expected a node and its voltage", line);
      const std::string_view name = row.substr(0, blank), value = row.substr(blank + 1);
      if (line == 1 || value == "floating" || value == "unlisted") continue;  // the first is ground
      const auto volts = number(value);
      if (!volts) fail_file(path, "line {}: the voltage is no number", line);
      digits.see(value);
      if (nominal_v_.empty()) continue;
      const auto nearest = std::ranges::min_element(nominal_v_, {}, [&](double v) { return std::abs(v - *volts); });
      const int32_t net = nearest - nominal_v_.begin();
      const double drop = run_.nets[net].is_ground ? std::abs(*volts)
                          : *nearest > 0           ? *nearest - *volts
                                                   : *volts - *nearest;
      const auto [x_um, y_um] = place_of(name);
      if (!add(name, net, -1, x_um, y_um, drop)) fail_file(path, "line {}: node {} is listed twice", line, name);
    }
    // Voltages, not drops, are what was rounded.
    run_.rounding = digits.rounding();
    for (const double nominal : nominal_v_) run_.bound_v += 2 * run_.rounding * std::abs(nominal);
  }

  void read_spots() {
    const PlainJson where = report_.value("where", PlainJson::object());
    run_.hot_spot_distance_um = number_or(where, "hot_spot_distance_um", 0);
    for (const PlainJson& spot : where.value("hot_spots", PlainJson::array())) {
      const int32_t node = run_.names.find(name_in(member(report_path_, spot, "node")));
      if (node >= 0) run_.hot_spots.push_back({node, run_.net[node]});
    }
  }

  int32_t net_called(std::string_view name) {
    if (last_net_ < run_.nets.size() && run_.nets[last_net_].name == name) return static_cast<int32_t>(last_net_);
    const auto found = std::ranges::find(run_.nets, name, &RunData::Net::name);
    if (found == run_.nets.end()) return -1;
    last_net_ = found - run_.nets.begin();
    return static_cast<int32_t>(last_net_);
  }

  int32_t layer_called(std::string_view name) {
    if (name.empty()) return -1;
    const auto found = std::ranges::find(run_.layers, name);
    if (found != run_.layers.end()) return static_cast<int32_t>(found - run_.layers.begin());
    run_.layers.emplace_back(name);
    return static_cast<int32_t>(run_.layers.size()) - 1;
  }

  /// False if there is such a node already.
  bool add(std::string_view name, int32_t net, int32_t layer, double x_um, double y_um, double drop_v) {
    if (run_.names.intern(name) != run_.nodes()) return false;
    run_.net.push_back(net);
    run_.layer.push_back(layer);
    run_.x_um.push_back(x_um);
    run_.y_um.push_back(y_um);
    run_.drop_v.push_back(drop_v);
    return true;
  }

  fs::path report_path_, folder_;
  std::optional<Manifest> manifest_;
  PlainJson report_;
  RunData run_;
  std::vector<double> nominal_v_;  ///< per net
  size_t last_net_ = 0;
};

}  // namespace

RunData read_run(const fs::path& path) { return RunReader(path).read(); }

std::vector<std::string> parts_of_run(const fs::path& path) {
  std::error_code error;
  const bool is_folder = fs::is_directory(path, error);
  const fs::path folder = is_folder ? path : path.parent_path();
  std::vector<std::string> parts;
  if (!is_folder) parts.push_back(path.string());
  for (const fs::directory_entry& entry : fs::directory_iterator(or_here(folder), error)) {
    const std::string name = entry.path().filename().string();
    const std::string plain = name.ends_with(".zst") ? name.substr(0, name.size() - 4) : name;
    const bool is_table =
        plain == "nodes.csv" || plain == "em.csv" || plain == "stress.csv" || plain == "nucleation.csv";
    if (name == "report.json" || is_table || name == Manifest::kName || plain.ends_with(".solution"))
      parts.push_back((folder / name).string());
  }
  std::ranges::sort(parts);
  return parts;
}

}  // namespace gridiron
