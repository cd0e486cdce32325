// SPDX-License-Identifier: Apache-2.0
// What results visit, against the properties that the schemas tell of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/diff/diff_runs.hpp"
#include "analysis/insight/explain.hpp"
#include "analysis/pde/pde.hpp"
#include "analysis/run/regular_tables.hpp"
#include "analysis/tran/tran_report.hpp"
#include "reports/json/fields_json.hpp"
#include "tests/reports/json/schema_validator.hpp"

namespace gridiron {
namespace {

using nlohmann::json;

template <class T>
std::string type_of(const T&) {
  if constexpr (std::is_same_v<T, bool>)
    return "boolean";
  else if constexpr (std::is_integral_v<T>)
    return "integer";
  else if constexpr (std::is_floating_point_v<T>)
    return "number";
  else if constexpr (std::is_null_pointer_v<T>)
    return "null";
  else if constexpr (Visited<T> || std::is_same_v<T, SegmentIndex> || std::is_same_v<T, ParamList>)
    return "object";
  else
    return "string";  // names of indices are
}
template <class T>
std::string type_of(const std::vector<T>&) {
  return "array";
}
std::string type_of(const ParamList&) { return "object"; }
template <class T>
std::string type_of(const std::optional<T>&) {
  return type_of(T());
}
template <class T>
std::string type_of(const Known<T>& field) {
  return type_of(field.value);
}
template <class T>
std::string type_of(const Present<T>& field) {
  return type_of(field.value);
}

/// Collects the types of what a result visits, and which of it may be null.
struct FieldTypes {
  std::map<std::string, std::string> types;
  std::vector<std::string> may_be_null;

  template <class T>
  FieldTypes& operator()(const FieldName& name, const T& value, std::string_view = {}) {
    if (name.json.empty()) return *this;
    const std::string first(name.json.substr(0, name.json.find('/')));
    types[first] = first == name.json ? type_of(value) : "object";
    if constexpr (requires { value.is_known; }) may_be_null.push_back(first);
    return *this;
  }
};

class Schema {
 public:
  explicit Schema(const std::string& name) : root_(json::parse(std::ifstream(test::schema_path(name)))) {}

  /// The object at `at` has the fields of T, of their types.
  template <class T>
  FieldTypes expect_among_others(const std::string& at) const {
    const json properties = properties_at(at);
    FieldTypes fields;
    T().visit(fields);
    for (const auto& [name, type] : fields.types)
      if (properties.contains(name))
        EXPECT_TRUE(has_type(properties[name], type)) << at << " has another type of " << name << " than " << type;
      else
        ADD_FAILURE() << at << " lacks " << name;
    for (const std::string& name : fields.may_be_null)
      EXPECT_TRUE(!properties.contains(name) || has_type(properties[name], "null")) << at << ": null " << name;
    return fields;
  }

  /// The object has these, those of `besides`, and no others.
  template <class T>
  void expect(const std::string& at, std::initializer_list<std::string> besides = {}) const {
    const FieldTypes fields = expect_among_others<T>(at);
    const json properties = properties_at(at);
    for (const auto& [name, property] : properties.items())
      EXPECT_TRUE(fields.types.contains(name) || std::ranges::find(besides, name) != besides.end())
          << at << " has " << name << ", which the struct does not visit";
  }

 private:
  /// Those of an object whose members are all alike are the required ones.
  json properties_at(const std::string& at) const {
    const json& object = resolved(root_.at(json::json_pointer(at)));
    if (object.contains("properties")) return object["properties"];
    json properties;
    for (const json& name : object["required"]) properties[name] = object["additionalProperties"];
    return properties;
  }
  const json& resolved(const json& schema) const {
    if (!schema.contains("$ref")) return schema;
    return root_.at(json::json_pointer(schema["$ref"].get<std::string>().substr(1)));
  }
  bool has_type(const json& property, const std::string& type) const {
    const json& schema = resolved(property);
    if (schema.contains("enum")) return type == "string";
    if (schema["type"].is_array()) return std::ranges::find(schema["type"], json(type)) != schema["type"].end();
    return schema["type"] == type;
  }

