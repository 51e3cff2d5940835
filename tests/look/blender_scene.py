"""blender --background --factory-startup --python blender_scene.py -- MODEL.glb OUT.png WIDTH HEIGHT: Blender draws a GLB
with a scene from its camera, in the light of its sun and of an even sky: what the docs show beside our own picture."""
import json
import math
import os
import struct
import sys

import bpy
import numpy

model, out, width, height = sys.argv[sys.argv.index("--") + 1:]
# Debian 12's Blender still uses the name that its NumPy no longer has.
numpy.bool = bool

bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()
bpy.ops.import_scene.gltf(filepath=os.path.abspath(model))
with open(model, "rb") as file:
    told = json.loads(file.read(struct.unpack("<5I", file.read(20))[3]))
light = told["extensions"]["KHR_lights_punctual"]["lights"][0]
left, top, right, bottom = told["cameras"][0]["extras"]["picture"]

scene = bpy.context.scene
scene.camera = next(o for o in scene.objects if o.type == "CAMERA")
sun = next(o for o in scene.objects if o.type == "LIGHT").data
# Blender takes the number for lux, which it turns into watts.
sun.energy = light["intensity"]
sun.angle = math.radians(1)
sky = light["extras"]["sky"]
world = bpy.data.worlds.new("sky")
world.use_nodes = True
world.node_tree.nodes["Background"].inputs["Color"].default_value = [v / math.pi for v in sky] + [1]
scene.world = world
scene.render.engine = "CYCLES"
scene.cycles.samples = 48
scene.cycles.use_denoising = False
scene.view_settings.view_transform = "Standard"
scene.view_settings.exposure = 0.4
# The picture is a part of what the camera sees.
scene.render.resolution_x = round(int(width) / (right - left))
scene.render.resolution_y = round(int(height) / (bottom - top))
scene.render.resolution_percentage = 100
scene.render.use_border = scene.render.use_crop_to_border = True
scene.render.border_min_x, scene.render.border_max_x = left, right
scene.render.border_min_y, scene.render.border_max_y = 1 - bottom, 1 - top
scene.render.filepath = os.path.abspath(out)
bpy.ops.render.render(write_still=True)
