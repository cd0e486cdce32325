// SPDX-License-Identifier: Apache-2.0
// One owner of an output folder: what a run lists, removes, refuses and leaves.
#include "reports/folder/run_folder.hpp"

#include <gmock/gmock.h>

#include <set>

#include "reports/folder/report_names.hpp"
#include "reports/report.hpp"
#include "support/checksum.hpp"
#include "support/error.hpp"
#include "tests/reports/json/schema_validator.hpp"
#include "tests/reports/sample.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

class RunFolderTest : public testing::Test {
 protected:
  RunFolderTest() { fs::create_directories(out_); }

  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(out_)) names.insert(entry.path().filename().string());
    return names;
  }
  static RunReports text_and_json() { return {"ir", {"text", "json"}, "deck"}; }
  /// A run that writes one file.
  void run(const std::string& name, const std::string& content) const {
    RunFolder folder(out_, text_and_json());
    write_file(folder.path() / name, content);
    folder.finish();
  }
  std::string refusal(const RunReports& reports, const std::vector<std::string>& inputs = {}) const {
    try {
      RunFolder folder(out_, reports, inputs);
      folder.finish();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  }
  std::string read(const std::string& name) const { return folder_.read("out/" + name); }
  void write(const std::string& name, const std::string& text) const { write_file(out_ / name, text); }

  test::TemporaryDirectory folder_;
  fs::path out_ = folder_.path() / "out";
};

TEST_F(RunFolderTest, TheManifestListsWhatWasWritten) {
  run("summary.txt", "Gridiron");
  const std::string text = read("manifest.json");
  EXPECT_EQ(test::violations("gridiron.manifest-1", text), "");
  const Manifest manifest = read_manifest(out_).value();
  EXPECT_TRUE(manifest.is_complete);
  EXPECT_EQ(manifest.command, "ir");
  ASSERT_EQ(manifest.files.size(), 1u);
  EXPECT_EQ(manifest.files.at("summary.txt").bytes, 8);
  EXPECT_EQ(manifest.files.at("summary.txt").sha256, sha256_of("Gridiron"));
  run("summary.txt", "Gridiron");
  EXPECT_EQ(read("manifest.json"), text) << "no time is in it";
}

TEST_F(RunFolderTest, EveryFileOfReportsIsListedAndHasAKnownName) {
  const auto sample = test::small_sample();
  for (const bool compress : {false, true}) {
    const std::set<std::string, std::less<>> formats(std::begin(kReportFormats), std::end(kReportFormats));
    RunFolder folder(out_, {"ir", formats, "sample"});
    std::set<std::string> written = {"manifest.json"};
    for (const fs::path& path : write_reports(sample->result, folder.path(), formats, compress))
      written.insert(path.filename().string());
    folder.finish();
    EXPECT_EQ(names(), written);
    const Manifest manifest = read_manifest(out_).value();
    EXPECT_EQ(manifest.files.size() + 1, written.size());
    for (const auto& [name, file] : manifest.files) {
      const FileSum sum = block_sum_of_file(out_ / name);
      EXPECT_EQ(sum.sha256, file.sha256) << name;
      EXPECT_EQ(sum.bytes, file.bytes) << name;
      EXPECT_TRUE(is_own_report(out_ / name)) << name << ": add it to report_names.cpp";
    }
  }
}

TEST_F(RunFolderTest, WhatTheOldManifestListsGoesAndNothingElse) {
  run("old.solution", "0 0\n");
  write("map_mine.png", "mine");
  {
    RunFolder folder(out_, {"ir", {"json"}, "deck"});
    EXPECT_THAT(names(), UnorderedElementsAre("manifest.json", "map_mine.png", "old.solution")) << "not before clear()";
    folder.clear();
    EXPECT_THAT(names(), UnorderedElementsAre("map_mine.png"));
    write_file(folder.path() / "report.json", "{}");
    folder.finish();
  }
  EXPECT_THAT(names(), UnorderedElementsAre("manifest.json", "map_mine.png", "report.json"));
}

TEST_F(RunFolderTest, ARunThatFailsLeavesNothing) {
  run("summary.txt", "of yesterday");
  write("mine.txt", "mine");
  { RunFolder folder(out_, text_and_json()); }
  EXPECT_THAT(names(), ElementsAre("mine.txt")) << "before it wrote anything";
  {
    RunFolder folder(out_, text_and_json());
    write_file(folder.path() / "summary.txt", "half");
  }
  EXPECT_THAT(names(), ElementsAre("mine.txt"));
}

TEST_F(RunFolderTest, InputsAreNeverTouched) {
  run("budget_loads.csv", "source,vdd\n");
  const auto before = names();
  EXPECT_THAT(refusal(text_and_json(), {(out_ / "budget_loads.csv").string()}),
              HasSubstr("out/budget_loads.csv: is read by this run, which would remove it"));
  fs::create_symlink(out_ / "budget_loads.csv", folder_.path() / "link.csv");
  fs::create_hard_link(out_ / "budget_loads.csv", folder_.path() / "hard.csv");
  for (const char* other : {"link.csv", "hard.csv"})
    EXPECT_THAT(refusal(text_and_json(), {(folder_.path() / other).string()}), HasSubstr("budget_loads.csv")) << other;
  EXPECT_EQ(names(), before);
  write("summary.txt", "a deck");
  EXPECT_THAT(refusal(text_and_json(), {(out_ / "summary.txt").string()}), HasSubstr("would replace it"));
  {
    RunFolder folder(out_, {"ir", {"json"}, "deck"});
    EXPECT_THROW(folder.protect((out_ / "budget_loads.csv").string()), InputError) << "found while the deck is read";
  }
  EXPECT_TRUE(fs::exists(out_ / "budget_loads.csv")) << "nor by the run that is refused";
}

