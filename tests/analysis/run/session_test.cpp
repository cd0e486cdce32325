// SPDX-License-Identifier: Apache-2.0
// Sessions: changed loads, edits and many vectors compared with a run from the text.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <stop_token>
#include <thread>

#include "analysis/run/session.hpp"
#include "netlist/generator.hpp"
#include "tests/analysis/sessions.hpp"
#include "tests/data.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using test::design_of;
using test::on_cpu;
using test::volts;
using testing::HasSubstr;

/// A supply of 1 V over rv feeds a ladder a – b – c; loads at b and c.
std::string ladder(double r2 = 1, double load_b = 0.1, double load_c = 0.2, const char* more = "") {
  return fmt::format("* t\nv1 vdd 0 1\nrv vdd a 0.5\nr1 a b 1\nr2 b c {}\nr3 a c 3\nib b 0 {}\nic c 0 {}\n{}", r2,
                     load_b, load_c, more);
}

/// Largest difference to a run from the text, over all nodes of the first deck.
double difference(const Solver& solver, const Answer& answer, const std::string& deck) {
  const Circuit circuit = read_netlist_text(deck);
  const IrReport expected = analyse_ir_drop(circuit, {});
  double worst = 0;
  for (NodeId n = 0; n < solver.system().design()->circuit->node_count(); ++n) {
    const auto same = circuit.nodes.find(solver.system().design()->circuit->node_name(n));
    worst = std::max(worst, std::abs(answer.voltage_v[n] - expected.nodes.voltage_v[same]));
  }
  return worst;
}

/// A grid on which the iterative engines need iterations, as text.
const std::string& generated_deck() {
  static const std::string deck = [] {
    const std::string path = test::temporary("session.sp");
    GeneratorOptions options;
    options.style = "ibm";
    options.nodes = 3000;
    generate(options, path);
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    return text;
  }();
  return deck;
}

TEST(Session, ASystemKeepsNoInjection) {
  const System system(design_of(ladder()));
  EXPECT_GT(system.network().nodes, 0);
  EXPECT_EQ(system.network().injection.capacity(), 0u) << "loads come with every solve";
}

TEST(Session, AnotherLoadCostsOneSolve) {
  const auto design = design_of(ladder());
  Solver solver{System(design)};
  EXPECT_LT(difference(solver, solver.solve(), ladder()), 1e-15);
  Loads loads(design);
  loads.set("IB", 0.3);
  const Answer answer = std::move(solver.solve(loads).front());
  EXPECT_LT(difference(solver, answer, ladder(1, 0.3)), 1e-14);
  EXPECT_TRUE(answer.certificate.valid);
  EXPECT_EQ(solver.work().setups, 1);
  EXPECT_EQ(solver.work().barriers, 1);
  EXPECT_EQ(solver.work().vectors, 2);
}

TEST(Session, LoadsAtNodesAndInstances) {
  const auto design = design_of(ladder(1, 0.1, 0.2, "i2 c 0 0.6\niu_v a 0 1m\niu_g 0 g 1m\nrg g 0 1\n"));
  Loads loads(design, 2);
  loads.set_at_node("c", 0.4, 1);
  loads.set_instance("iu", 2e-3, 1);
  EXPECT_THAT(loads.vector(0), testing::ElementsAre(0.1, 0.2, 0.6, 1e-3, 1e-3));
  EXPECT_THAT(loads.vector(1), testing::Pointwise(testing::DoubleEq(), {0.1, 0.1, 0.3, 2e-3, 2e-3}));
  EXPECT_THROW(loads.set("nobody", 1), InputError);
  EXPECT_THROW(loads.set_at_node("nowhere", 1), InputError);
  EXPECT_THROW(loads.set_at_node("vdd", 1), InputError);
  EXPECT_THROW(loads.set_instance("ux", 1), InputError);
}

