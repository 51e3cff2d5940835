#pragma once

#include <span>
#include <string>
#include <vector>

#include "tepui/mesh/mesh.h"
#include "tepui/terrain/terrain.h"

namespace tepui {

/// A mesh to be written, piece by piece, from any thread: the writers never hold all of it. Metres, z up, around a
/// centre, as in Mesh.
class MeshSource {
 public:
  virtual ~MeshSource() = default;

  struct AttributeFacts {
    std::string name, unit;
  };
  struct Facts {
    Vec3 centre;
    int64_t vertices = 0, triangles = 0;
    MeshBox bounds;
    bool normals = false, coordinates = false, colours = false;
    std::vector<AttributeFacts> attributes{};
  };
  const Facts& facts() const { return facts_; }

  /// The entries from `first` on, as many as `out` has room for; the optional ones only where facts() promises them.
  virtual void positions(int64_t first, std::span<MeshPoint> out) const = 0;
  virtual void normals(int64_t first, std::span<MeshPoint> out) const = 0;
  virtual void coordinates(int64_t first, std::span<MeshCoordinate> out) const = 0;
  virtual void colours(int64_t first, std::span<MeshColour> out) const = 0;
  virtual void triangles(int64_t first, std::span<MeshTriangle> out) const = 0;
  /// Of facts().attributes[which].
  virtual void attribute(size_t which, int64_t first, std::span<float> out) const;

 protected:
  Facts facts_;
};

/// The lists of a mesh.
class StoredMesh : public MeshSource {
 public:
  explicit StoredMesh(Mesh mesh);
  void positions(int64_t first, std::span<MeshPoint> out) const override;
  void normals(int64_t first, std::span<MeshPoint> out) const override;
  void coordinates(int64_t first, std::span<MeshCoordinate> out) const override;
  void colours(int64_t first, std::span<MeshColour> out) const override;
  void triangles(int64_t first, std::span<MeshTriangle> out) const override;
  void attribute(size_t which, int64_t first, std::span<float> out) const override;

 private:
  Mesh mesh_;
};

/// Land as a sheet: a vertex per sample (row by row from the south-west) with normal and texture coordinates, two
/// triangles per cell, split along the shorter diagonal, counter-clockwise from above. The centre is the middle of the
/// land in plan, at height 0, so that coordinates keep their precision and heights their values. A texture (north at
/// the top) spans the land one pixel per sample: the middle of its corner pixel lies on the corner sample.
class LandMesh : public MeshSource {
 public:
  /// At least 2 x 2 samples and fewer than 2^32.
  explicit LandMesh(const Terrain& land);
  void positions(int64_t first, std::span<MeshPoint> out) const override;
  void normals(int64_t first, std::span<MeshPoint> out) const override;
  void coordinates(int64_t first, std::span<MeshCoordinate> out) const override;
  void colours(int64_t first, std::span<MeshColour> out) const override;
  void triangles(int64_t first, std::span<MeshTriangle> out) const override;

 private:
  double at(int64_t x, int64_t y) const { return static_cast<double>(z_(x, y)); }

  Terrain land_;
  const Grid<float>& z_;
  Vec2 cell_;
};

/// All of a source as a value.
Mesh gather(const MeshSource& source);

}  // namespace tepui
