# Places models at scattered points in Godot 4.
#
#   tepui run wood.json      with the outputs
#       "trees.csv":  { "from": "trees", "for": "godot" }
#       "models.glb": { "from": "trees", "for": "godot" }
#
# Copy both and this script into the project; set the CSV's import to "Keep File (No Import)". Add a Node3D to the scene,
# attach the script, set its table and models in the inspector and press "Rebuild" there, or run the scene. Every model
# becomes one MultiMeshInstance3D. To use your own models, name their MeshInstance3D conifer_3 and so on; what is 1 m high
# then has the height of the point.
@tool
extends Node3D

@export_file("*.csv") var table := "res://trees.csv"
@export var models: PackedScene
@export var rebuild := false:
	set(value):
		if value:
			scatter()

func _ready() -> void:
	if not Engine.is_editor_hint():
		scatter()

func scatter() -> void:
	for child in get_children():
		child.queue_free()
	var places := {}
	var file := FileAccess.open(table, FileAccess.READ)
	var header := file.get_csv_line()
	while not file.eof_reached():
		var row := file.get_csv_line()
		if row.size() < header.size():
			continue
		var model := row[0] + "_" + row[1]
		if not places.has(model):
			places[model] = []
		var turned := Basis.from_euler(Vector3(float(row[5]), float(row[6]), 0))
		var size := Vector3(float(row[7]), float(row[8]), float(row[7]))
		places[model].append(Transform3D(turned * Basis.from_scale(size), Vector3(float(row[2]), float(row[3]), float(row[4]))))
	var scene := models.instantiate()
	for model in places:
		var source := scene.find_child(model, true, false) as MeshInstance3D
		if source == null:
			push_warning("there is no model '%s': %d points are left out" % [model, places[model].size()])
			continue
		var many := MultiMesh.new()
		many.transform_format = MultiMesh.TRANSFORM_3D
		many.mesh = source.mesh
		many.instance_count = places[model].size()
		for i in many.instance_count:
			many.set_instance_transform(i, places[model][i])
		var instance := MultiMeshInstance3D.new()
		instance.name = model
		instance.multimesh = many
		add_child(instance)
	scene.free()
