#include "tepui/io/mesh/form_models.h"

#include <cmath>

#include "tepui/io/mesh/glb.h"
#include "tests/io/files.h"
#include "tests/mesh/shapes.h"
#include "tests/support/contains.h"
#include "tests/support/support.h"

namespace tepui::form_models_test {

namespace {

using test::error_of;
using test::TemporaryFolder;

void write(const TemporaryFolder& folder, const std::string& name, const Mesh& mesh) {
  write_glb(folder / name, StoredMesh(mesh), {}, Context());
}

/// A cube so wide and so high on the ground.
Mesh block(float wide, float high) {
  MeshData data = test::cube();
  float low = 1e9f, top = -1e9f;
  for (const MeshPoint& p : data.positions) low = std::min(low, p[2]), top = std::max(top, p[2]);
  for (MeshPoint& p : data.positions)
    p = {p[0] / (top - low) * wide, p[1] / (top - low) * wide, (p[2] - low) / (top - low) * high};
  return Mesh(std::move(data));
}

std::vector<Standing> one_of(Species species) {
  Standing standing;
  standing.species = species;
  return {standing};
}

}  // namespace

TEST(FormModels, AreOneHighAndRepeat) {
  const TemporaryFolder folder;
  write(folder, "conifer_0.glb", block(2, 8));
  write(folder, "conifer_1.glb", block(3, 6));
  write(folder, "conifer_3.glb", block(1, 1));  // after a gap
  const FormModels models(folder / "", one_of(Species::conifer), Context());
  EXPECT_EQ(models.count(Species::conifer), 2);
  EXPECT_EQ(models.count(Species::rock), 0);
  EXPECT_EQ(models.form(Species::conifer, 5).hash(), models.form(Species::conifer, 1).hash());
  for (const int number : {0, 1}) {
    const Mesh& mesh = models.form(Species::conifer, number);
    EXPECT_FLOAT_EQ(mesh.bounds().high[2], 1);
    EXPECT_EQ(mesh.normals().size(), mesh.positions().size());
    EXPECT_EQ(mesh.colours().size(), mesh.positions().size());
  }
  EXPECT_NEAR(models.radius(Species::conifer, 0), 0.125, 1e-6);
  EXPECT_NEAR(models.radius(Species::conifer, 1), 0.25, 1e-6);
}

TEST(FormModels, TheirKeyFollowsTheFiles) {
  const TemporaryFolder folder;
  const Hash none = models_key(folder / "");
  write(folder, "rock_0.glb", block(2, 8));
  const Hash one = models_key(folder / "");
  EXPECT_NE(one, none);
  EXPECT_EQ(models_key(folder / ""), one);
  write(folder, "rock_0.glb", block(2, 9));
  EXPECT_NE(models_key(folder / ""), one);
  EXPECT_EQ(models_key(folder / "nowhere"), none);
}

TEST(FormModels, RefuseAFolderThatLacksSome) {
  const TemporaryFolder folder;
  write(folder, "conifer_0.glb", block(2, 8));
  std::vector<Standing> all = one_of(Species::rock);
  for (const Species species : {Species::conifer, Species::grass}) all.push_back(one_of(species).front());
  const std::string told = error_of([&] { FormModels(folder / "", all, Context()); });
  EXPECT_CONTAINS(told, "lacks grass_0.glb, rock_0.glb");
  EXPECT_CONTAINS(error_of([&] { FormModels(folder / "nowhere", all, Context()); }), "there is no folder of models");
  MeshData below = block(1, 1).data();
  for (MeshPoint& p : below.positions) p[2] -= 2;
  write(folder, "grass_0.glb", Mesh(std::move(below)));
  EXPECT_CONTAINS(error_of([&] { FormModels(folder / "", one_of(Species::grass), Context()); }),
                  "nothing above its ground");
}

}  // namespace tepui::form_models_test
