// SPDX-License-Identifier: Apache-2.0
#include "netlist/deck/foreign_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "netlist/reader.hpp"
#include "support/error.hpp"

namespace gridiron {
namespace {

using namespace std::string_literals;
using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(const std::string& text) {
  try {
    read_netlist_text(text, "x");
  } catch (const InputError& e) {
    return e.what();
  }
  return "read";
}

struct Foreign {
  std::string text, message;
};

TEST(ForeignText, IsNamedInOneLine) {
  for (const Foreign& f : {
           Foreign{"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1149506\n",
                   "x: this is a Git LFS pointer, not the file itself; fetch that with 'git lfs pull'"},
           Foreign{"deck.sp"s + std::string(250, '\0') + "ustar  \0"s + std::string(300, '\0'),
                   "x: this is a tar archive; unpack it with 'tar -xf'"},
           Foreign{"PK\x03\x04zzz", "x: this is a zip archive"},
           Foreign{"7z\xbc\xaf\x27\x1c\x00"s, "x: this is a 7z archive"},
           Foreign{"Rar!\x1a\x07\x01", "x: this is a rar archive"},
           Foreign{"\x1f\x9d\x90", "x: this is a file packed by compress"},
           Foreign{"%SEMI-OASIS\r\n\x01", "x: this is an OASIS layout"},
           Foreign{"\0\x06\0\x02\0\x07"s, "x: this is a GDSII layout"},
           Foreign{"%PDF-1.4\n", "x: this is a PDF document"},
           Foreign{"<!DOCTYPE html>\n<html>", "x: this is a page of HTML or XML; the download answered"},
           Foreign{"\n  <html><body>404", "x: this is a page of HTML or XML"},
           Foreign{"\xef\xbb\xbf<?xml version=\"1.0\"?><Error/>", "x: this is a page of HTML or XML"},
           Foreign{"\xff\xfer\0"s, "x: this is text in UTF-16"},
           Foreign{"*SPEF \"IEEE 1481-1998\"\n*DESIGN \"a\"\n*D_NET *1 1\n*CAP\n1 *2:1 0.1\n*END\n",
                   "x: this is a SPEF file"},
           Foreign{"VERSION 5.8 ;\nDIVIDERCHAR \"/\" ;\nDESIGN a ;\n", "x: this is a DEF file"},
           Foreign{"VERSION 5.8 ;\nUNITS\n  DATABASE MICRONS 2000 ;\nEND UNITS\n", "x: this is a LEF file"},
           Foreign{"// Generated\nmodule top (a, b);\nendmodule\n", "x: this is a Verilog netlist"},
           Foreign{"// Generated\nsimulator lang=spectre\nr1 (a b) resistor r=1\n", "x: this is a Spectre netlist"},
           Foreign{"{\"a\": 1}\n", "x: this is a JSON file"},
       })
    EXPECT_THAT(refusal_of(f.text), StartsWith(f.message)) << f.text.substr(0, 40);
}

TEST(ForeignText, DecksThatOnlyBeginLikeOthers) {
  for (const char* title : {"module test", "macro cell of a grid", "{title}", "<grid>", "version 3", "library (x)"})
    EXPECT_EQ(refusal_of(std::string(title) + "\nv1 a 0 1\nr1 a 0 1\n.end\n"), "read") << title;
  EXPECT_THAT(refusal_of("macro of a grid\nv1 a 0 1\nq1 a b c\n.end\n"), HasSubstr("x:3:1: unknown card 'q1'"));
  EXPECT_THAT(refusal_of("* t\nv1 a 0 1\nq1 a b c\n.end\n"), HasSubstr("x:3:1: unknown card 'q1'"));
}

}  // namespace
}  // namespace gridiron
