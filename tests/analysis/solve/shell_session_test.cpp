// SPDX-License-Identifier: Apache-2.0
// What a shell or a script does with a design, one thing after the other: nothing is done twice, errors change nothing.
#include "analysis/run/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "tests/analysis/sessions.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

using test::error_of;
using testing::HasSubstr;

/// V1 1 V – rs 1 Ω – a – rt 2 Ω – b; loads 0.1 A at a, 0.05 A at b: a drops 0.15 V, b 0.25 V.
constexpr const char* kDeck = "* t\nv1 vdd 0 1\nrs vdd a 1\nrt a b 2\nia a 0 0.1\nib b 0 0.05\nrb b c 1\n.end\n";

class ShellSession : public testing::Test {
 protected:
  ShellSession() : path_(test::temporary("session.sp")) {
    std::ofstream(path_) << kDeck;
    session_.read(path_);
  }
  ~ShellSession() override { std::filesystem::remove(path_); }

  double worst(const Session::Request& request = {}) { return session_.analyse(request).nets.at(0).worst_drop_v; }

  std::string path_;
  Session session_;
};

TEST_F(ShellSession, AChangedLoadSkipsParseAndFactorization) {
  EXPECT_NEAR(worst(), 0.25, 1e-12);
  session_.set_load("ib", 0.1);
  EXPECT_EQ(session_.load("IB"), 0.1);
  EXPECT_NEAR(worst(), 0.4, 1e-12);
  const Session::Work work = session_.work();
  EXPECT_EQ(work.reads, 1);
  EXPECT_EQ(work.systems, 1);
  EXPECT_EQ(work.setups, 1);
  EXPECT_EQ(work.updates, 0);
  EXPECT_EQ(work.vectors, 2);
}

TEST_F(ShellSession, AChangedResistorIsAnUpdate) {
  worst();
  session_.apply(SetResistor{"rs", 0.5});
  session_.apply(ScaleResistor{"rs", 2});
  EXPECT_EQ(session_.resistance("RS"), 1.0);
  const auto& circuit = *session_.design().circuit;
  session_.apply(ScaleResistors{{session_.design().find_element(kResistor, "rs")}, 3});
  EXPECT_EQ(session_.resistance("RS"), 3.0);
  for (int64_t i = 0; i < circuit.resistors.size(); ++i)
    if (const std::string name(circuit.element_name(kResistor, i)); name != "rs") {
      EXPECT_EQ(session_.resistance(name), circuit.resistors.value[i]);
    }
  session_.apply(SetResistor{"rs", 0.5});
  EXPECT_NEAR(worst(), 0.175, 1e-12);
  EXPECT_EQ(session_.work().setups, 1);
  EXPECT_EQ(session_.work().updates, 1);
  EXPECT_EQ(session_.work().reads, 1);
}

TEST_F(ShellSession, EachEngineIsSetUpOnce) {
  Session::Request direct, multigrid;
  direct.engine = "cholmod";
  multigrid.engine = "aggamg";
  for (int turn = 0; turn < 2; ++turn)
    for (const Session::Request& request : {direct, multigrid}) EXPECT_NEAR(worst(request), 0.25, 1e-5);
  EXPECT_EQ(session_.work().setups, 2);
  EXPECT_EQ(session_.work().vectors, 4);
  session_.forget_solvers();
  EXPECT_EQ(session_.work().setups, 2) << "work is counted even of what is gone";
  worst(direct);
  EXPECT_EQ(session_.work().setups, 3);
}

TEST_F(ShellSession, ReuseAnswersTheSameQuestionOnly) {
  Session::Request again;
  again.allow_reuse = true;
  worst(again);
  worst(again);
  EXPECT_EQ(session_.work().vectors, 1);
  EXPECT_EQ(session_.work().reused, 1);
  again.limits.push_back(parse_limit("5%"));
  EXPECT_TRUE(session_.analyse(again).limit_exceeded());
  EXPECT_EQ(session_.work().vectors, 2);
  session_.set_load("ia", 0);
  worst(again);
  EXPECT_EQ(session_.work().vectors, 3);
}

TEST_F(ShellSession, ANominalVoltageKeepsEditsAndLoads) {
  session_.set_load("ib", 0.1);
  session_.apply(SetResistor{"rs", 0.5});
  session_.set_nominal("vdd", 1.1);
  const IrReport& report = session_.analyse({});
  EXPECT_EQ(report.nets[0].nominal_v, 1.1);
  EXPECT_NEAR(report.nets[0].worst_voltage_v, 1 - 0.1 - 0.2, 1e-12);
  EXPECT_EQ(session_.work().reads, 1);
  EXPECT_EQ(session_.work().designs, 2);
}

TEST_F(ShellSession, ErrorsChangeNothing) {
  worst();
  EXPECT_THAT(error_of<InputError>([&] { session_.read("missing.sp"); }), HasSubstr("missing.sp"));
  EXPECT_THAT(error_of<InputError>([&] { session_.set_load("nobody", 1); }), HasSubstr("nobody"));
  EXPECT_THAT(error_of<InputError>([&] { session_.apply(SetResistor{"rs", -1}); }), HasSubstr("above 0"));
  EXPECT_THAT(error_of<InputError>([&] { session_.set_nominal("vss", 1); }), HasSubstr("no such net"));
  EXPECT_THAT(error_of<InputError>([&] {
                Session::Request request;
                request.engine = "umfpack";
                session_.analyse(request);
              }),
              HasSubstr("no engine"));
  EXPECT_NEAR(session_.report().nets[0].worst_drop_v, 0.25, 1e-12) << "the report is still that of the grid";
  EXPECT_NEAR(worst(), 0.25, 1e-12);
  EXPECT_EQ(session_.work().setups, 1);
}

TEST_F(ShellSession, AReportIsOfTheGridAsItIs) {
  EXPECT_THAT(error_of<InputError>([&] { session_.report(); }), HasSubstr("analyse it first"));
  worst();
  session_.report();
  session_.set_load("ia", 0.2);
  EXPECT_THAT(error_of<InputError>([&] { session_.report(); }), HasSubstr("analyse it first"));
  EXPECT_THAT(error_of<InputError>([] { Session().report(); }), HasSubstr("no netlist has been read"));
}

TEST_F(ShellSession, AStopLeavesItUsable) {
  std::stop_source stop;
  stop.request_stop();
  Session::Request request;
  request.engine = "aggamg";
  request.context.stop = stop.get_token();
  EXPECT_THROW(session_.analyse(request), Stopped);
  request.context.stop = {};
  EXPECT_NEAR(worst(request), 0.25, 1e-5);
}

TEST_F(ShellSession, SameReportAsASingleRun) {
  Session::Request request;
  request.engine = "cholmod";
  const IrReport& ours = session_.analyse(request);
  IrOptions options;
  options.engine = "cholmod";
  const Circuit circuit = read_netlist(path_);
  const IrReport other = analyse_ir_drop(circuit, options);
  EXPECT_EQ(ours.nodes.voltage_v, other.nodes.voltage_v);
  EXPECT_EQ(ours.certificate.max_error_v, other.certificate.max_error_v);
  EXPECT_GT(other.timings_s.setup, 0);
}

}  // namespace
}  // namespace gridiron
