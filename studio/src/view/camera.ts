// Where the eye is: around a point of the land, or on foot. It knows the land only through what it is told.
import { PerspectiveCamera, Vector3 } from 'three';
import type { Camera } from '../protocol/messages';

type Point = [number, number, number];

const lowest = -0.15;
const highest = 1.5533;

export class View {
  readonly three = new PerspectiveCamera(35, 1, 1, 100000);
  azimuth = -0.6;
  elevation = 0.34;
  distance = 3000;
  readonly target = new Vector3();
  walking = false;
  /** Of the person's eyes, while walking. */
  readonly eye = new Vector3();

  constructor() {
    this.three.up.set(0, 0, 1);
  }

  private extent = 2000;
  private floor = 0;

  /** Told when a land of another extent appears. */
  setLand(extent: number, floor: number): void {
    this.extent = extent;
    this.floor = floor;
  }

  /** The world has become larger or smaller: the picture stays. */
  rescale(factor: number): void {
    this.target.multiplyScalar(factor);
    this.distance *= factor;
  }

  /** As near as the whole block can be seen from the present direction. */
  frame(size: [number, number], range: [number, number]): void {
    this.walking = false;
    this.target.set(0, 0, (range[0] + range[1]) / 2);
    const c = Math.cos(this.elevation);
    const out = new Vector3(Math.sin(this.azimuth) * c, -Math.cos(this.azimuth) * c, Math.sin(this.elevation));
    const right = new Vector3(Math.cos(this.azimuth), Math.sin(this.azimuth), 0);
    const up = new Vector3().crossVectors(out, right);
    const half = Math.tan((this.three.fov * Math.PI) / 360) * 0.93;
    const corners = Array.from({ length: 8 }, (_, k) =>
      new Vector3((k & 1 ? 0.5 : -0.5) * size[0], (k & 2 ? 0.5 : -0.5) * size[1], (k & 4 ? range[1] : range[0])));
    for (let again = 0; again < 4; ++again) {
      const seen = corners.map((corner) => corner.clone().sub(this.target));
      this.distance = Math.max(10, ...seen.map((p) =>
        Math.max(Math.abs(p.dot(right)) / this.three.aspect, Math.abs(p.dot(up))) / half + p.dot(out)));
      // What is near takes more of the picture: its middle is not the block's.
      const heights = seen.map((p) => p.dot(up) / (this.distance - p.dot(out)));
      this.target.addScaledVector(up, ((Math.min(...heights) + Math.max(...heights)) / 2) * this.distance);
    }
  }

  look(name: string, size: [number, number], range: [number, number]): void {
    const views = new Map<string, [number, number]>([
      ['home', [-0.62, 0.34]],
      ['1', [0, highest]],
      ['2', [-Math.PI / 4, 0.55]],
      ['3', [0, 0.18]],
      ['4', [-Math.PI / 2, 0.18]],
    ]);
    const view = views.get(name);
    if (view) [this.azimuth, this.elevation] = view;
    this.frame(size, range);
  }

  turn(dx: number, dy: number): void {
    this.azimuth -= dx;
    this.elevation = Math.min(Math.max(this.elevation + dy, this.walking ? -1.4 : lowest), this.walking ? 1.4 : highest);
  }

  /** By shares of the picture's height. */
  pan(dx: number, dy: number): void {
    const size = 2 * this.distance * Math.tan((this.three.fov * Math.PI) / 360);
    const right = new Vector3(Math.cos(this.azimuth), Math.sin(this.azimuth), 0);
    const ahead = new Vector3(-Math.sin(this.azimuth), Math.cos(this.azimuth), 0);
    const steep = Math.sin(Math.max(this.elevation, 0.25));
    this.target.addScaledVector(right, -dx * size).addScaledVector(ahead, (dy * size) / steep);
    const limit = this.extent * 1.2;
    this.target.x = Math.min(Math.max(this.target.x, -limit), limit);
    this.target.y = Math.min(Math.max(this.target.y, -limit), limit);
  }

  /** Closer by a factor; `at` stays where it is in the picture. */
  zoom(factor: number, at: Point | null): void {
    const next = Math.min(Math.max(this.distance * factor, 4), this.extent * 8);
    const share = next / this.distance;
    if (at) this.target.lerp(new Vector3(...at), 1 - share);
    this.distance = next;
  }

  walk(right: number, ahead: number, ground: (x: number, y: number) => number): void {
    const s = Math.sin(this.azimuth);
    const c = Math.cos(this.azimuth);
    this.eye.x += right * c - ahead * s;
    this.eye.y += right * s + ahead * c;
    this.eye.z = ground(this.eye.x, this.eye.y) + 1.8;
  }

  startWalking(at: Point): void {
    this.walking = true;
    this.elevation = 0;
    this.eye.set(at[0], at[1], at[2] + 1.8);
  }

  stopWalking(): void {
    this.walking = false;
    this.target.copy(this.eye);
    this.distance = Math.min(Math.max(this.distance, 60), 400);
    this.elevation = 0.35;
  }

  /** Settles the camera before a frame; it stays above the ground. */
  settle(ground: (x: number, y: number) => number): void {
    const { three } = this;
    const c = Math.cos(this.elevation);
    const outwards = new Vector3(Math.sin(this.azimuth) * c, -Math.cos(this.azimuth) * c, Math.sin(this.elevation));
    if (this.walking) {
      three.position.copy(this.eye);
      three.lookAt(this.eye.x - outwards.x, this.eye.y - outwards.y, this.eye.z - outwards.z);
      three.near = 0.25;
      three.far = this.extent * 3;
    } else {
      three.position.copy(this.target).addScaledVector(outwards, this.distance);
      const least = Math.max(ground(three.position.x, three.position.y) + Math.max(1.8, this.distance * 0.01), this.floor);
      if (three.position.z < least) three.position.z = least;
      three.lookAt(this.target);
      three.near = Math.max(0.3, this.distance * 0.004);
      three.far = this.distance + this.extent * 4;
    }
    three.updateProjectionMatrix();
    three.updateMatrixWorld();
  }

  ray(x: number, y: number): { eye: Point; along: Point } {
    const along = new Vector3(x, y, 0.5).unproject(this.three).sub(this.three.position).normalize();
    const p = this.three.position;
    return { eye: [p.x, p.y, p.z], along: [along.x, along.y, along.z] };
  }

  /** For the path tracer, in the world's metres. */
  described(centre: [number, number]): Camera {
    const p = this.three.position;
    const d = this.three.getWorldDirection(new Vector3());
    const far = this.walking ? 10 : p.distanceTo(this.target);
    const place = (x: number, y: number, z: number): Point => [x + centre[0], y + centre[1], z];
    return {
      eye: place(p.x, p.y, p.z),
      target: place(p.x + d.x * far, p.y + d.y * far, p.z + d.z * far),
      up: [0, 0, 1],
      field_of_view: this.three.fov,
    };
  }
}
