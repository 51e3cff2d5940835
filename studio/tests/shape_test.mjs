// What the hand draws, without a browser: picking on solids, and paths that become strokes.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { Ray, Vector3 } from 'three';

const here = dirname(fileURLToPath(import.meta.url));

async function sources(path) {
  const folder = mkdtempSync(join(here, 'made-'));
  try {
    const outfile = join(folder, 'module.mjs');
    await build({ entryPoints: [join(here, '../src', path)], bundle: true, format: 'esm', outfile, logLevel: 'error' });
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Numbers from 0 to 1 that are the same every time. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

test('a ray meets a solid where it first meets one of its triangles', async () => {
  const { DrawnSolid } = await sources('view/solid.ts');
  const random = numbers(3);
  const [triangles, low, high] = [200, [0, 0, 0], [100, 50, 20]];
  const solid = new DrawnSolid({ say: 'mesh', generation: 1, node: 'x', preview: false, blocks: 1, triangles, box: [low, high] });
  const cells = new Uint8Array(triangles * 3 * 16 + triangles * 12);
  const places = new Uint16Array(cells.buffer, 0, triangles * 12).map(() => random() * 65535);
  new Uint16Array(cells.buffer, 0, places.length).set(places);
  new Uint32Array(cells.buffer, triangles * 3 * 16, 3 * triangles).forEach((_, k, all) => (all[k] = k));
  solid.take({ generation: 1, node: 'x', block: 0, level: 0, vertices: 3 * triangles, triangles, box: [low, high], index: 'u32' }, cells);
  const corner = (k) => new Vector3((places[4 * k] / 65535 - 0.5) * 100, (places[4 * k + 1] / 65535 - 0.5) * 50, (places[4 * k + 2] / 65535) * 20);
  const corners = Array.from({ length: 3 * triangles }, (_, k) => corner(k));
  let met = 0;
  for (let n = 0; n < 500; ++n) {
    const eye = new Vector3((random() - 0.5) * 400, (random() - 0.5) * 400, random() * 200 - 50);
    const ray = new Ray(eye, new Vector3((random() - 0.5) * 100, (random() - 0.5) * 50, random() * 20).sub(eye).normalize());
    let best = null;
    for (let k = 0; k < corners.length; k += 3) {
      const at = ray.intersectTriangle(corners[k], corners[k + 1], corners[k + 2], false, new Vector3());
      if (at && (!best || at.distanceTo(eye) < best.distanceTo(eye))) best = at;
    }
    const hit = solid.meet(eye.toArray(), ray.direction.toArray());
    assert.equal(hit === null, best === null);
    if (!hit) continue;
    ++met;
    assert.ok(best.distanceTo(new Vector3(...hit.at)) < 1e-3);
    assert.ok(ray.direction.dot(new Vector3(...hit.normal)) <= 0, 'it faces the eye');
  }
  assert.ok(met > 100);
});

const distance = (p, a, b) => {
  const [u, v] = [b.map((x, k) => x - a[k]), p.map((x, k) => x - a[k])];
  const length = u.reduce((sum, x) => sum + x * x, 0);
  const t = length > 0 ? Math.min(Math.max(u.reduce((sum, x, k) => sum + x * v[k], 0) / length, 0), 1) : 0;
  return Math.hypot(...v.map((x, k) => x - t * u[k]));
};

test('a path keeps its ends, its shape and its pressure', async () => {
  const { simplify, within, strokeLine } = await sources('brush/shape.ts');
  const random = numbers(7);
  for (let n = 0; n < 60; ++n) {
    const count = 1 + Math.floor(random() * 400);
    const wave = random() * 30;
    const path = Array.from({ length: count }, (_, k) => [k * 2, wave * Math.sin(k / 17), 5 * Math.cos(k / 9)]);
    const tolerance = 0.1 + random() * 5;
    const left = simplify(path, tolerance);
    assert.deepEqual([left[0], left.at(-1)], [path[0], path.at(-1)]);
    for (const p of path) {
      const near = left.length < 2 ? Math.hypot(...p.map((x, k) => x - left[0][k])) : Math.min(...left.slice(1).map((b, k) => distance(p, left[k], b)));
      assert.ok(near <= tolerance * 1.000001, `${near} of ${tolerance}`);
    }
  }
  const pressed = Array.from({ length: 101 }, (_, k) => [k, 0, 0, 1 - Math.abs(k - 50) / 50]);
  assert.deepEqual(simplify(pressed, 0.01).map((p) => p[0]), [0, 50, 100], 'a straight line that is pressed in the middle');
  const noisy = Array.from({ length: 30000 }, () => [random() * 100, random() * 100, 0]);
  assert.ok(within(noisy, 1e-6, 4096).length <= 4096);
  assert.equal(strokeLine([[1, 2, 3]], { form: 'path' }, 10, [0, 0, -1]).length, 1);
});

test('arches stand on their feet, caves open where they are told, ramps rise evenly', async () => {
  const { shaped, strokeLine } = await sources('brush/shape.ts');
  const path = Array.from({ length: 41 }, (_, k) => [k * 5, 0, 10 * Math.sin(k / 5)]);
  const bow = shaped(path, { form: 'arch', rise: 30, sunk: 4 }, [0, 1, 0]);
  const middle = bow[8];
  assert.ok(Math.abs(middle[2] - ((path[0][2] + path.at(-1)[2]) / 2 + 30)) < 1e-9, 'its top is that high over the middle of its feet');
  assert.ok(Math.abs(bow[0][2] - (path[0][2] - 4)) < 1e-9 && Math.abs(bow.at(-1)[2] - (path.at(-1)[2] - 4)) < 1e-9);
  for (const [mouths, start, end] of [['start', 0, 20], ['both', 0, 0], ['none', 20, 20]]) {
    const cave = shaped(path, { form: 'cave', depth: 20, mouths, sink: 'down' }, [0, 1, 0]);
    const sunk = cave.map((p, k) => path[k][2] - p[2]);
    assert.ok(Math.abs(sunk[0] - start) < 1e-9 && Math.abs(sunk.at(-1) - end) < 1e-9 && Math.abs(sunk[20] - 20) < 1e-9, `${mouths}: ${sunk}`);
  }
  const inward = shaped(path, { form: 'cave', depth: 20, mouths: 'none', sink: 'ahead' }, [0, 1, 0]);
  assert.ok(inward.every((p, k) => Math.abs(p[1] - path[k][1] - 20) < 1e-9));
  const ramp = shaped(path.map(([x, y], k) => [x, y, k === 40 ? 80 : 0]), { form: 'ramp' }, [0, 1, 0]);
  ramp.forEach((p, k) => assert.ok(Math.abs(p[2] - 2 * k) < 1e-9));
  const straight = strokeLine([[0, 0, 0], [200, 0, 0]], { form: 'cave', depth: 20, mouths: 'start', sink: 'down' }, 5, [0, 1, 0]);
  assert.ok(straight.length > 10, 'a straight path bends where it goes down');
});