TEST(Session, EditsAreWhatAnEditedDeckGives) {
  const auto design = design_of(ladder());
  Solver solver{System(design, false)};
  System system = solver.system();
  const auto expect_like = [&](const std::string& deck) {
    solver.update(system);
    EXPECT_LT(difference(solver, solver.solve(), deck), 1e-14) << deck;
  };
  system.apply(SetResistor{"R2", 7});
  expect_like(ladder(7));
  system.apply(ScaleResistor{"r2", 0.5});
  expect_like(ladder(3.5));
  system.apply(AddPad{"c", 0.9, 0.25});
  expect_like(ladder(3.5, 0.1, 0.2, "v9 extra 0 0.9\nr9 extra c 0.25\n"));
  system.apply(DropPad{"V1"});
  expect_like(
      "* t\nrv vdd a 0.5\nr1 a b 1\nr2 b c 3.5\nr3 a c 3\nib b 0 0.1\nic c 0 0.2\nv9 extra 0 0.9\nr9 extra c 0.25\n");
  EXPECT_EQ(solver.work().setups, 2) << "without its source, vdd is one unknown more";
  EXPECT_EQ(solver.work().updates, 3);
}

TEST(Session, CurrentsBalanceAfterEdits) {
  const auto design = design_of(ladder());
  System system(design);
  const std::vector<Edit> edits{AddPad{"c", 1.05, 0.25}, AddPad{"vdd", 1.0, 0.5}, ScaleResistor{"r1", 2}};
  system.apply(edits);
  Solver solver(system);
  const Loads loads(design);
  const IrReport report = summarise(system, solver.solve());
  EXPECT_NEAR(report.certificate.current_imbalance_a, 0, 1e-14);
  ASSERT_EQ(report.pads.size(), 3u);
  double sum = 0;
  for (const PadResult& pad : report.pads) sum += pad.current_a;
  EXPECT_NEAR(sum, 0.3, 1e-14);
}