TEST_F(RunFolderTest, WhatIsNotOfARunIsNeverReplaced) {
  run("summary.txt", "Gridiron");
  write("report.json", "{\"schema\": \"mine\"}");
  EXPECT_THAT(refusal(text_and_json()), HasSubstr("report.json: is in the way"));
  {
    RunFolder folder(out_, {"ir", {"text", "png"}, "deck"});
    write("map_vdd_m1.png", "mine");
    EXPECT_THROW(write_file(folder.path() / "map_vdd_m1.png", "ours"), InputError);
  }
  EXPECT_EQ(read("map_vdd_m1.png"), "mine");
  EXPECT_EQ(read("report.json"), "{\"schema\": \"mine\"}");
}

TEST_F(RunFolderTest, AChangedReportIsARefusal) {
  run("report.html", "page");
  write("report.html", "note");
  EXPECT_THAT(refusal(text_and_json()), HasSubstr("report.html: was changed since the run that wrote it"));
  EXPECT_EQ(read("report.html"), "note");
  fs::remove(out_ / "report.html");
  fs::create_symlink(folder_.path() / "elsewhere", out_ / "report.html");
  EXPECT_THAT(refusal(text_and_json()), HasSubstr("report.html: is no regular file"));
  fs::remove(out_ / "report.html");
  EXPECT_EQ(refusal(text_and_json()), "") << "one that is gone is none";
}

TEST_F(RunFolderTest, ManifestsAreNotTrusted) {
  write_file(folder_.path() / "victim", "v");
  for (const char* name : {"../victim", "/etc/hostname", "..", ".", "", "a/b", "manifest.json"}) {
    Manifest manifest{"ir", true};
    manifest.files[name] = {1, sha256_of("v")};
    write_file(out_ / "manifest.json", manifest.text());
    EXPECT_THAT(refusal(text_and_json()), HasSubstr("no file of this folder")) << name;
  }
  for (const char* text :
       {"", "[]", "{}", "{\"schema\": \"gridiron.manifest/1\"}", "* a deck\n", "{\"name\": \"app\"}"}) {
    write_file(out_ / "manifest.json", text);
    EXPECT_THAT(refusal(text_and_json()), HasSubstr("manifest.json: is no manifest of Gridiron")) << text;
    EXPECT_EQ(read("manifest.json"), text);
  }
  EXPECT_EQ(folder_.read("victim"), "v");
}

TEST_F(RunFolderTest, FoldersOfVersionsWithoutManifest) {
  write("report.json", "{\n  \"schema\": \"gridiron.ir/1\",\n  \"input\": {\"path\": \"x/chip.sp.gz\"}\n}\n");
  write("nodes.csv", "node,net,layer,x_um,y_um,voltage_v,drop_v\n");
  write("waveforms.csv", "time_s,worst drop of vdd\n");
  write("chip.solution", "0 0\nvdd 1\n");
  write("kept.solution", "0 0\nvdd 1\n");
  write("map_mine.png", "mine");
  EXPECT_EQ(refusal(text_and_json()), "");
  EXPECT_THAT(names(), UnorderedElementsAre("manifest.json", "kept.solution", "map_mine.png"));
  fs::remove(out_ / "manifest.json");
  write("layers.csv", "mine");
  EXPECT_THAT(refusal(text_and_json()), HasSubstr("layers.csv: has the name of a report"));
  EXPECT_EQ(read("layers.csv"), "mine");
}

TEST_F(RunFolderTest, AnInterruptedRunIsCleanedUp) {
  {
    RunFolder folder(out_, text_and_json());
    write_file(folder.path() / "summary.txt", "whole");
    fs::copy(out_, folder_.path() / "killed");
  }
  const fs::path killed = folder_.path() / "killed";
  EXPECT_FALSE(read_manifest(killed)->is_complete);
  EXPECT_TRUE(fs::exists(killed / "summary.txt"));
  write_file(killed / "report.json.part-123-0", "half");
  write_file(killed / "mine.part-1-1", "mine");
  {
    RunFolder folder(killed, text_and_json());
    folder.finish();
  }
  out_ = killed;
  EXPECT_THAT(names(), UnorderedElementsAre("manifest.json", "mine.part-1-1"));
}

TEST_F(RunFolderTest, OneRunAtATime) {
  RunFolder first(out_, text_and_json());
  EXPECT_THAT(refusal({"pde", {}}), HasSubstr("another run is writing into this folder"));
  write_file(first.path() / "summary.txt", "ours");
  first.finish();
  EXPECT_TRUE(fs::exists(out_ / "summary.txt"));
}

TEST(RunFolderWithoutPath, DoesNothing) {
  RunFolder folder("", {"ir", {}}, {"deck.sp"});
  folder.protect("deck.sp");
  folder.clear();
  folder.finish();
}

}  // namespace
}  // namespace gridiron
