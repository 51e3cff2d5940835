// Solids that come as blocks of triangles with levels of detail.
import { Box3, BufferAttribute, BufferGeometry, type Camera, DoubleSide, Frustum, Group, Matrix4, Mesh, Ray, Vector3 } from 'three';
import type { MeshHead } from '../protocol/frames';
import type { MeshLand } from '../protocol/messages';
import { solidFragment, solidVertex } from './shaders';
import { material } from './shared';

interface Block {
  box: Box3;
  levels: Map<number, Mesh>;
}

/** What takes the place of a block once its finest level is there. */
interface Coming extends Block {
  generation: number;
}

function geometryOf(head: MeshHead, cells: Uint8Array<ArrayBuffer>): BufferGeometry | null {
  const { vertices, triangles } = head;
  const wide = head.index === 'u32' ? 4 : 2;
  if (cells.byteLength !== vertices * 16 + triangles * 3 * wide) return null;
  const at = cells.byteOffset;
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(new Uint16Array(cells.buffer, at, vertices * 4), 4, true));
  geometry.setAttribute('normal', new BufferAttribute(new Int8Array(cells.buffer, at + vertices * 8, vertices * 4), 4, true));
  geometry.setAttribute('color', new BufferAttribute(new Uint8Array(cells.buffer, at + vertices * 12, vertices * 4), 4, true));
  const first = at + vertices * 16;
  const corners = wide === 4 ? new Uint32Array(cells.buffer, first, triangles * 3) : new Uint16Array(cells.buffer, first, triangles * 3);
  geometry.setIndex(new BufferAttribute(corners, 1));
  return geometry;
}

export class DrawnSolid {
  readonly group = new Group();
  readonly centre: [number, number];
  readonly size: [number, number];
  readonly range: [number, number];
  private readonly blocks = new Map<number, Block>();
  private readonly coming = new Map<number, Coming>();
  private left: number;

  constructor(public about: MeshLand) {
    this.left = about.blocks;
    const [low, high] = about.box;
    this.centre = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    this.size = [high[0] - low[0], high[1] - low[1]];
    this.range = [low[2], high[2]];
  }

  /** A ball of a thousand kilometres or more. */
  get isPlanet(): boolean {
    return this.size[0] > 1e6 && this.range[1] - this.range[0] > 0.8 * this.size[0];
  }

  get complete(): boolean {
    return this.left <= 0;
  }

  /** Some of its blocks come anew; places stay where they are. */
  renew(about: MeshLand): void {
    this.about = about;
    this.left = about.blocks;
  }

  private put(number: number, next: Block): void {
    for (const old of this.blocks.get(number)?.levels.values() ?? []) {
      this.group.remove(old);
      old.geometry.dispose();
    }
    this.blocks.delete(number);
    if (next.levels.size === 0) return;
    this.blocks.set(number, next);
    for (const mesh of next.levels.values()) this.group.add(mesh);
  }

  take(head: MeshHead, cells: Uint8Array<ArrayBuffer>): void {
    const geometry = geometryOf(head, cells);
    if (!geometry) return;
    const low = new Vector3(...head.box[0]).sub(new Vector3(...this.centre, 0));
    const span = new Vector3(...head.box[1]).sub(new Vector3(...head.box[0]));
    let next = this.coming.get(head.block);
    if (next?.generation !== head.generation) {
      next?.levels.forEach((mesh) => mesh.geometry.dispose());
      next = { generation: head.generation, box: new Box3(low, low.clone().add(span)), levels: new Map<number, Mesh>() };
      this.coming.set(head.block, next);
    }
    if (head.triangles > 0) {
      const paint = material(solidVertex, solidFragment, { low: { value: low }, span: { value: span } });
      paint.side = DoubleSide;
      const mesh = new Mesh(geometry, paint);
      mesh.frustumCulled = false;
      next.levels.set(head.level, mesh);
    }
    if (head.level > 0) return;
    this.coming.delete(head.block);
    this.put(head.block, next);
    if (head.generation === this.about.generation) --this.left;
  }

  choose(camera: Camera, budget: number): number {
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    let total = 0;
    for (let coarser = 0; coarser < 8; ++coarser) {
      total = 0;
      for (const { box, levels } of this.blocks.values()) {
        const shown = frustum.intersectsBox(box);
        const far = Math.max(box.distanceToPoint(camera.position), 1);
        const reach = box.getSize(new Vector3()).length();
        const wanted = Math.floor(Math.max(0, Math.log2(far / (2 * reach)))) + coarser;
        const best = Math.min(wanted, Math.max(...levels.keys()));
        for (const [level, mesh] of levels) {
          mesh.visible = shown && level === best;
          if (mesh.visible) total += (mesh.geometry.index?.count ?? 0) / 3;
        }
      }
      if (total <= budget) break;
    }
    return total;
  }

