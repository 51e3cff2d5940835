// Fingers on the view: one is a mouse's left button, two turn and zoom, three move.
import type { PointerMove } from '../protocol/bridge';

export interface Gesture {
  fingers: number;
  dx: number;
  dy: number;
  /** How much farther apart the fingers are than before. */
  spread: number;
  at: [number, number];
}

export class Fingers {
  private readonly down = new Map<number, [number, number]>();

  get count(): number {
    return this.down.size;
  }

  /** What the movement of one of several fingers does; null while there are fewer than two. */
  take(p: PointerMove): Gesture | null {
    if (p.act === 'up' || p.act === 'cancel') {
      this.down.delete(p.id);
      return null;
    }
    if (p.act === 'down') {
      this.down.set(p.id, [p.x, p.y]);
      return null;
    }
    if (!this.down.has(p.id)) return null;
    const [before, apart] = [this.middle(), this.apart()];
    this.down.set(p.id, [p.x, p.y]);
    if (this.down.size < 2) return null;
    const after = this.middle();
    return {
      fingers: this.down.size,
      dx: after[0] - before[0],
      dy: after[1] - before[1],
      spread: apart > 8 ? this.apart() / apart : 1,
      at: after,
    };
  }

  private middle(): [number, number] {
    const all = [...this.down.values()];
    const sum = all.reduce((a, b): [number, number] => [a[0] + b[0], a[1] + b[1]], [0, 0]);
    return [sum[0] / Math.max(all.length, 1), sum[1] / Math.max(all.length, 1)];
  }

  private apart(): number {
    const [x, y] = this.middle();
    const all = [...this.down.values()];
    return all.reduce((sum, p) => sum + Math.hypot(p[0] - x, p[1] - y), 0) / Math.max(all.length, 1);
  }
}