  const json root_;
};

TEST(FieldsSchema, OfAStaticRun) {
  const Schema ir("gridiron.ir-1");
  ir.expect_among_others<InputCounts>("/properties/input");
  ir.expect<RunFacts::InputFile>("/properties/run/properties/files/items");
  ir.expect<decltype(IrReport::reduced)>("/properties/reduced");
  ir.expect<EngineRun>("/properties/engine");
  ir.expect<LevelSummary>("/properties/engine/properties/levels/items");
  ir.expect<SolveStats>("/properties/solve", {"bytes", "bytes_per_unknown", "hybrid", "psc"});
  ir.expect<HybridParts>("/properties/solve/properties/hybrid", {"original_grid_bytes", "regular_grid_bytes"});
  ir.expect<Certificate>("/properties/certificate");
  ir.expect<NetResult>("/$defs/net", {"layers", "worst_nodes"});
  ir.expect<Percentiles>("/$defs/net/properties/percentiles_v");
  ir.expect<LayerResult>("/$defs/net/properties/layers/items");
  ir.expect<VectorResult>("/properties/vectors/items", {"nets"});
  ir.expect<DropSummary>("/properties/vectors/items/properties/nets/items", {"name"});
  ir.expect<UnlimitedLayer>("/properties/unjudged/properties/layers/items");
  ir.expect<Finding>("/properties/findings/items");
  ir.expect<PadResult>("/properties/pads/properties/worst");
  ir.expect<PowerBalance>("/properties/power");
  ir.expect<SegmentLayerResult>("/properties/segments/properties/layers/items", {"densest"});
  ir.expect<InstanceResult>("/properties/instances/properties/worst", {"name", "terminal", "cell"});
  ir.expect<Timings>("/properties/timings_s");
  ir.expect<MapScore>("/properties/golden");
}

TEST(FieldsSchema, OfCausesAndBudgets) {
  const Schema ir("gridiron.ir-1");
  const std::string where = "/properties/where/properties/", why = where + "explanations/items";
  ir.expect<HotSpot>(where + "hot_spots/items", {"layer", "x_um", "y_um", "voltage_v", "bound_v"});
  ir.expect<Explanation>(why, {"layer", "x_um", "y_um", "voltage_v"});
  ir.expect<Path>(why + "/properties/path", {"layers"});
  ir.expect<LayerPart>(why + "/properties/path/properties/layers/items");
  ir.expect<PathStep>(why + "/properties/path/properties/steps/items");
  ir.expect<LoadEffect>(why + "/properties/loads/items");
  ir.expect<SegmentEffect>("/$defs/segment", {"resistor", "layer", "from", "to", "current_a", "power_w", "width_um",
                                              "cuts", "a_per_um", "a_per_um2"});
  ir.expect<DropShares>(where + "drop_shares/items", {"layer", "x_um", "y_um", "voltage_v"});
  ir.expect<DropShare>(where + "drop_shares/items/properties/shares/items");
  ir.expect<PadGains>(where + "pad_gains/items", {"layer", "x_um", "y_um", "voltage_v"});
  ir.expect<PadGain>(where + "pad_gains/items/properties/places/items",
                     {"node", "net", "layer", "x_um", "y_um", "voltage_v", "drop_v"});
  const std::string budget = "/properties/budget";
  ir.expect<BudgetReport>(budget);
  ir.expect<BudgetBlock>(budget + "/properties/blocks/items", {"most_w"});
  ir.expect<BudgetNet>(budget + "/properties/nets/items");
  ir.expect<BudgetNode>("/$defs/budget_node", {"layer", "x_um", "y_um"});
}

TEST(FieldsSchema, OfElectromigrationRules) {
  for (const char* name : {"gridiron.ir-1", "gridiron.tran-2"}) {
    const Schema schema(name);
    schema.expect<EmReport>("/properties/em");
    schema.expect<ActiveEmRule>("/properties/em/properties/rules/items");
    schema.expect<EmLayerResult>("/properties/em/properties/layers/items");
    schema.expect<EmRuleLimit>("/properties/em/properties/limit");
  }
}

TEST(FieldsSchema, OfStress) {
  const Schema ir("gridiron.ir-1");
  ir.expect<StressReport>("/properties/stress");
  ir.expect<MetalParameters>("/properties/stress/properties/parameters");
  ir.expect<StressTree>("/properties/stress/properties/worst/items");
  ir.expect<StressLimit>("/properties/stress/properties/limit");
  ir.expect<LifetimeLimit>("/properties/stress/properties/lifetime_limits/items");
  ir.expect<CascadeReport>("/properties/stress/properties/cascade");
  ir.expect<CascadeStage>("/properties/stress/properties/cascade/properties/stages/items");
  const std::string lifetime = "/properties/stress/properties/lifetime";
  ir.expect<LifetimeReport>(lifetime);
  ir.expect<TreeLifetime>(lifetime + "/properties/first/items");
  ir.expect<LifetimeSamples>(lifetime + "/properties/samples");
  ir.expect<LifetimePercentile>(lifetime + "/properties/samples/properties/percentiles/items");
}

TEST(FieldsSchema, OfASimulation) {
  const Schema tran("gridiron.tran-2");
  tran.expect_among_others<LimitResult>("/properties/limits/items");
  tran.expect_among_others<EmLimitResult>("/properties/limits/items");
  tran.expect_among_others<NetOverTime>("/$defs/net");
  tran.expect_among_others<Timings>("/properties/timings_s");
  tran.expect_among_others<StageSeconds>("/properties/timings_s");
  tran.expect<TranAccuracy>("/properties/accuracy");
  tran.expect<TranCertificate>("/properties/certificate");
  tran.expect<ChargeBalance>("/properties/charge");
  tran.expect<ScenarioNet>("/properties/scenarios/items/properties/nets/items", {"net"});
  tran.expect<WindowResult>("/properties/windows/items");
  tran.expect<PadOverTime>("/properties/pads/properties/largest/items", {"name", "net"});
}

TEST(FieldsSchema, OfDifferences) {
  const Schema diff("gridiron.diff-1");
  diff.expect<Change>("/$defs/change");
  diff.expect<NetSupply>("/$defs/supply");
  diff.expect<SupplyChange>("/$defs/supply_change");
  diff.expect<LayerChange>("/properties/nets/items/properties/layers/items");
  diff.expect<SpotChange>("/properties/hot_spots/items");
  diff.expect<ChangeLimitResult>("/properties/limits/items");
}

TEST(FieldsSchema, OfModelProblemsAndRegularGrids) {
  const Schema pde("gridiron.pde-1");
  pde.expect<EngineRun>("/properties/engine");
  pde.expect<TimeSteps>("/properties/steps");
  pde.expect<decltype(PdeResult::timings_s)>("/properties/timings_s");
  pde.expect_among_others<PdeError>("/properties/error");
  pde.expect_among_others<StokesError>("/properties/error");
  pde.expect_among_others<FlowBalance>("/properties/check");
  pde.expect_among_others<VortexCheck>("/properties/check");
  pde.expect_among_others<CavityExtrema>("/properties/check");
  pde.expect_among_others<Mesh>("/properties/check");
  const Schema regularize("gridiron.regularize-1");
  regularize.expect<RegularNet::Network>("/properties/nets/items/properties/network");
}

}  // namespace
}  // namespace gridiron
