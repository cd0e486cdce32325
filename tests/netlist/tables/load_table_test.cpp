// SPDX-License-Identifier: Apache-2.0
// Load vectors from .npz and .csv: files written by NumPy itself (loads/make.py), and malicious ones.
#include "netlist/tables/load_table.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "support/error.hpp"
#include "tests/npz.hpp"
#include "tests/paths.hpp"

namespace gridiron {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

class Loads : public testing::Test {
 protected:
  Loads() : folder_(test::temporary("loads")) { fs::create_directories(folder_); }
  ~Loads() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, std::string_view bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return (folder_ / name).string();
  }
  static std::string from_numpy(const std::string& name) {
    return (test::tests_dir() / "netlist" / "loads" / name).string();
  }
  static std::string bytes_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static std::string error_of(const std::string& path) {
    try {
      read_loads(path);
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }
  LoadTable csv(std::string_view text) const { return read_loads(file("loads.csv", text)); }
  std::string csv_error(std::string_view text) const {
    const std::string message = error_of(file("loads.csv", text));
    const size_t name = message.find("loads.csv");
    return name == std::string::npos ? message : message.substr(name);
  }

  fs::path folder_;
};

// ---- .npz ----

using test::npy;
using test::raw;

class NpzLoads : public Loads {
 protected:
  std::string archive(const std::map<std::string, std::string>& members, int method = ZIP_CM_STORE) const {
    return test::write_npz(folder_ / "made.npz", members, method);
  }
  std::string refused(const std::string& loads, const std::string& names) const {
    return error_of(archive({{"loads.npy", loads}, {"names.npy", names}}));
  }

  const std::string two_names_ = npy("|S2", "(2,)", "i1i2");
  const std::string two_loads_ = npy("<f8", "(2, 1)", raw<double>({1, 2}));
};

TEST_F(NpzLoads, ReadsWhatNumPyWrites) {
  for (const char* name : {"c_order.npz", "fortran_deflated.npz"}) {
    const LoadTable table = read_loads(from_numpy(name));
    EXPECT_THAT(table.names, ElementsAre("i1", "I2", "x1.i\xc2\xb5")) << name;
    EXPECT_EQ(table.vectors, 4) << name;
    EXPECT_THAT(table.amperes, ElementsAre(1e-3, 0.5, 0, 2e-3, -0.25, 1, 3e-3, 0.125, 2, 4e-3, 1e-12, 3)) << name;
  }
  EXPECT_THAT(read_loads(from_numpy("c_order.npz")).place(2),
              testing::EndsWith("c_order.npz: array \"names\", item 2"));
  const LoadTable one = read_loads(from_numpy("one_vector_float32.npz"));
  EXPECT_EQ(one.vectors, 1);
  EXPECT_THAT(one.amperes, ElementsAre(2e-3F, -0.25, 1));
  EXPECT_THAT(read_loads(from_numpy("bytes.npz")).names, ElementsAre("i1", "I2"));
}

TEST_F(NpzLoads, OtherTypesOfNumPyAreRefusedByName) {
  EXPECT_THAT(error_of(from_numpy("objects.npz")), AllOf(HasSubstr("objects.npz: array \"names\""), HasSubstr("|O")));
  EXPECT_THAT(error_of(from_numpy("integers.npz")),
              AllOf(HasSubstr("array \"loads\""), HasSubstr("<i8"), HasSubstr("float64 or float32")));
  EXPECT_THAT(error_of(from_numpy("big_endian.npz")), AllOf(HasSubstr("array \"loads\""), HasSubstr(">f8")));
}

TEST_F(NpzLoads, FitsOrIsRefused) {
  EXPECT_EQ(read_loads(archive({{"loads.npy", two_loads_}, {"names.npy", two_names_}}, ZIP_CM_DEFLATE)).vectors, 1);
  EXPECT_THAT(error_of(archive({{"loads.npy", two_loads_}})),
              AllOf(HasSubstr("array \"names\" is missing"), HasSubstr("\"loads.npy\""), HasSubstr("numpy.savez")));
  EXPECT_THAT(error_of(archive({{"names.npy", two_names_}})), HasSubstr("array \"loads\" is missing"));
  EXPECT_THAT(refused(npy("<f8", "(3, 1)", raw<double>({1, 2, 3})), two_names_), HasSubstr("for 2 names"));
  EXPECT_THAT(refused(npy("<f8", "(2, 1, 1)", raw<double>({1, 2})), two_names_), HasSubstr("shape (2, 1, 1)"));
  EXPECT_THAT(refused(npy("<f8", "()", raw<double>({1})), two_names_), HasSubstr("for 2 names"));
  EXPECT_THAT(refused(npy("<f8", "(2, 0)", ""), two_names_), HasSubstr("no load vector"));
  EXPECT_THAT(refused(two_loads_, npy("|S2", "(0,)", "")), HasSubstr("is empty"));
  EXPECT_THAT(refused(two_loads_, npy("|S2", "(2, 1)", "i1i2")), HasSubstr("one axis"));
  EXPECT_THAT(refused(two_loads_, npy("|S2", "(2,)", "i1I1")), AllOf(HasSubstr("twice"), HasSubstr("items 0 and 1")));
  EXPECT_THAT(refused(two_loads_, npy("|S2", "(2,)", std::string("i1\0\0", 4))), HasSubstr("empty name at item 1"));
  EXPECT_THAT(refused(two_loads_, npy("<U0", "(2,)", "")), HasSubstr("empty strings only"));
  EXPECT_THAT(refused(two_loads_, npy("<U1", "(2,)", raw<uint32_t>({'i', 0xD800}))), HasSubstr("55296 at item 1"));
  EXPECT_THAT(refused(two_loads_, npy("<Ux", "(2,)", "")), HasSubstr("expected strings"));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(refused(npy("<f8", "(2, 2)", raw<double>({1, 2, 3, nan})), two_names_),
              AllOf(HasSubstr("nan at (1, 1)"), HasSubstr("\"i2\"")));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(refused(npy("<f4", "(2,)", raw<float>({infinity, 1})), two_names_), HasSubstr("inf at (0, 0)"));
}

TEST_F(NpzLoads, SizesThatLieAreFoundBeforeMemoryIsTaken) {
  EXPECT_THAT(refused(npy("<f8", "(2, 1000000000000)", raw<double>({1, 2})), two_names_), HasSubstr("ends before"));
  EXPECT_THAT(refused(npy("<f8", "(2, 9223372036854775807)", ""), two_names_), HasSubstr("ends before"));
  EXPECT_THAT(refused(npy("<f8", "(2, 2305843009213693952)", ""), two_names_), HasSubstr("ends before"));
  EXPECT_THAT(refused(npy("<f8", "(2, 1)", raw<double>({1, 2, 3})), two_names_), HasSubstr("continues after its 2"));
  EXPECT_THAT(refused(two_loads_, npy("<U99999999", "(2,)", "")), HasSubstr("no name is that long"));
  EXPECT_THAT(refused(two_loads_, npy("<U9", "(100000000000,)", "")), HasSubstr("ends before"));
  EXPECT_THAT(refused(two_loads_, std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12)),
              HasSubstr("within its header"));
}

