// A curve through points, drawn: drag a point, click beside the curve for a new one, Delete takes it out.
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import type { Json } from '../protocol/messages';
import { useEdit } from '../page/edits';
import { show, tidy } from './units';

type Knot = [number, number];

function knots(value: Json): Knot[] {
  if (!Array.isArray(value)) return [];
  return value.filter((p): p is Knot => Array.isArray(p) && typeof p[0] === 'number' && typeof p[1] === 'number');
}

const width = 264;
const height = 168;
const edge = 10;

export function CurveField({ path, label, value }: { path: string; label: string; value: Json }) {
  const edit = useEdit<Json>(path, value);
  const [chosen, setChosen] = useState(0);
  const svg = useRef<SVGSVGElement>(null);
  const held = useRef<number | null>(null);
  const points = knots(edit.value);
  const drawn: Knot[] = points.length > 0 ? points : [[0, 0], [1, 1]];
  const all = [...drawn.flat(), 0, 1];
  const low = Math.min(...all);
  const high = Math.max(...all);
  const x = (v: number) => edge + ((v - low) / (high - low)) * (width - 2 * edge);
  const y = (v: number) => height - edge - ((v - low) / (high - low)) * (height - 2 * edge);
  const from = (e: { clientX: number; clientY: number }): Knot => {
    const box = svg.current?.getBoundingClientRect();
    if (!box) return [0, 0];
    const u = ((e.clientX - box.left) / box.width) * width;
    const v = ((e.clientY - box.top) / box.height) * height;
    return [low + ((u - edge) / (width - 2 * edge)) * (high - low), low + ((height - edge - v) / (height - 2 * edge)) * (high - low)];
  };
  const moved = (k: number, [a, b]: Knot): Knot[] => {
    const gap = 0.001 * (high - low);
    const least = k > 0 ? (drawn[k - 1]?.[0] ?? low) + gap : low;
    const most = k < drawn.length - 1 ? (drawn[k + 1]?.[0] ?? high) - gap : high;
    return drawn.map((p, n) => (n === k ? [tidy(round(Math.min(Math.max(a, least), most))), tidy(round(Math.min(Math.max(b, low), high)))] : p));
  };
  const down = (e: PointerEvent<SVGSVGElement>) => {
    const at = from(e);
    let best = -1;
    let near = 0.06 * (high - low);
    drawn.forEach(([a, b], k) => {
      const far = Math.hypot(a - at[0], b - at[1]);
      if (far < near) [near, best] = [far, k];
    });
    e.currentTarget.setPointerCapture(e.pointerId);
    if (best < 0) {
      const next = [...drawn, [tidy(round(at[0])), tidy(round(at[1]))] as Knot].sort((p, q) => p[0] - q[0]);
      best = next.findIndex((p) => Math.abs(p[0] - at[0]) < 0.001 && Math.abs(p[1] - at[1]) < 0.001);
      edit.drag(next);
    }
    held.current = best;
    setChosen(Math.max(best, 0));
  };
  const move = (e: PointerEvent<SVGSVGElement>) => {
    if (held.current !== null && held.current >= 0) edit.drag(moved(held.current, from(e)));
  };
  const up = () => {
    held.current = null;
    edit.drop();
  };
  const without = (k: number) => {
    if (drawn.length > 2) edit.give(drawn.filter((_, n) => n !== k));
  };
  const key = (k: number) => (e: KeyboardEvent) => {
    const by = (e.shiftKey ? 0.001 : 0.01) * (high - low);
    const p = drawn[k];
    if (!p) return;
    const steps = new Map<string, Knot>([['ArrowLeft', [-by, 0]], ['ArrowRight', [by, 0]], ['ArrowUp', [0, by]], ['ArrowDown', [0, -by]]]);
    const step = steps.get(e.key);
    if (step) edit.drag(moved(k, [p[0] + step[0], p[1] + step[1]]));
    else if (e.key === 'Delete' || e.key === 'Backspace') without(k);
    else if (e.key === 'Enter' || e.key === '+') {
      const q = drawn[k + 1] ?? drawn[k - 1];
      if (q) edit.give([...drawn, [tidy((p[0] + q[0]) / 2), tidy((p[1] + q[1]) / 2)] as Knot].sort((a, b) => a[0] - b[0]));
    } else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const at = drawn[chosen];
  return (
    <div className="curve">
      <svg
        ref={svg} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={`${label}: a curve of ${drawn.length} points`}
        onPointerDown={down} onPointerMove={move} onPointerUp={up} onPointerCancel={up} onDoubleClick={edit.clear}
      >
        {[0.25, 0.5, 0.75].map((g) => (
          <g key={g} className="grid">
            <line x1={x(g)} x2={x(g)} y1={edge} y2={height - edge} />
            <line x1={edge} x2={width - edge} y1={y(g)} y2={y(g)} />
          </g>
        ))}
        <line className="diagonal" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
        <polyline className="line" points={drawn.map(([a, b]) => `${x(a)},${y(b)}`).join(' ')} />
        {drawn.map(([a, b], k) => (
          <circle
            key={k} className={k === chosen ? 'chosen' : ''} cx={x(a)} cy={y(b)} r={4.500} tabIndex={0} role="slider"
            aria-label={`Point ${k + 1} of ${label}`} aria-valuenow={b} aria-valuetext={`${show(a)} becomes ${show(b)}`}
            aria-valuemin={low} aria-valuemax={high} onKeyDown={key(k)} onKeyUp={() => edit.drop()} onFocus={() => setChosen(k)}
          />
        ))}
      </svg>
      <div className="row small">
        <span>{at ? `${show(at[0])} \u2192 ${show(at[1])}` : ''}</span>
        <button type="button" className="quiet" disabled={drawn.length < 3} onClick={() => without(chosen)}>Remove point</button>
        <button type="button" className="quiet" onClick={edit.clear}>Reset</button>
      </div>
    </div>
  );
}

const round = (v: number) => Math.round(v * 1000) / 1000;
