"""Places models at scattered points in Unreal (5.2 or later, with the plugin Python Editor Script Plugin).

  tepui run wood.json      with the outputs
      "trees.csv":  { "from": "trees", "for": "unreal" }
      "models.glb": { "from": "trees", "for": "unreal" }

1. Import models.glb into a folder of the content browser, for example /Game/Trees, without "Combine Static Meshes".
2. In the Output Log, choose Python and run
     exec(open(r"C:/.../unreal_scatter.py").read()); scatter(r"C:/.../trees.csv", "/Game/Trees")

Every model becomes one actor with a Hierarchical Instanced Static Mesh component, which culls and has levels of detail.
To use your own models, give your static meshes the same names, such as conifer_3; what is 1 m high then has the height
of the point.
"""
import csv
from collections import defaultdict

import unreal


def find_meshes(folder):
    meshes = {}
    for path in unreal.EditorAssetLibrary.list_assets(folder, recursive=True):
        asset = unreal.EditorAssetLibrary.load_asset(path)
        if isinstance(asset, unreal.StaticMesh):
            meshes[asset.get_name()] = asset
    return meshes


def read_transforms(table):
    transforms = defaultdict(list)
    with open(table, newline="") as file:
        for r in csv.DictReader(file):
            across = float(r["ScaleXY"])
            transforms[r["Species"] + "_" + r["Form"]].append(unreal.Transform(
                location=unreal.Vector(float(r["X"]), float(r["Y"]), float(r["Z"])),
                rotation=unreal.Rotator(roll=float(r["Roll"]), pitch=float(r["Pitch"]), yaw=float(r["Yaw"])),
                scale=unreal.Vector(across, across, float(r["ScaleZ"]))))
    return transforms


def scatter(table, folder):
    meshes = find_meshes(folder)
    actors = unreal.get_editor_subsystem(unreal.EditorActorSubsystem)
    objects = unreal.get_engine_subsystem(unreal.SubobjectDataSubsystem)
    with unreal.ScopedEditorTransaction("Scatter"):
        for name, transforms in sorted(read_transforms(table).items()):
            mesh = next((m for n, m in sorted(meshes.items()) if n == name or n.endswith("_" + name)), None)
            if mesh is None:
                unreal.log_warning(f"there is no mesh '{name}' in {folder}: {len(transforms)} points are left out")
                continue
            actor = actors.spawn_actor_from_class(unreal.Actor, unreal.Vector(0, 0, 0))
            actor.set_actor_label("scatter_" + name)
            root = objects.k2_gather_subobject_data_for_instance(actor)[0]
            made, problem = objects.add_new_subobject(unreal.AddNewSubobjectParams(
                parent_handle=root, new_class=unreal.HierarchicalInstancedStaticMeshComponent))
            if str(problem):
                raise RuntimeError(str(problem))
            data = objects.k2_find_subobject_data_from_handle(made)
            component = unreal.SubobjectDataBlueprintFunctionLibrary.get_object(data)
            component.set_static_mesh(mesh)
            component.add_instances(transforms, should_return_indices=False, world_space=True)
