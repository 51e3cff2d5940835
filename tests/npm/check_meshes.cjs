// check_meshes.cjs MODULES FOLDER: Khronos' glTF validator finds neither errors nor warnings in any GLB of the folder, and
// Manifold takes those whose names begin with `closed_`, with as many handles as `_gN` in the name says.
const { readdirSync, readFileSync } = require('fs');
const { join } = require('path');
const { pathToFileURL } = require('url');
const [, , modules, folder] = process.argv;
const validator = require(join(modules, 'gltf-validator'));
const { MeshoptDecoder } = require(join(modules, 'meshoptimizer'));

const numbers = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const components = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

/** Positions and corners of a GLB's only primitive. */
function surface(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
  const binary = bytes.subarray(28 + length);
  const viewBytes = (index) => {
    const described = json.bufferViews[index];
    const packed = described.extensions?.EXT_meshopt_compression;
    const { byteOffset = 0, byteLength } = packed ?? described;
    const stored = binary.subarray(byteOffset, byteOffset + byteLength);
    if (!packed) return stored;
    const out = new Uint8Array(packed.count * packed.byteStride);
    MeshoptDecoder.decodeGltfBuffer(out, packed.count, packed.byteStride, stored, packed.mode, packed.filter);
    return out;
  };
  const values = (index) => {
    const { bufferView, count, type, componentType } = json.accessors[index];
    const each = components[type], Numbers = numbers[componentType], data = viewBytes(bufferView);
    const stride = json.bufferViews[bufferView].byteStride ?? each * Numbers.BYTES_PER_ELEMENT;
    const out = new Numbers(count * each);
    for (let i = 0; i < count; ++i) {
      const element = data.slice(i * stride, i * stride + each * Numbers.BYTES_PER_ELEMENT);
      out.set(new Numbers(element.buffer), i * each);
    }
    return out;
  };
  const primitive = json.meshes[0].primitives[0];
  return { positions: values(primitive.attributes.POSITION), corners: values(primitive.indices) };
}

async function main() {
  const wasm = await (await import(pathToFileURL(join(modules, 'manifold-3d', 'manifold.js')))).default();
  wasm.setup();
  await MeshoptDecoder.ready;
  let closed = 0, failed = 0;
  const files = readdirSync(folder).filter((name) => name.endsWith('.glb')).sort();
  for (const name of files) {
    const bytes = new Uint8Array(readFileSync(join(folder, name)));
    const { issues, info } = await validator.validateBytes(bytes);
    const bad = issues.messages.filter((message) => message.severity < 2);
    for (const { code, message, pointer } of bad) console.log(`${name}: ${code} at ${pointer}: ${message}`);
    if (bad.length || issues.truncated) ++failed;
    let facts = `${info.totalTriangleCount} triangles, ${info.materialCount} materials`;
    if (name.startsWith('closed_')) {
      ++closed;
      const { positions, corners } = surface(bytes);
      const mesh = new wasm.Mesh({
        numProp: 3, vertProperties: Float32Array.from(positions), triVerts: Uint32Array.from(corners) });
      mesh.merge();
      try {
        const solid = new wasm.Manifold(mesh);
        const handles = solid.decompose().reduce((sum, part) => sum + part.genus(), 0);
        facts += `, ${solid.status()}, ${handles} handles, volume ${solid.volume()}`;
        const wanted = Number(/_g(\d+)/.exec(name)[1]);
        if (solid.status() !== 'NoError' || handles !== wanted || !(solid.volume() > 0) || solid.numTri() !== corners.length / 3) ++failed;
      } catch (error) {
        console.log(`${name}: Manifold: ${error}`);
        ++failed;
      }
    }
    console.log(`${name}: ${facts}`);
  }
  console.log(`${files.length} files, ${closed} closed, ${failed} failed`);
  if (failed) process.exitCode = 1;
}

main().catch((error) => {
  console.log(String(error.stack ?? error));
  process.exitCode = 1;
});
