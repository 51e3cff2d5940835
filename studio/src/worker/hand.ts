// What the hand does to the view: pointer, wheel, keys, and the slow turn before its first touch.
import type { FromWorker, PointerMove, ToWorker, Tool } from '../protocol/bridge';
import { Brush } from './brush';
import { Fingers, type Gesture } from './fingers';
import type { Viewport } from './viewport';

type Point = [number, number, number];

const walkKeys = new Set(['w', 'a', 's', 'd']);

export class Hand {
  private tool: Tool = 'look';
  private points: Point[] = [];
  private pressed: { x: number; y: number; button: number; moved: boolean; at: Point | null } | null = null;
  private readonly keys = new Set<string>();
  private fast = false;
  private hovered: { x: number; y: number } | null = null;
  private hoverAt = 0;
  private width = 1;
  private height = 1;
  private readonly fingers = new Fingers();
  private readonly brush: Brush;

  constructor(
    private readonly viewport: Viewport,
    private turning: boolean,
    private readonly post: (message: FromWorker) => void,
  ) {
    this.brush = new Brush(viewport, (x, y) => this.clip(x, y), post);
  }

  /** Moves what moves by itself; false when nothing does. */
  advance(seconds: number): boolean {
    const { view } = this.viewport;
    if (this.keys.size > 0) {
      const speed = this.fast ? 60 : 9;
      const held = (key: string) => +this.keys.has(key) * speed * seconds;
      view.walk(held('d') - held('a'), held('w') - held('s'), this.viewport.ground);
      return true;
    }
    if (this.turning) view.turn(0.05 * seconds, 0);
    return this.turning;
  }

  private touched(): void {
    this.turning = false;
    this.viewport.stage.touch(true);
  }

  private clip(x: number, y: number): [number, number] {
    return [(2 * x) / this.width - 1, 1 - (2 * y) / this.height];
  }

  take(message: ToWorker): void {
    const { view } = this.viewport;
    switch (message.to) {
      case 'pointer':
        this.pointer(message);
        break;
      case 'wheel': {
        const at = this.viewport.pick(...this.clip(message.x, message.y));
        if (view.walking) break;
        view.zoom(Math.exp(message.by * 0.0012), at);
        this.touched();
        break;
      }
      case 'key':
        this.key(message.act, message.key, message.shift);
        break;
      case 'step':
        if (message.move === 'turn') view.turn(message.x, message.y);
        else if (message.move === 'pan') view.pan(message.x, message.y);
        else view.zoom(1 + message.y, null);
        this.touched();
        break;
      case 'view':
        this.leave();
        if (message.name === 'frame') view.frame(this.viewport.size, this.viewport.block);
        else view.look(message.name, this.viewport.size, this.viewport.block);
        this.touched();
        break;
      case 'tool':
        this.tool = message.tool;
        this.points = [];
        break;
      case 'click': {
        if (!this.brush.active) this.click(this.viewport.pick(0, 0));
        else {
          const at = this.viewport.pickGround(0, 0);
          this.brush.place(at && this.viewport.world(at));
        }
        break;
      }
      case 'brush':
      case 'stroke':
      case 'ghost':
        this.brush.take(message);
        break;
      case 'walk':
        if (message.on) this.enter();
        else this.leave();
        break;
      default:
    }
  }

