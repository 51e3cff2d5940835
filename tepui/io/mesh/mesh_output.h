#pragma once  // internal

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/io/file/file_target.h"
#include "tepui/mesh/source.h"

// What the writers of meshes share.

namespace tepui {

/// Throws unless the mesh has a surface to write.
void require_surface(const std::string& path, const MeshSource::Facts& facts);

/// Throws unless land on these samples makes a mesh: at least 2 x 2 and fewer than 2^32.
void check_land_mesh(const std::string& path, const Frame& frame);

/// Writes the bytes that make(begin, end, bytes) appends for each block of [0, count), in order. Blocks are made in
/// parallel, a few at a time; the bytes are the same for any number of threads.
void write_blocks(ByteSink& file, int64_t count, const Context& context,
                  const std::function<void(int64_t begin, int64_t end, std::string& bytes)>& make);

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// To the axes of glTF and OBJ: x east stays, z up becomes +Y, y north becomes -Z.
inline MeshPoint y_up(const MeshPoint& p) { return {p[0], p[2], 0.0f - p[1]}; }

/// The vertices [begin, end) of a source, all they have.
struct VertexBlock {
  std::vector<MeshPoint> positions, normals;
  std::vector<MeshCoordinate> coordinates;
  std::vector<MeshColour> colours;
  std::vector<std::vector<float>> attributes;
};
VertexBlock vertex_block(const MeshSource& source, int64_t begin, int64_t end);

}  // namespace tepui