  /** Where a ray first meets the triangles that are drawn. */
  hit(eye: Place, along: Place): [number, number, number] | null {
    return this.meet(eye, along)?.at ?? null;
  }
  /** And which way they face there. */
  meet(eye: Place, along: Place): Hit | null {
    return firstHit([...this.blocks.values()], eye, along);
  }

  /** The same of the triangles as they are now, whatever comes. */
  frozen(): (eye: Place, along: Place) => Hit | null {
    const blocks = [...this.blocks.values()].map(({ box, levels }): Block => ({ box: box.clone(), levels: new Map(levels) }));
    return (eye, along) => firstHit(blocks, eye, along);
  }

  dispose(): void {
    for (const { levels } of [...this.blocks.values(), ...this.coming.values()])
      for (const mesh of levels.values()) mesh.geometry.dispose();
  }
}

type Place = readonly [number, number, number];
export interface Hit {
  at: [number, number, number];
  normal: [number, number, number];
}

/** Where a ray through the triangle a, b, c meets it, in lengths of the ray (Moeller and Trumbore 1997); -1: nowhere. */
function meets(at: ArrayLike<number>, a: number, b: number, c: number, eye: Place, along: Place): number {
  const [ax, ay, az] = [at[a]!, at[a + 1]!, at[a + 2]!];
  const [ux, uy, uz] = [at[b]! - ax, at[b + 1]! - ay, at[b + 2]! - az];
  const [vx, vy, vz] = [at[c]! - ax, at[c + 1]! - ay, at[c + 2]! - az];
  const [px, py, pz] = [along[1] * vz - along[2] * vy, along[2] * vx - along[0] * vz, along[0] * vy - along[1] * vx];
  const turn = ux * px + uy * py + uz * pz;
  if (turn === 0) return -1;
  const [tx, ty, tz] = [eye[0] - ax, eye[1] - ay, eye[2] - az];
  const u = (tx * px + ty * py + tz * pz) / turn;
  if (u < 0 || u > 1) return -1;
  const [qx, qy, qz] = [ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux];
  const v = (along[0] * qx + along[1] * qy + along[2] * qz) / turn;
  return v < 0 || u + v > 1 ? -1 : (vx * qx + vy * qy + vz * qz) / turn;
}

/** The ray is brought into each block's own steps, where corners are whole numbers, instead of each corner out of it. */
function firstHit(blocks: readonly Block[], eye: Place, along: Place): Hit | null {
  const ray = new Ray(new Vector3(...eye), new Vector3(...along));
  let least = Infinity;
  let normal: Vector3 | null = null;
  for (const { box, levels } of blocks) {
    if (!ray.intersectsBox(box)) continue;
    const mesh = [...levels.values()].find((level) => level.visible) ?? levels.get(Math.max(...levels.keys()));
    const places = mesh?.geometry.getAttribute('position').array;
    const corners = mesh?.geometry.index?.array;
    if (!places || !corners) continue;
    const step = box.getSize(new Vector3()).divideScalar(65535).clampScalar(1e-9, Infinity);
    const from = ray.origin.clone().sub(box.min).divide(step).toArray();
    const way = ray.direction.clone().divide(step).toArray();
    let best = -1;
    for (let k = 0; k < corners.length; k += 3) {
      const far = meets(places, 4 * corners[k]!, 4 * corners[k + 1]!, 4 * corners[k + 2]!, from, way);
      if (far >= 0 && far < least) [least, best] = [far, k];
    }
    if (best < 0) continue;
    const corner = (k: number) => new Vector3(places[4 * corners[k]!]!, places[4 * corners[k]! + 1]!, places[4 * corners[k]! + 2]!).multiply(step);
    const first = corner(best);
    normal = corner(best + 1).sub(first).cross(corner(best + 2).sub(first)).normalize();
  }
  if (!normal) return null;
  if (normal.dot(ray.direction) > 0) normal.negate();
  const at = ray.at(least, new Vector3());
  return { at: [at.x, at.y, at.z], normal: [normal.x, normal.y, normal.z] };
}