TEST_F(NpzLoads, DamagedArchivesAreRefused) {
  const std::string whole = bytes_of(from_numpy("fortran_deflated.npz"));
  for (size_t size = 0; size < whole.size(); size += 7)
    EXPECT_THAT(error_of(file("cut.npz", whole.substr(0, size))), HasSubstr("cannot read this .npz file")) << size;
  EXPECT_THAT(error_of(file("text.npz", "i1,1m\n")), HasSubstr("cannot read this .npz file"));
  EXPECT_THAT(error_of((folder_ / "missing.npz").string()), HasSubstr("missing.npz"));
  EXPECT_THAT(error_of(file("none.npz", std::string("PK\x05\x06", 4) + std::string(18, '\0'))),
              HasSubstr("holds nothing"));

  std::string wrong = bytes_of(from_numpy("c_order.npz"));
  const size_t value = wrong.find(raw<double>({0.5}));
  ASSERT_NE(value, std::string::npos);
  wrong[value] = 1;
  EXPECT_THAT(error_of(file("wrong.npz", wrong)), AllOf(HasSubstr("array \"loads\""), HasSubstr("damaged")));
}

TEST_F(NpzLoads, EveryByteMayBeWrongAndNothingBreaks) {
  const std::string whole = bytes_of(from_numpy("fortran_deflated.npz"));
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string bytes = whole;
    bytes[at] = static_cast<char>(~bytes[at]);
    const std::string path = file("flipped.npz", bytes);
    try {
      EXPECT_THAT(read_loads(path).names, SizeIs(3)) << at;  // a date, a flag: bytes that carry no data
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("flipped.npz")) << at;
    }
  }
}

TEST_F(NpzLoads, BombsAreRefused) {
  // The directory claims 3 GiB; nothing has been decompressed when it is read.
  std::string bytes = bytes_of(archive({{"loads.npy", two_loads_}, {"names.npy", two_names_}}));
  for (size_t at = bytes.find("PK\x01\x02"); at != std::string::npos; at = bytes.find("PK\x01\x02", at + 1))
    bytes.replace(at + 24, 4, raw<uint32_t>({0xC0000000U}));
  EXPECT_THAT(error_of(file("bomb.npz", bytes)), HasSubstr("200 times the size of the file"));
}

// ---- .csv ----

TEST_F(Loads, CsvAsPeopleWriteIt) {
  const LoadTable table =
      csv("\xef\xbb\xbf# made by a script\r\n\r\nname, idle,\t\"peak, all\"\r\n i1 , 1m,2e-3 \r\n# between\r\n"
          "\"x1.i\"\"2\"\"\",-3uA,+4\r\n \t\r\n\"i,3\",0,.5k");
  EXPECT_THAT(table.names, ElementsAre("i1", "x1.i\"2\"", "i,3"));
  EXPECT_EQ(table.vectors, 2);
  EXPECT_THAT(table.amperes, ElementsAre(1e-3, -3e-6, 0, 2e-3, 4, 500));
}

