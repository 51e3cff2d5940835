"""Places models at scattered points in Blender (3.4 or later).

  tepui run wood.json      with the outputs
      "trees.csv":  { "from": "trees", "for": "blender" }
      "models.glb": { "from": "trees", "for": "blender" }
  blender --python blender_scatter.py -- trees.csv models.glb

Or open it in the Scripting workspace and call scatter(table, models). Each model stands at all of its points by one
object with Geometry Nodes, so that a million are no more work to edit than one. To use your own models, give their
objects the same names, such as conifer_3, stand them 1 m high on the origin, and hide them.
"""
import csv
import sys
from collections import defaultdict

import bpy


def instancer(name, model):
    """A group of nodes that puts the model on each point, turned and scaled by the point's attributes."""
    group = bpy.data.node_groups.new(name, "GeometryNodeTree")
    if hasattr(group, "interface"):
        group.interface.new_socket("Geometry", in_out="INPUT", socket_type="NodeSocketGeometry")
        group.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
    else:
        group.inputs.new("NodeSocketGeometry", "Geometry")
        group.outputs.new("NodeSocketGeometry", "Geometry")
    node = group.nodes.new
    start, end = node("NodeGroupInput"), node("NodeGroupOutput")
    place, info = node("GeometryNodeInstanceOnPoints"), node("GeometryNodeObjectInfo")
    info.inputs["Object"].default_value = model
    info.inputs["As Instance"].default_value = True
    group.links.new(start.outputs[0], place.inputs["Points"])
    group.links.new(info.outputs["Geometry"], place.inputs["Instance"])
    for attribute, socket in (("rotation", "Rotation"), ("size", "Scale")):
        named = node("GeometryNodeInputNamedAttribute")
        named.data_type = "FLOAT_VECTOR"
        named.inputs["Name"].default_value = attribute
        output = next(o for o in named.outputs if o.enabled and o.name == "Attribute")
        group.links.new(output, place.inputs[socket])
    group.links.new(place.outputs[0], end.inputs[0])
    return group


def scatter(table, models):
    bpy.ops.import_scene.gltf(filepath=models)
    rows = defaultdict(list)
    with open(table, newline="") as file:
        for row in csv.DictReader(file):
            rows[row["species"] + "_" + row["form"]].append(row)
    collection = bpy.data.collections.new("scatter")
    bpy.context.scene.collection.children.link(collection)
    for name, own in sorted(rows.items()):
        model = bpy.data.objects.get(name)
        if model is None:
            print(f"there is no model '{name}': {len(own)} points are left out")
            continue
        model.location = (0, 0, 0)
        model.hide_set(True)
        model.hide_render = True
        mesh = bpy.data.meshes.new(name + "_points")
        mesh.from_pydata([(float(r["x"]), float(r["y"]), float(r["z"])) for r in own], [], [])
        turns = mesh.attributes.new("rotation", "FLOAT_VECTOR", "POINT")
        sizes = mesh.attributes.new("size", "FLOAT_VECTOR", "POINT")
        turns.data.foreach_set("vector", [v for r in own for v in (float(r["rotation_x"]), 0.0, float(r["rotation_z"]))])
        sizes.data.foreach_set(
            "vector", [v for r in own for v in (float(r["scale_xy"]), float(r["scale_xy"]), float(r["scale_z"]))])
        points = bpy.data.objects.new(name + "_points", mesh)
        points.modifiers.new("scatter", "NODES").node_group = instancer(name, model)
        collection.objects.link(points)
    return collection


if __name__ == "__main__" and "--" in sys.argv:
    scatter(*sys.argv[sys.argv.index("--") + 1:][:2])
