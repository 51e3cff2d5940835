#pragma once  // internal

#include "tepui/core/context.h"
#include "tepui/core/engine.h"
#include "tepui/io/file/file_target.h"
#include "tepui/terrain/lines.h"

namespace tepui {

/// Writes scattered points as a table in the units, axes and rotations of a program, one row a point, so that a script
/// of a few lines can place models (docs/engines.md):
///
///   unreal   Name,Species,Form,X,Y,Z,Roll,Pitch,Yaw,ScaleXY,ScaleZ,Height,Crown: centimetres, Y south, degrees
///   unity    species,form,x,y,z,turn,lean,scale_xz,scale_y,height,crown: metres, y up, z north, radians
///   godot    species,form,x,y,z,rotation_x,rotation_y,scale_xz,scale_y,height,crown: metres, y up, z south, radians
///   blender  species,form,x,y,z,rotation_x,rotation_z,scale_xy,scale_z,height,crown: metres, z up, radians
///
/// Scales are of the models built in, which are 1 m high; of another species they are its height. A point leans to the
/// north and then turns clockwise. Refuses lines and polygons, and points without a species.
void write_engine_points(const FileTarget& to, const Lines& points, Engine engine, const Context& context);

}  // namespace tepui
