#pragma once  // internal

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "tepui/core/context.h"
#include "tepui/mesh/source.h"

// The lists of numbers that a GLB holds of a mesh, whether they are floats or quantised.

namespace tepui {

/// One list: an accessor of the file.
struct GlbPart {
  std::string name;  ///< of the attribute; "indices"
  std::string unit;  ///< of an attribute of Tepui's
  int component_type = 0;
  bool normalised = false;
  const char* type = "VEC3";
  int64_t count = 0;
  size_t element = 0;              ///< bytes of one
  size_t stride = 0;               ///< bytes from one to the next, a multiple of 4 but for indices
  std::array<double, 6> bounds{};  ///< of POSITION: the lowest and the highest, as stored
  /// Appends the elements [begin, end).
  std::function<void(int64_t begin, int64_t end, std::string& bytes)> make;

  std::vector<std::string> channels{};  ///< what the numbers of one element are, of attributes packed together

  bool is_indices() const { return name == "indices"; }
  bool is_float() const { return component_type == 5126; }
  size_t bytes() const { return stride * static_cast<size_t>(count); }
};

/// Positions in whole numbers: p = middle + step * stored, in the file's axes. The step is a power of two and the
/// middle a multiple of it, so that the places are exact, and the same for meshes that share a step.
struct GlbLattice {
  double step = 0;  ///< 0: positions are floats
  std::array<double, 3> middle{};
};
/// The lattice of quantised positions, whose step is at least `least_step`.
GlbLattice glb_lattice(const MeshBox& bounds, double least_step);

/// The smallest step that holds bounds of this size.
double glb_step(const MeshBox& bounds);

/// Without the triangles that have two corners at one place of the lattice: such corners become one, so that what is
/// closed stays closed.
Mesh on_lattice(const Mesh& mesh, double least_step);

/// Those of every vertex, z up; none at all: along the surface eastwards.
using GlbTangents = std::vector<std::array<float, 4>>;

/// All parts of a source, which must outlive them, and so must the tangents; without a list there are none.
std::vector<GlbPart> glb_parts(const MeshSource& source, const GlbLattice& lattice, const GlbTangents* tangents);

/// The part's bytes as EXT_meshopt_compression holds them, made in memory.
std::string compressed(const GlbPart& part, const Context& context);

}  // namespace tepui