  bounds(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  private pointer(p: PointerMove): void {
    if (p.finger) {
      const gesture = this.fingers.take(p);
      if (gesture) return this.gesture(gesture);
      if (this.fingers.count > 1) {
        // A second finger: what the first one had begun is not meant.
        this.pressed = null;
        if (this.brush.drawing) this.brush.drop();
        return;
      }
    }
    if (this.brush.active && this.paint(p)) return;
    this.steer(p);
  }

  /** Whether the brush takes a movement. */
  private paint(p: PointerMove): boolean {
    if (p.act === 'down') {
      if (p.button !== 0 || p.space || this.viewport.view.walking || !this.brush.begin(p)) return false;
      this.turning = false;
      return true;
    }
    if (p.act === 'leave') this.brush.leave();
    if (p.act === 'move' && !this.pressed) {
      this.brush.move(p);
      if (this.brush.drawing) return true;
    }
    if (!this.brush.drawing) return false;
    if (p.act === 'up') this.brush.end();
    else if (p.act === 'cancel') this.brush.drop();
    return true;
  }

  private gesture({ fingers, dx, dy, spread, at }: Gesture): void {
    const { view } = this.viewport;
    if (fingers > 2 && !view.walking) view.pan(dx / this.height, dy / this.height);
    else view.turn((dx / this.height) * 2.4, (dy / this.height) * 2.4);
    if (spread !== 1 && !view.walking) view.zoom(1 / spread, this.viewport.pick(...this.clip(...at)));
    this.touched();
  }

  /** The pointer moves the camera, or clicks. */
  private steer(p: PointerMove): void {
    const { view } = this.viewport;
    if (p.act === 'down') {
      this.pressed = { x: p.x, y: p.y, button: p.button, moved: false, at: null };
      this.touched();
    } else if (p.act === 'move' && this.pressed) {
      const dx = (p.x - this.pressed.x) / this.height;
      const dy = (p.y - this.pressed.y) / this.height;
      if (!this.pressed.moved && Math.hypot(dx, dy) * this.height < 4) return;
      this.pressed.moved = true;
      this.pressed.x = p.x;
      this.pressed.y = p.y;
      // While a brush is chosen the middle button turns, since the left one paints.
      const turns = this.pressed.button === 0 || (this.pressed.button === 1 && this.brush.active);
      if (turns && !p.shift) view.turn(dx * 3.2, dy * 3.2);
      else if (p.alt) view.zoom(1 + dy * 2, null);
      else if (!view.walking) view.pan(dx, dy);
      this.touched();
    } else if (p.act === 'move') {
      this.hovered = { x: p.x, y: p.y };
      this.report();
    } else if (p.act === 'up' && this.pressed) {
      const { moved, button } = this.pressed;
      this.pressed = null;
      if (!moved && button === 0 && !this.brush.active) this.click(this.viewport.pick(...this.clip(p.x, p.y)));
    } else if (p.act === 'leave' && !this.pressed) {
      this.hovered = null;
      this.post({ from: 'hover', at: null });
    } else if (p.act === 'cancel') this.pressed = null;
  }

  /** A land of that generation is shown. */
  appeared(generation: number, preview: boolean): void {
    this.brush.appeared(generation, preview);
    this.brush.show();
  }

  private click(at: Point | null): void {
    if (!at) return;
    const world = this.viewport.world(at);
    if (this.tool === 'look') this.points = [world];
    else this.points = this.points.length >= 2 ? [world] : [...this.points, world];
    this.post({ from: 'clicked', tool: this.tool, points: this.points });
  }

  private key(act: 'down' | 'up', key: string, shift: boolean): void {
    this.fast = shift;
    if (!walkKeys.has(key)) return;
    if (act === 'up') this.keys.delete(key);
    else {
      if (!this.viewport.view.walking) this.enter();
      this.keys.add(key);
      this.touched();
    }
  }

  /** How steep the ground is: the most that it rises or falls in `far` metres. */
  private steep(x: number, y: number, far: number): number {
    const z = this.viewport.ground(x, y);
    const around = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => this.viewport.ground(x + far * Math.cos((k * Math.PI) / 4), y + far * Math.sin((k * Math.PI) / 4)));
    return Math.max(...around.map((h) => Math.abs(h - z))) / far;
  }

  /** Near what the view looks at, where one can stand and see. */
  private foothold(): Point {
    const { view, ground } = this.viewport;
    const aim = this.viewport.pick(0, -0.2) ?? [view.target.x, view.target.y, 0];
    let best: Point = [aim[0], aim[1], ground(aim[0], aim[1])];
    let least = Infinity;
    for (let k = 0; k < 160 && least > 0.3; ++k) {
      const [x, y] = [aim[0] + 3 * k * Math.cos(2.4 * k) * 0.8, aim[1] + 3 * k * Math.sin(2.4 * k) * 0.8];
      const slope = this.steep(x, y, 4) + 0.5 * this.steep(x, y, 25);
      if (slope < least) [least, best] = [slope, [x, y, ground(x, y)]];
    }
    return best;
  }

  /** Turns to where the view is free, if it is not. */
  private turnFree([x, y, z]: Point): void {
    const { view, ground } = this.viewport;
    const rise = (azimuth: number) =>
      Math.max(...[6, 15, 40, 90].map((far) => (ground(x - Math.sin(azimuth) * far, y + Math.cos(azimuth) * far) - z) / far));
    const turns = [0, 0.5, -0.5, 1, -1, 1.6, -1.6, 2.3, -2.3, 3.1].map((by) => view.azimuth + by);
    view.azimuth = turns.find((azimuth) => rise(azimuth) < 0.25) ?? turns.reduce((a, b) => (rise(b) < rise(a) ? b : a));
  }

  private enter(): void {
    const { view } = this.viewport;
    const at = this.foothold();
    this.turnFree(at);
    view.startWalking(at);
    const ahead = 11;
    const x = at[0] - Math.sin(view.azimuth - 0.18) * ahead;
    const y = at[1] + Math.cos(view.azimuth - 0.18) * ahead;
    this.viewport.stand([x, y, this.viewport.ground(x, y)]);
    this.touched();
    this.post({ from: 'walking', on: true });
  }

  private leave(): void {
    if (!this.viewport.view.walking) return;
    this.keys.clear();
    this.viewport.view.stopWalking();
    this.touched();
    this.post({ from: 'walking', on: false });
  }

  /** Tells the page what is under the cursor and where north is, at most fifteen times a second. */
  report(): void {
    if (this.brush.active) this.brush.show();
    const now = performance.now();
    if (now - this.hoverAt < 66) return;
    this.hoverAt = now;
    if (this.hovered && !this.pressed) {
      const at = this.viewport.pick(...this.clip(this.hovered.x, this.hovered.y));
      this.post({ from: 'hover', at: at && this.viewport.world(at) });
    }
    const { view } = this.viewport;
    this.post({ from: 'compass', azimuth: view.azimuth, scale: view.distance });
  }
}
