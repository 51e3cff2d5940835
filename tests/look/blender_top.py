"""blender --background --factory-startup --python blender_top.py -- MODEL.glb COLOUR.png WIDTH HEIGHT: the same as
three_top.mjs by Blender, which imports the model and draws it with Cycles, its colours as light of their own."""
import json
import os
import sys
import tempfile

import bpy
import numpy

model, colour, width, height = sys.argv[sys.argv.index("--") + 1:]
size, parts = 256, 8
# Debian 12's Blender still uses the name that its NumPy no longer has.
numpy.bool = bool

bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()
bpy.ops.import_scene.gltf(filepath=os.path.abspath(model))
meshes = [o for o in bpy.context.scene.objects if o.type == "MESH"]
land = next(o for o in meshes if o.data.materials[0].name == "land")
for other in meshes:
    # Water would hide the ground.
    other.hide_render = other is not land
nodes = land.data.materials[0].node_tree.nodes
links = land.data.materials[0].node_tree.links
base = next(n for n in nodes if n.type == "BSDF_PRINCIPLED").inputs["Base Color"].links[0].from_socket
glow = nodes.new("ShaderNodeEmission")
links.new(base, glow.inputs["Color"])
links.new(glow.outputs[0], next(n for n in nodes if n.type == "OUTPUT_MATERIAL").inputs["Surface"])

corners = [land.matrix_world @ v.co for v in land.data.vertices]
low = [min(c[k] for c in corners) for k in range(3)]
high = [max(c[k] for c in corners) for k in range(3)]
camera = bpy.data.cameras.new("top")
camera.type = "ORTHO"
camera.ortho_scale = max(high[0] - low[0], high[1] - low[1])
camera.clip_end = high[2] - low[2] + 100
above = bpy.data.objects.new("top", camera)
above.location = ((low[0] + high[0]) / 2, (low[1] + high[1]) / 2, high[2] + 10)
scene = bpy.context.scene
scene.collection.objects.link(above)
scene.camera = above
scene.render.engine = "CYCLES"
scene.cycles.samples = 4
scene.cycles.use_denoising = False
scene.view_settings.view_transform = "Standard"
scene.render.resolution_x = scene.render.resolution_y = size
scene.render.resolution_percentage = 100
scene.render.filepath = os.path.join(tempfile.mkdtemp(), "top.png")
bpy.ops.render.render(write_still=True)


def pixels(path):
    image = bpy.data.images.load(path)
    values = numpy.empty(len(image.pixels), dtype=numpy.float32)
    image.pixels.foreach_get(values)
    return 255 * values.reshape(image.size[1], image.size[0], -1)[:, :, :3]


def means(picture, across=0.0, along=0.0):
    """Of 8 x 8 parts; the first and last `across` and `along` texels are left out."""
    # Borders of parts need not lie between texels.
    fine = 8
    picture = picture.repeat(fine, axis=0).repeat(fine, axis=1)
    across, along = fine * across, fine * along
    rows, columns = picture.shape[:2]
    result = []
    for j in range(parts):
        for i in range(parts):
            xs = [across + (columns - 2 * across) * k / parts for k in (i, i + 1)]
            ys = [along + (rows - 2 * along) * k / parts for k in (j, j + 1)]
            block = picture[round(ys[0]):round(ys[1]), round(xs[0]):round(xs[1])]
            result.append(block.reshape(-1, 3).mean(axis=0))
    return numpy.array(result)


theirs = means(pixels(scene.render.filepath))
ours_picture = pixels(os.path.abspath(colour))
ours = means(ours_picture, ours_picture.shape[1] / int(width) / 2, ours_picture.shape[0] / int(height) / 2)
print("answer", json.dumps({"difference": float(abs(ours - theirs).max()), "spread": float(abs(ours - ours[0]).max()),
                            "triangles": len(land.data.polygons)}))
