// The view in the worker: takes what arrives from the program, and the hand's movements from the page.
import { Kind, type MeshHead, type TileHead } from '../protocol/frames';
import type { DrawnStroke, DrawOptions, FromWorker, ToWorker, Tool } from '../protocol/bridge';
import type { Land, MeshLand, SectionAnswer } from '../protocol/messages';
import { Matrix4, Vector3 } from 'three';
import { View } from '../view/camera';
import { LandData } from '../view/land_data';
import { Marks } from '../view/marks';
import { setSun, shared } from '../view/shared';
import { DrawnSolid } from '../view/solid';
import { Stage } from '../view/stage';
import { DrawnLand, finish } from '../view/tiles';
import { Hand } from './hand';

type Point = [number, number, number];
type Post = (message: FromWorker) => void;
/** Where the ray through a place of the picture meets what was shown when it was made, in the world's metres. */
export type Surface = (x: number, y: number) => Point | null;

/** Whether the ray itself goes through a place; the land's answer for its sides is the ground above them. */
function onRay(at: Point, eye: Point, along: Point): boolean {
  const [x, y, z] = [at[0] - eye[0], at[1] - eye[1], at[2] - eye[2]];
  const far = x * along[0] + y * along[1] + z * along[2];
  return Math.hypot(x - far * along[0], y - far * along[1], z - far * along[2]) < 1e-4 * far;
}

export class Viewport {
  readonly view = new View();
  readonly stage: Stage;
  private readonly marks = new Marks();
  private readonly hand: Hand;
  private land: DrawnLand | null = null;
  private solid: DrawnSolid | null = null;
  private coming: LandData | null = null;
  private comingSolid: DrawnSolid | null = null;
  private generation = 0;
  private received = 0;
  private bytes = 0;
  private fresh = false;
  private triangles = 0;
  private patience: ReturnType<typeof setTimeout> | undefined;
  private options: DrawOptions = { contours: 0, water: true, overlay: false, sun: [315, 35], haze: 0.1, held: false, grey: false };
  private markers: [number, number][] = [];
  private strokes: { lines: DrawnStroke[]; hot: number | null } = { lines: [], hot: null };
  private framed = false;
  private name = '';