TEST(Session, ARefusedEditChangesNothing) {
  const auto design = design_of(ladder(1, 0.1, 0.2, "rs a s 0\nrf a vdd 2\n"));
  System system(design);
  const std::shared_ptr<const Problem> before = system.problem();
  const auto refused = [&](const Edit& edit) {
    try {
      system.apply(edit);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refused(SetResistor{"r77", 1}), HasSubstr("r77"));
  EXPECT_THAT(refused(SetResistor{"r1", 0}), HasSubstr("above 0"));
  EXPECT_THAT(refused(SetResistor{"r1", -1}), HasSubstr("above 0"));
  EXPECT_THAT(refused(ScaleResistor{"r1", std::nan("")}), HasSubstr("finite"));
  EXPECT_THAT(refused(ScaleResistor{"r1", INFINITY}), HasSubstr("finite"));
  EXPECT_THAT(refused(SetResistor{"rs", 1}), HasSubstr("short"));
  EXPECT_THAT(refused(AddPad{"nowhere", 1, 1}), HasSubstr("nowhere"));
  EXPECT_THAT(refused(AddPad{"0", 1, 1}), HasSubstr("ground"));
  EXPECT_THAT(refused(AddPad{"a", 1, 0}), HasSubstr("above 0"));
  EXPECT_THAT(refused(DropPad{"v2"}), HasSubstr("v2"));
  EXPECT_THAT(refused(DropPad{"v1"}), HasSubstr("load"));  // nothing feeds the loads any more
  EXPECT_EQ(system.problem(), before);
  EXPECT_NEAR(volts(system, Solver(system).solve(), "a"), 1 - 0.3 * 0.4, 1e-14);
}

class EverySessionEngine : public testing::TestWithParam<const char*> {};
std::vector<const char*> session_engines() {
  std::vector<const char*> names{"cholmod", "superlu", "aggamg", "gpuhmd", "sgml", "psc"};
  if (!find_engine("hypre").declines(Problem())) names.push_back("hypre");  // some builds are without it
  return names;
}
INSTANTIATE_TEST_SUITE_P(Engines, EverySessionEngine, testing::ValuesIn(session_engines()));

TEST_P(EverySessionEngine, UpdateAnswersTheEditedSystem) {
  const auto design = design_of(generated_deck());
  SolverOptions options;
  options.engine = GetParam();
  options.tolerance_v = 1e-9;
  Solver solver(System(design), options, on_cpu());
  solver.solve();
  System system = solver.system();
  std::vector<Edit> edits;
  for (int64_t i = 0; i < design->circuit->resistors.size(); i += 17)
    if (design->circuit->resistors.value[i] > 0)
      edits.push_back(ScaleResistor{design->circuit->element_name(kResistor, i), i % 2 == 0 ? 0.3 : 3});
  system.apply(edits);
  solver.update(system);
  const Answer updated = solver.solve(), fresh = Solver(system, options, on_cpu()).solve();
  EXPECT_TRUE(updated.certificate.valid);
  EXPECT_LE(updated.certificate.max_error_v, 1e-9);
  const double apart = updated.certificate.max_error_v + fresh.certificate.max_error_v;
  for (size_t n = 0; n < fresh.voltage_v.size(); ++n)
    ASSERT_LE(std::abs(updated.voltage_v[n] - fresh.voltage_v[n]), apart);
}

TEST_P(EverySessionEngine, ManyVectorsAreWhatEachIsAlone) {
  const auto design = design_of(generated_deck());
  constexpr int64_t kVectors = 19;
  Loads loads(design, kVectors);
  for (int64_t v = 0; v < kVectors; ++v) {
    uint32_t h = 12345 + static_cast<uint32_t>(v);
    for (double& amperes : loads.vector(v)) amperes *= (h = h * 1664525 + 1013904223) / 4294967296.0;
    if (v == 7) std::fill(loads.vector(v).begin(), loads.vector(v).end(), 0.0);
  }
  SolverOptions options;
  options.engine = GetParam();
  options.tolerance_v = 1e-8;
  Solver together(System(design), options, on_cpu());
  const std::vector<Answer> answers = together.solve(loads);
  ASSERT_EQ(answers.size(), static_cast<size_t>(kVectors));
  Solver alone(System(design), options, on_cpu());
  for (int64_t v = 0; v < kVectors; ++v) {
    Loads only(design);
    std::copy(loads.vector(v).begin(), loads.vector(v).end(), only.vector(0).begin());
    const Answer one = std::move(alone.solve(only).front());
    ASSERT_TRUE(answers[v].certificate.valid);
    EXPECT_LE(answers[v].certificate.max_error_v, 1e-8);
    const double apart = answers[v].certificate.max_error_v + one.certificate.max_error_v;
    for (size_t n = 0; n < one.voltage_v.size(); ++n)
      ASSERT_LE(std::abs(answers[v].voltage_v[n] - one.voltage_v[n]), apart) << "vector " << v;
  }
}

TEST_P(EverySessionEngine, AStoppedSolveLeavesTheSolverUsable) {
  const auto design = design_of(generated_deck());
  SolverOptions options;
  options.engine = GetParam();
  Solver solver(System(design), options, on_cpu());
  std::stop_source stop;
  stop.request_stop();
  solver.set_stop(stop.get_token());
  EXPECT_THROW(solver.solve(), Stopped);
  solver.set_stop({});
  EXPECT_TRUE(solver.solve().certificate.valid);
  EXPECT_EQ(solver.work().setups, 1);
}

TEST_P(EverySessionEngine, TwoSolversWorkAtOnce) {
  const auto design = design_of(generated_deck());
  SolverOptions options;
  options.engine = GetParam();
  const System system(design);
  const Answer expected = Solver(system, options, on_cpu(2)).solve();
  std::atomic<int> equal = 0;
  const auto work = [&] {
    Solver solver(system, options, on_cpu(2));
    for (int round = 0; round < 3; ++round) equal += solver.solve().voltage_v == expected.voltage_v;
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  EXPECT_EQ(equal, 6);
}

TEST(Session, WorstCaseIsTheWorstOfEachVector) {
  const auto design = design_of(ladder(1, 0.1, 0.2, "iu_v b 0 0.05\niu_g 0 g 0.05\nrg g 0 1\n"));
  const System system(design);
  Loads loads(design, 3);
  loads.set("ib", 0.5, 1);
  loads.set("ic", 0.4, 2);
  loads.set_instance("iu", 0.08, 2);
  Solver solver(system);
  WorstCase worst(system);
  std::vector<IrReport> each;
  solver.solve(loads, [&](int64_t, const Answer& answer) {
    worst.add(answer);
    each.push_back(summarise(system, answer));
  });
  SummaryOptions options;
  options.limits.push_back(parse_limit("worst=1mV"));
  const IrReport all = std::move(worst).report(options);
  ASSERT_EQ(all.vectors.size(), 3u);
  EXPECT_TRUE(all.limit_exceeded());
  for (size_t n = 1; n < all.nodes.drop_v.size(); ++n) {
    double largest = 0;
    for (const IrReport& one : each) largest = std::max(largest, one.nodes.drop_v[n]);
    EXPECT_EQ(all.nodes.drop_v[n], largest);
    EXPECT_EQ(each[all.nodes.vector[n]].nodes.drop_v[n], largest);
  }
  for (size_t k = 0; k < all.nets.size(); ++k) {
    double largest = 0, average = 0;
    for (size_t v = 0; v < each.size(); ++v) {
      EXPECT_EQ(all.vectors[v].nets[k].worst_drop_v, each[v].nets[k].worst_drop_v);
      EXPECT_EQ(all.vectors[v].nets[k].average_drop_v, each[v].nets[k].average_drop_v);
      largest = std::max(largest, each[v].nets[k].worst_drop_v);
      average = std::max(average, each[v].nets[k].average_drop_v);
    }
    EXPECT_EQ(all.nets[k].worst_drop_v, largest);
    EXPECT_EQ(all.nets[k].average_drop_v, average);
  }
  ASSERT_EQ(all.instances.size(), 3u) << "a pair and two loads";
  double combined = 0;
  for (const IrReport& one : each) combined = std::max(combined, one.instances[0].combined_v);
  EXPECT_EQ(all.instances[0].combined_v, combined);
}

TEST(Session, SummariesArePure) {
  const auto design = design_of(ladder());
  const System system(design);
  const Answer answer = Solver(system).solve();
  const Loads loads(design);
  SummaryOptions only;
  only.net = "VDD";
  const IrReport first = summarise(system, answer), other = summarise(system, answer, only),
                 again = summarise(system, answer);
  EXPECT_EQ(first.nodes.drop_v, again.nodes.drop_v);
  EXPECT_EQ(first.nets.size(), again.nets.size());
  EXPECT_EQ(other.nets.size(), 1u);
}

TEST(Session, ADesignOutlivesWhoMadeIt) {
  IrReport report;
  {
    const auto design = design_of(ladder());
    const System system(design);
    report = summarise(system, Solver(system).solve());
  }
  EXPECT_EQ(report.circuit->node_name(report.nets[0].worst_node), "c");
  EXPECT_TRUE(std::isnan(report.nodes.x_um[1]));
}

TEST(Session, ARunShowsTheSystemThatItSolves) {
  std::vector<int64_t> rows;
  IrOptions options;
  options.reduce = false;
  options.show_system = [&](const System& system) { rows.push_back(system.problem()->matrix.rows); };
  const Circuit circuit = read_netlist_text(ladder());
  const IrReport report = analyse_ir_drop(circuit, options);
  EXPECT_THAT(rows, testing::ElementsAre(report.reduced.unknowns));
}

TEST(Session, ACircuitTakesThePlaceOfANetlist) {
  Session session;
  EXPECT_FALSE(session.has_design());
  const auto circuit = std::make_shared<const Circuit>(read_netlist_text(ladder()));
  session.read("made.def", circuit);
  const double worst = session.analyse({}).nets.at(0).worst_drop_v;
  IrOptions options;
  EXPECT_EQ(worst, analyse_ir_drop(*circuit, options).nets.at(0).worst_drop_v);
  EXPECT_EQ(session.report().netlist_name, netlist_name("made.def"));
  EXPECT_TRUE(session.is_as_read());
  session.set_load("ib", 0.3);
  EXPECT_FALSE(session.is_as_read());
  EXPECT_EQ(session.work().reads, 1);
  session.forget("it is gone; read it again");
  EXPECT_FALSE(session.has_design());
  EXPECT_EQ(test::error_of<InputError>([&] { session.report(); }), "it is gone; read it again");
  session.read("made.def", circuit);
  EXPECT_TRUE(session.is_as_read());
  EXPECT_EQ(session.analyse({}).nets.at(0).worst_drop_v, worst);
  EXPECT_EQ(session.work().setups, 2);
}

/// As a run of the deck has them, without a solver that stays.
TEST(Session, CircuitsWithoutACertificateAreEstimated) {
  const auto deck = [](const std::string& load) {
    return "* t\nv1 in 0 1\nr1 in a 1\ne1 m 0 a 0 0.5\nr2 m b 2\nr3 b 0 2\ni1 b 0 " + load +
           "\nr6 x y 1\ni2 x 0 0\n.end\n";
  };
  Session session;
  session.read("deck.sp", std::make_shared<const Circuit>(read_netlist_text(deck("10m"))));
  Session::Request request;
  request.limits = {parse_limit("90%")};
  const IrReport& report = session.analyse(request);
  EXPECT_STREQ(report.certificate.kind(), "estimated");
  EXPECT_EQ(report.netlist_name, "deck");
  EXPECT_TRUE(report.limits.at(0).undecided);
  const Circuit other = read_netlist_text(deck("20m"));
  const IrReport expected = analyse_ir_drop(other, {});
  session.set_load("i1", 20e-3);
  request.accept_estimate = request.allow_reuse = true;
  for (int again = 0; again < 2; ++again) {
    const IrReport& loaded = session.analyse(request);
    EXPECT_FALSE(loaded.limits.at(0).undecided);
    for (NodeId n = 1; n < other.node_count(); ++n)
      EXPECT_NEAR(loaded.nodes.voltage_v[n], expected.nodes.voltage_v[n], 1e-12) << n;
  }
  EXPECT_EQ(session.work().reused, 1);
  request.loads = LoadTable{{"i1"}, 2, {10e-3, 30e-3}, "", {}};
  EXPECT_EQ(session.analyse(request).vectors.size(), 2u);
  request.loads.reset();
  session.set_load("i2", 1e-3);
  EXPECT_NE(test::error_of<GridError>([&] { session.analyse(request); }), "") << "it floats";
  for (const auto& refused : std::vector<std::function<void()>>{[&] {
                                                                  session.apply(ScaleResistor{"r1", 2});
                                                                },
                                                                [&] {
                                                                  session.set_load("i2", 0);
                                                                  session.analyse(request);
                                                                  session.explain({"b"}, {});
                                                                }})
    EXPECT_THAT(test::error_of<GridError>(refused), HasSubstr("'e1' is a controlled source; only an analysis"));
}

TEST(Session, ProgressIsReported) {
  std::vector<std::string> stages;
  IrOptions options;
  options.context.progress = [&](std::string_view stage) { stages.emplace_back(stage); };
  const Circuit circuit = read_netlist_text(ladder());
  analyse_ir_drop(circuit, options);
  EXPECT_THAT(stages, testing::ElementsAre("check", "reduce", "set up", "certify", "solve", "certify", "recover"));
}

}  // namespace
}  // namespace gridiron
