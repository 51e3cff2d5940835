#include "tepui/io/mesh/ply.h"

#include <algorithm>
#include <cstring>

#include "tepui/core/error.h"
#include "tests/io/files.h"
#include "tests/mesh/shapes.h"
#include "tests/support/support.h"

namespace tepui::ply_test {
namespace {

using test::error_of;

Mesh parse(const std::string& bytes) { return parse_ply(bytes, "a.ply", Context()); }

/// A number of a file in one of the three encodings.
class Encoder {
 public:
  explicit Encoder(int encoding) : encoding_(encoding) {}

  template <class T>
  Encoder& put(T value) {
    if (encoding_ == 0) {
      bytes += std::to_string(value) + (++words_ % 3 == 0 ? "\r\n" : " ");
      return *this;
    }
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    if (encoding_ == 2) std::reverse(raw, raw + sizeof(T));
    bytes.append(raw, sizeof(T));
    return *this;
  }

  std::string header(const std::string& rest) const {
    const char* names[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    return std::string("ply\nformat ") + names[encoding_] + " 1.0\ncomment by hand\n" + rest + "end_header\n";
  }

  std::string bytes;

 private:
  int encoding_, words_ = 0;
};

TEST(Ply, EveryEncodingAndTypeIsUnderstoodAndTheRestSkipped) {
  for (const int encoding : {0, 1, 2}) {
    Encoder file(encoding);
    const std::string header = file.header(
        "element camera 2\nproperty float32 focus\nproperty list ushort short marks\n"
        "element vertex 4\nproperty double y\nproperty float x\nproperty list uchar int parents\nproperty int16 z\n"
        "property float confidence\nproperty uchar red\nproperty ushort green\nproperty float blue\n"
        "obj_info between\nelement face 2\nproperty uchar flags\nproperty list uint8 uint32 vertex_index\n"
        "property list int char rest\nelement nothing 1000000000000000000\n");
    for (int i = 0; i < 2; ++i) file.put(1.5f).put(uint16_t{2}).put(int16_t{-1}).put(int16_t{7});
    // An odd vertex has one parent.
    for (int i = 0; i < 4; ++i) {
      file.put(-0.5 * i).put(static_cast<float>(i)).put(static_cast<uint8_t>(i % 2));
      if (i % 2 == 1) file.put(int32_t{77});
      file.put(static_cast<int16_t>(0 - 3 * i)).put(9.0f).put(uint8_t{255}).put(uint16_t{65535}).put(0.5f);
    }
    file.put(uint8_t{1}).put(uint8_t{4});
    for (uint32_t k = 0; k < 4; ++k) file.put(k);
    file.put(int32_t{0});
    file.put(uint8_t{1}).put(uint8_t{3});
    for (uint32_t k = 0; k < 3; ++k) file.put(3 - k);
    file.put(int32_t{2}).put(int8_t{1}).put(int8_t{2});
    const Mesh mesh = parse(header + file.bytes);
    ASSERT_EQ(mesh.positions().size(), 4u) << encoding;
    EXPECT_EQ(mesh.positions()[3], (MeshPoint{3, -1.5f, -9}));
    ASSERT_EQ(mesh.triangles().size(), 3u);
    EXPECT_EQ(mesh.triangles()[1], (MeshTriangle{0, 2, 3}));
    EXPECT_EQ(mesh.triangles()[2], (MeshTriangle{3, 2, 1}));
    ASSERT_EQ(mesh.colours().size(), 4u);
    EXPECT_EQ(mesh.colours()[2], (MeshColour{255, 255, 128, 255}));
    EXPECT_TRUE(mesh.normals().empty());
  }
}

const std::string points =
    "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    "element face 1\nproperty list uchar int vertex_indices\n";

TEST(Ply, HeaderWithWindowsLinesIsRead) {
  const std::string text =
      "ply\r\nformat ascii 1.0\r\nelement vertex 3\r\nproperty float x\r\nproperty float y\r\n"
      "property float z\r\nend_header\r\n0 0 0\r\n1 0 0\r\n0 1 0\r\n";
  EXPECT_EQ(parse(text).positions().size(), 3u);
}

TEST(Ply, WhatIsWrongIsRefused) {
  const std::string ascii = "ply\nformat ascii 1.0\n", values = "0 0 0\n1 0 0\n0 1 0\n";
  const std::pair<std::string, std::string> cases[] = {
      {"plx\n", "'ply'"},
      {"ply\nformat ascii 1.0\n" + points, "header does not end"},
      {"ply\n" + points + "end_header\n" + values + "3 0 1 2\n", "format"},
      {"ply\nformat ebcdic 1.0\n" + points + "end_header\n", "format"},
      {ascii + "end_header\n", "no vertices"},
      {ascii + "property float x\nend_header\n", "before the first element"},
      {ascii + "element vertex 3\nproperty float x\nend_header\n0 0 0\n", "no x, y and z"},
      {ascii + "element vertex -3\nend_header\n", "count"},
      {ascii + "element vertex 3\nproperty quad x\nend_header\n", "type"},
      {ascii + "element vertex 3\nproperty list float int x\nend_header\n", "length of a list"},
      {ascii + points + "end_header\n" + values + "3 0 1 3\n", "vertex 3 of 3"},
      {ascii + points + "end_header\n" + values + "3 0 1 -1\n", "names vertex"},
      {ascii + points + "end_header\n" + values + "3 0 1 1.5\n", "names vertex"},
      {ascii + points + "end_header\n" + values + "-3 0 1 1\n", "length of a list"},
      {ascii + points + "end_header\n0 0 nan\n1 0 0\n0 1 0\n3 0 1 2\n", "finite"},
      {ascii + points + "end_header\n0 0 x\n1 0 0\n0 1 0\n3 0 1 2\n", "number"},
      {ascii + points + "end_header\n" + values + "4000000000 0 1 2\n", "ends too early"},
      {ascii + points + "element tristrips 1\nproperty list int int vertex_indices\nend_header\n" + values +
           "3 0 1 2\n3 0 1 2\n",
       "strips"},
      {ascii + points + "wrong line\nend_header\n" + values + "3 0 1 2\n", "unknown line"}};
  for (const auto& [text, wanted] : cases) {
    const std::string message = error_of([&, t = text] { parse(t); });
    EXPECT_NE(message.find(wanted), std::string::npos) << text << message;
    EXPECT_NE(message.find("a.ply"), std::string::npos);
  }
}

TEST(Ply, ClaimsTakeNoMemory) {
  for (const char* format : {"ascii", "binary_little_endian", "binary_big_endian"})
    for (const char* count : {"4000000000", "18446744073709551615"}) {
      const std::string head = std::string("ply\nformat ") + format + " 1.0\nelement vertex ";
      const std::string rest =
          "\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0 0 0 0 0 0 0 0\n";
      EXPECT_NE(error_of([&] { parse(head + count + rest); }).find("ends before them"), std::string::npos);
    }
  // A list that claims to go on for ever.
  std::string file =
      "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
      "property float z\nelement face 1\nproperty list uint uint vertex_indices\nend_header\n";
  file.append(12, '\0').append(4, '\xff').append("abcd");
  EXPECT_NE(error_of([&] { parse(file); }).find("ends too early"), std::string::npos);
}

}  // namespace
}  // namespace tepui::ply_test