  constructor(canvas: OffscreenCanvas, software: boolean, size: [number, number], ratio: number, turn: boolean, private readonly post: Post) {
    this.stage = new Stage(canvas, this.view.three, { prepare: (s) => this.prepare(s), shown: (now) => this.shown(now) }, software);
    if (software) finish.anisotropy = 1;
    this.hand = new Hand(this, turn, post);
    this.stage.scene.add(this.marks.group);
    this.resize(size, ratio);
    setSun(...this.options.sun);
    canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.stage.lost = true;
      post({ from: 'drawing', state: 'lost', software });
    });
    canvas.addEventListener('webglcontextrestored', () => {
      this.stage.lost = false;
      post({ from: 'drawing', state: 'drawing', software });
      this.stage.touch();
    });
  }

  get size(): [number, number] {
    return this.land?.data.about.size ?? this.solid?.size ?? [1000, 1000];
  }
  get range(): [number, number] {
    return this.land?.data.about.range ?? this.solid?.range ?? [0, 100];
  }
  /** From the foot of what is shown to its top. */
  get block(): [number, number] {
    return [this.land?.base ?? this.range[0], this.range[1]];
  }
  /** The middle of what is shown, in the world's metres. */
  get centre(): [number, number] {
    const about = this.land?.data.about;
    return about ? [about.origin[0] + about.size[0] / 2, about.origin[1] + about.size[1] / 2] : this.solid?.centre ?? [0, 0];
  }
  readonly ground = (x: number, y: number): number => {
    if (this.land) return this.land.data.inside(x, y) ? this.land.data.heightAt(x, y) : this.land.base;
    // On a solid, whoever walks stands on what is below the eye.
    const from = this.view.walking ? this.view.eye.z + 0.5 : this.range[1] + 1;
    return (this.view.walking ? this.solid?.hit([x, y, from], [0, 0, -1])?.[2] : null) ?? this.range[0];
  };

  /** The last answer of `pick`: a hand that rests asks again and again. */
  private picked: { key: string; at: Point | null; normal: Point } = { key: '', at: null, normal: [0, 0, 1] };
  pick(x: number, y: number): Point | null {
    // The frame of the last movement may not have been drawn yet.
    this.view.settle(this.ground);
    const key = `${x} ${y} ${this.view.three.matrixWorldInverse.elements.join()}`;
    if (key === this.picked.key) return this.picked.at;
    const { eye, along } = this.view.ray(x, y);
    const on = this.land?.data.hit(eye, along);
    const met = on ? null : this.solid?.meet(eye, along);
    this.picked = { key, at: on ?? met?.at ?? null, normal: met?.normal ?? [0, 0, 1] };
    return this.picked.at;
  }
  /** Where a brush would work: not on the sides of the block. */
  pickGround(x: number, y: number): Point | null {
    const at = this.pick(x, y);
    const { eye, along } = this.view.ray(x, y);
    return at && (!this.land || onRay(at, eye, along)) ? at : null;
  }
  /** Which way the surface faces where `pick` met it last. */
  get facing(): Point {
    return this.picked.normal;
  }

  world(p: Point): Point {
    const [x, y] = this.centre;
    return [p[0] + x, p[1] + y, p[2]];
  }
  local(p: Point): Point {
    const [x, y] = this.centre;
    return [p[0] - x, p[1] - y, p[2]];
  }

  get eye(): Point {
    const p = this.view.three.position;
    return [p.x, p.y, p.z];
  }
  get ahead(): Point {
    const d = this.view.three.getWorldDirection(new Vector3());
    return [d.x, d.y, d.z];
  }

  /** What is shown now, for a hand that draws on it while it changes. */
  freeze(): Surface {
    const data = this.land?.data;
    const solid = this.solid?.frozen();
    const [cx, cy] = this.centre;
    return (x, y) => {
      this.view.settle(this.ground);
      const { eye, along } = this.view.ray(x, y);
      // The middle of what is shown may have moved since.
      const [ex, ey] = this.world(eye);
      const from: Point = [ex - cx, ey - cy, eye[2]];
      const at = data?.hit(from, along) ?? solid?.(from, along)?.at ?? null;
      return at && (!data || onRay(at, from, along)) ? [at[0] + cx, at[1] + cy, at[2]] : null;
    };
  }

  /** Where whoever looks towards a place of the world sees the surface. */
  towards(p: Point): Point | null {
    const { eye } = this;
    const [x, y, z] = this.local(p);
    const far = Math.hypot(x - eye[0], y - eye[1], z - eye[2]) || 1;
    const along: Point = [(x - eye[0]) / far, (y - eye[1]) / far, (z - eye[2]) / far];
    const at = this.land?.data.hit(eye, along) ?? this.solid?.hit(eye, along) ?? null;
    return at && this.world(at);
  }

  /** Puts a place of the world onto the land; null where what is shown is no land. */
  drape(): ((p: Point) => Point) | null {
    if (!this.land) return null;
    const [cx, cy] = this.centre;
    const { data } = this.land;
    return ([x, y]) => [x, y, data.heightAt(x - cx, y - cy)];
  }

  /** From the metres of the view to pixels of the page. */
  projector(): (p: Point) => [number, number] | null {
    const { three } = this.view;
    const matrix = new Matrix4().multiplyMatrices(three.projectionMatrix, three.matrixWorldInverse).elements;
    const [width, height] = this.bounds;
    return ([x, y, z]) => {
      const w = matrix[3]! * x + matrix[7]! * y + matrix[11]! * z + matrix[15]!;
      if (w < three.near) return null;
      const u = (matrix[0]! * x + matrix[4]! * y + matrix[8]! * z + matrix[12]!) / w;
      const v = (matrix[1]! * x + matrix[5]! * y + matrix[9]! * z + matrix[13]!) / w;
      return [((u + 1) / 2) * width, ((1 - v) / 2) * height];
    };
  }

  private bounds: [number, number] = [2, 2];
  private resize(size: [number, number], ratio: number): void {
    this.bounds = size;
    this.stage.resize(size[0], size[1], ratio);
    this.hand.bounds(size[0], size[1]);
  }

  // What arrives.

  expectLand(about: Land): void {
    if (about.generation < this.generation) return;
    this.generation = about.generation;
    this.coming = new LandData(about);
    this.comingSolid = null;
    this.bytes = 0;
  }

  expectMesh(about: MeshLand): void {
    if (about.generation < this.generation) return;
    this.generation = about.generation;
    this.coming = null;
    this.bytes = 0;
    if (about.keeps && this.comingSolid === null && this.solid) {
      this.solid.renew(about);
      if (about.blocks === 0) this.renewed();
      return;
    }
    this.comingSolid = new DrawnSolid(about);
  }

  tile(kind: Kind, head: TileHead, cells: Uint8Array<ArrayBuffer>, bytes: number): void {
    if (head.generation < this.generation) return;
    this.bytes += bytes;
    if (kind === Kind.height) {
      if (this.coming?.takeHeights(head, cells) && this.coming.complete) this.heightsCame();
      return;
    }
    const data = this.coming ?? this.land?.data;
    const tile = data?.tile(head.column, head.row);
    if (!data || !tile) return;
    const [width, height] = head.samples;
    if (cells.byteLength !== width * height * (kind === Kind.water ? 2 : 4)) return;
    const paint = { width, height, cells };
    if (kind === Kind.water) {
      if (width !== tile.width || height !== tile.height) return;
      tile.water = { offset: head.offset, scale: head.scale, values: new Uint16Array(cells.buffer, cells.byteOffset, width * height) };
    } else if (kind === Kind.ground) tile.ground = paint;
    else if (kind === Kind.overlay) tile.overlay = paint;
    else {
      tile.light = paint;
      tile.lit = true;
    }
    if (data === this.coming) {
      if (data.complete && data.grounded) this.swap();
      return;
    }
    if (kind === Kind.ground) this.land?.repaint(tile);
    else if (kind === Kind.light) this.land?.relight(tile);
    else if (kind === Kind.water) this.land?.flood();
    else {
      this.land?.overlay(tile);
      this.applyOptions();
    }
    this.touchSoon();
  }

  private later: ReturnType<typeof setTimeout> | undefined;
  /** Paint comes tile by tile: a frame for several of them. */
  private touchSoon(): void {
    this.later ??= setTimeout(() => {
      this.later = undefined;
      this.stage.touch();
    }, 120);
  }

  mesh(head: MeshHead, cells: Uint8Array<ArrayBuffer>, bytes: number): void {
    if (head.generation < this.generation) return;
    this.bytes += bytes;
    const solid = this.comingSolid ?? this.solid;
    solid?.take(head, cells);
    if (!solid?.complete) {
      if (solid !== this.comingSolid) this.stage.touch();
    } else if (solid === this.comingSolid) this.swapSolid();
    else this.renewed();
  }

  /** All blocks that were to come of a solid that stays are there. */
  private renewed(): void {
    this.received = performance.timeOrigin + performance.now();
    this.appeared();
  }

  private heightsCame(): void {
    this.received = performance.timeOrigin + performance.now();
    if (this.coming?.grounded) this.swap();
    else this.patience = setTimeout(() => this.swap(), 80);
  }

  /** Of which recipe the lands that follow are. */
  recipe(name: string): void {
    if (name !== this.name) this.framed = false;
    this.name = name;
  }

  settled(): void {
    if (this.coming?.complete) this.swap();
    if (this.comingSolid) this.swapSolid();
    this.hand.appeared(this.generation, false);
  }

  /** The sides of the block, as lines in the world: west, east, north, south. None for what has no such sides. */
  sides(): [number, number][][] {
    if (!this.land || this.land.data.about.preview) return [];
    const [[w, h], [x, y]] = [this.size, this.land.data.about.origin];
    const inset = 1e-4;
    const [west, east, south, north] = [x + w * inset, x + w * (1 - inset), y + h * inset, y + h * (1 - inset)];
    return [
      [[west, south], [west, north]],
      [[east, south], [east, north]],
      [[west, north], [east, north]],
      [[west, south], [east, south]],
    ];
  }

  paintSides(sections: readonly SectionAnswer[]): void {
    this.land?.paintSides(sections);
    this.stage.touch();
  }

  gone(): void {
    this.coming = null;
    this.comingSolid = null;
  }

  private swap(): void {
    clearTimeout(this.patience);
    const data = this.coming;
    if (!data?.complete) return;
    this.coming = null;
    data.shade(this.land && !this.solid ? this.land.data : null);
    if (this.land?.fits(data)) this.land.replace(data);
    else {
      if (this.land && !this.solid) data.borrowGround(this.land.data);
      const next = new DrawnLand(data);
      this.remove();
      this.land = next;
      this.stage.scene.add(next.group);
    }
    this.appeared();
  }

  private swapSolid(): void {
    const solid = this.comingSolid;
    if (!solid) return;
    this.comingSolid = null;
    this.remove();
    this.solid = solid;
    this.stage.scene.add(solid.group);
    this.received = performance.timeOrigin + performance.now();
    this.appeared();
  }

  private remove(): void {
    for (const old of [this.land, this.solid]) {
      if (!old) continue;
      this.stage.scene.remove(old.group);
      old.dispose();
    }
    this.land = this.solid = null;
  }

  private extent = 0;
  private appeared(): void {
    const size = this.size;
    const extent = Math.max(size[0], size[1]);
    this.view.setLand(extent, this.range[0] - extent);
    // Another recipe is framed anew; an edit of this one leaves the camera alone.
    if (!this.framed) this.view.look('home', size, this.block);
    else if (extent !== this.extent) this.view.rescale(extent / this.extent);
    this.framed = true;
    this.extent = extent;
    this.fresh = true;
    const base = this.land?.base ?? this.range[0];
    this.stage.setFloor(base, size, (this.range[0] + this.range[1]) / 2 - base);
    if (this.view.walking) this.view.walk(0, 0, this.ground);
    this.applyOptions();
    this.drawMarks();
    this.picked.key = '';
    this.hand.appeared(this.generation, (this.land?.data ?? this.solid)?.about.preview ?? false);
    this.stage.touch(this.options.held);
  }

  private applyOptions(): void {
    const { contours, water, overlay, sun, haze, grey } = this.options;
    this.land?.options(contours, water, overlay);
    // A planet has no sky around it, and no north: the sun shines on the side that is seen first.
    const planet = this.solid?.isPlanet === true;
    shared.space.value = planet ? 1 : 0;
    setSun(sun[0] - (planet ? 80 : 0), sun[1]);
    // A third of the recipe's: it is meant for pictures from the ground.
    shared.haze.value = -Math.log(1 - Math.min(haze, 0.95)) / (3 * Math.max(...this.size));
    shared.grey.value = grey ? 1 : 0;
  }

  private drawMarks(): void {
    const lift = Math.max(...this.size) * 0.0004;
    const [x, y] = this.centre;
    this.marks.draw(this.markers.map(([a, b]): [number, number] => [a - x, b - y]), this.ground, lift);
    const { lines, hot } = this.strokes;
    this.marks.reach = Math.max(...this.size) * 0.006;
    this.marks.drawStrokes(lines, hot, (p) => (this.land ? [p[0] - x, p[1] - y, this.ground(p[0] - x, p[1] - y) + lift] : [p[0] - x, p[1] - y, p[2]]));
  }

  // Frames.

  private prepare(seconds: number): boolean {
    const goesOn = this.hand.advance(seconds);
    this.view.settle(this.ground);
    const moving = this.stage.moving || goesOn;
    const budget = this.stage.software ? (moving ? 34_000 : 131_000) : 4_000_000;
    const pixels = this.stage.software ? (moving ? 7 : 4) : 2;
    this.triangles = this.land?.choose(this.view.three, this.stage.pixels, pixels, budget) ?? 0;
    this.triangles += this.solid?.choose(this.view.three, this.stage.software ? 400_000 : 20_000_000) ?? 0;
    return goesOn;
  }

  private shown(now: number): void {
    this.hand.report();
    if (!this.fresh) return;
    this.fresh = false;
    const about = this.land?.data.about ?? this.solid?.about;
    this.post({
      from: 'shown',
      triangles: this.triangles,
      shown: {
        generation: about?.generation ?? 0,
        preview: about?.preview ?? false,
        received: this.received,
        fence: performance.timeOrigin + now,
        bytes: this.bytes,
      },
    });
  }

  stand(at: Point): void {
    this.marks.stand(...at);
  }

  take(message: ToWorker): void {
    switch (message.to) {
      case 'size':
        this.resize(message.size, message.ratio);
        break;
      case 'draw':
        Object.assign(this.options, message.options);
        this.stage.held = this.options.held;
        this.applyOptions();
        this.stage.touch(this.options.held);
        break;
      case 'mark':
        this.markers = message.points;
        this.drawMarks();
        this.stage.touch();
        break;
      case 'drawn':
        this.strokes = message;
        this.drawMarks();
        this.stage.touch();
        break;
      case 'camera':
        this.view.settle(this.ground);
        this.post({ from: 'camera', ticket: message.ticket, camera: this.view.described(this.centre) });
        break;
      case 'hidden':
        this.stage.hidden = message.hidden;
        this.stage.touch();
        break;
      default:
        this.hand.take(message);
    }
  }
}

export type { Tool };