TEST_F(Loads, CsvRowsKnowTheirPlaces) {
  const LoadTable table = csv("\xef\xbb\xbf# made by a script\nname,v0\n\n  i1,1\n\"i2\",2\n# end\ni3,3");
  EXPECT_THAT(table.place(0), testing::EndsWith("loads.csv:4:3"));
  EXPECT_THAT(table.place(1), testing::EndsWith("loads.csv:5:1"));
  EXPECT_THAT(table.place(2), testing::EndsWith("loads.csv:7:1"));
  EXPECT_THAT(csv("\xef\xbb\xbfi1,1").place(0), testing::EndsWith("loads.csv:1:4"));
}

TEST_F(Loads, CsvHeaders) {
  EXPECT_THAT(csv("i1,1\ni2,2").names, ElementsAre("i1", "i2"));
  EXPECT_THAT(csv(",0,1\ni1,1,2").names, ElementsAre("i1"));
  EXPECT_THAT(csv("Instance,0,1\ni1,1,2").names, ElementsAre("i1"));
  EXPECT_THAT(csv("element,first,second\ni1,1,2").names, ElementsAre("i1"));
  EXPECT_THAT(csv("v9,1\ni1,1").names, ElementsAre("v9", "i1")) << "to be refused by name, not dropped as a header";
  EXPECT_EQ(csv_error("i1,abc\ni2,2"), "loads.csv:1:4: expected a finite number of amperes, like 1.5m, not \"abc\"");
  EXPECT_THAT(csv_error("i1,1\nname,2\nname,3"), HasSubstr("loads.csv:3:1")) << "a header stands only at the top";
}

TEST_F(Loads, CsvMistakesAreShown) {
  EXPECT_THAT(csv_error(""), HasSubstr("no load in this file"));
  EXPECT_THAT(csv_error("name,0\n# nothing\n"), HasSubstr("no load in this file"));
  EXPECT_THAT(csv_error("i1,1,2\n\ni2,1\n"), HasSubstr("loads.csv:3:1: 1 values for \"i2\", but 2 in the first row"));
  EXPECT_THAT(csv_error("i1\n"), HasSubstr("loads.csv:1:1: no value after \"i1\""));
  EXPECT_THAT(csv_error("i1,1\n,2\n"), HasSubstr("loads.csv:2:1: a row without a name"));
  EXPECT_THAT(csv_error("i1,1\n I1,2\n"), HasSubstr("loads.csv:2:2: \"I1\" is named twice"));
  EXPECT_THAT(csv_error("i1,1,\n"), HasSubstr("loads.csv:1:6: expected a finite number"));
  EXPECT_THAT(csv_error("i1,1\ni2, nan"), HasSubstr("loads.csv:2:5"));
  EXPECT_THAT(csv_error("i1,1\ni2,inf"), HasSubstr("expected a finite number"));
  EXPECT_THAT(csv_error("i1,1\ni2,1e999"), HasSubstr("expected a finite number"));
  EXPECT_THAT(csv_error("i1,1\ni2,1 2"), HasSubstr("not \"1 2\""));
  EXPECT_THAT(csv_error("i1;1\ni2;2"), HasSubstr("no value after \"i1;1\""));
  EXPECT_THAT(csv_error("\"i1,1\n"), HasSubstr("loads.csv:1:1: a quoted field without its closing quote"));
  EXPECT_THAT(csv_error("\"i1\"x,1\n"), HasSubstr("loads.csv:1:5: expected a comma"));
  EXPECT_THAT(csv_error("i\"1\",1\n"), HasSubstr("loads.csv:1:2: a quote within a field"));
  EXPECT_THAT(csv_error(std::string("i1,\0\n", 5)), HasSubstr("loads.csv:1:4"));
}

TEST_F(Loads, CsvMayBeLong) {
  std::string text;
  constexpr int kRows = 100'000;
  for (int i = 0; i < kRows; ++i) text += fmt::format("i{},{}n\n", i, i);
  const LoadTable table = csv(text);
  EXPECT_THAT(table.names, SizeIs(kRows));
  EXPECT_EQ(table.amperes.back(), (kRows - 1) / 1e9);
}

TEST_F(Loads, OtherFilesAreRefused) {
  EXPECT_THAT(error_of(file("loads.txt", "i1,1\n")), AllOf(HasSubstr("loads.txt"), HasSubstr(".npz and .csv")));
  EXPECT_THAT(error_of(file("loads", "i1,1\n")), HasSubstr(".npz and .csv"));
  EXPECT_THAT(error_of(file("loads.npz.gz", "i1,1\n")), HasSubstr("loads.npz.gz"));
  EXPECT_THAT(error_of((folder_ / "none.csv").string()), HasSubstr("cannot open"));
  EXPECT_EQ(read_loads(file("LOADS.CSV", "i1,1\n")).vectors, 1);
}

}  // namespace
}  // namespace gridiron
