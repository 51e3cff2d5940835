// The land, and what stands over it.
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { clicked, setContours, setWater, take } from '../page/acts';
import { finish, resize, toggleBrush } from '../page/brushes';
import { overlay } from '../page/overlay';
import { post, start } from '../page/session';
import { now, useStudio } from '../page/store';
import type { PointerMove } from '../protocol/bridge';
import { BrushBar } from './brush_bar';
import { GhostLayer, spaceHeld } from './ghost_layer';
import { IconButton } from './icons';
import { Legend } from './legend';
import { PlainPicture } from './plain_picture';
import { Findings } from './findings';

/** What a pen or a finger presses with; null for what always says the same. */
function pressureOf(e: { pointerType: string; pressure: number }): number | null {
  if (e.pointerType === 'pen') return Number(e.pressure.toFixed(3));
  return e.pointerType === 'touch' && e.pressure > 0 && e.pressure < 1 && e.pressure !== 0.5 ? Number(e.pressure.toFixed(3)) : null;
}

function Surface() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const started = useRef(false);
  const tool = useStudio((s) => s.tool);
  const points = useStudio((s) => s.points);
  const settled = useStudio((s) => s.settled);
  const walking = useStudio((s) => s.walking);

  useEffect(() => {
    const at = canvas.current;
    if (!at || started.current) return;
    started.current = true;
    const size = (): [number, number] => [Math.max(at.clientWidth, 2), Math.max(at.clientHeight, 2)];
    start(at, size());
    new ResizeObserver(() => post({ to: 'size', size: size(), ratio: devicePixelRatio })).observe(at);
    // React's wheel listeners are passive, and the page must not scroll.
    at.addEventListener('wheel', (e) => {
      e.preventDefault();
      const box = at.getBoundingClientRect();
      const by = e.deltaY * (e.deltaMode === 1 ? 16 : 1);
      // A pinch on a touchpad is a wheel with Ctrl, but its steps are small.
      if (now().tool === 'brush' && (e.altKey || (e.ctrlKey && Math.abs(by) >= 16))) return resize(by < 0 ? 1.08 : 1 / 1.08);
      post({ to: 'wheel', x: e.clientX - box.left, y: e.clientY - box.top, by: Math.max(-240, Math.min(e.ctrlKey ? 8 * by : by, 240)) });
    }, { passive: false });
  }, []);
  useEffect(() => {
    if (points.length > 0) void clicked(points);
    // And again for another land.
  }, [points, settled]);

  const send = (act: PointerMove['act']) => (e: PointerEvent<HTMLCanvasElement>) => {
    const box = e.currentTarget.getBoundingClientRect();
    if (act === 'down') e.currentTarget.setPointerCapture(e.pointerId);
    const passed = act === 'move' && tool === 'brush' && e.buttons > 0 ? e.nativeEvent.getCoalescedEvents?.() ?? [] : [];
    post({
      to: 'pointer', act, id: e.pointerId, finger: e.pointerType === 'touch', x: e.clientX - box.left, y: e.clientY - box.top, button: Math.max(e.button, 0),
      shift: e.shiftKey, ctrl: e.ctrlKey || e.metaKey, alt: e.altKey, space: spaceHeld(), pressure: pressureOf(e),
      passed: passed.map((p): [number, number, number | null] => [p.clientX - box.left, p.clientY - box.top, pressureOf(p)]),
    });
  };
  const key = (e: KeyboardEvent) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const arrows = new Map<string, [number, number]>([['ArrowLeft', [-1, 0]], ['ArrowRight', [1, 0]], ['ArrowUp', [0, -1]], ['ArrowDown', [0, 1]]]);
    const arrow = arrows.get(e.key);
    if (arrow) {
      const by = e.shiftKey ? 0.06 : 0.09;
      post({ to: 'step', move: e.shiftKey ? 'pan' : 'turn', x: -arrow[0] * by, y: -arrow[1] * by });
    } else if (e.key === 'Enter' && e.shiftKey) finish();
    else if (e.key === '+' || e.key === '=') post({ to: 'step', move: 'zoom', x: 0, y: -0.12 });
    else if (e.key === '-') post({ to: 'step', move: 'zoom', x: 0, y: 0.14 });
    else if (e.key === 'Enter') post({ to: 'click', where: 'centre' });
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <canvas
      ref={canvas} className={`surface ${tool}`} tabIndex={0} role="application"
      aria-label={`The land${walking ? ', on foot' : ''}. Arrows turn, Shift and arrows pan, plus and minus zoom, Enter ${tool === 'brush' ? 'puts a corner of the stroke' : 'clicks'} in the middle${tool === 'brush' ? ', Shift and Enter draws it' : ''}.`}
      onPointerDown={send('down')} onPointerMove={send('move')} onPointerUp={send('up')} onPointerCancel={send('cancel')}
      onPointerLeave={send('leave')} onContextMenu={(e) => e.preventDefault()} onKeyDown={key}
    />
  );
}

function Tools() {
  const tool = useStudio((s) => s.tool);
  const walking = useStudio((s) => s.walking);
  return (
    <div className="palette" role="toolbar" aria-label="Tools" aria-orientation="vertical">
      <IconButton icon="look" label="Point: click the land for its history" keys="I" on={tool === 'look'} onClick={() => take('look')} />
      <IconButton icon="knife" label="Knife: a cross-section between two points" keys="K" on={tool === 'knife'} onClick={() => take('knife')} />
      <IconButton icon="measure" label="Measure between two points" keys="M" on={tool === 'measure'} onClick={() => take('measure')} />
      <IconButton icon="brush" label="Brushes: strokes on land and rock" keys="B" on={tool === 'brush'} onClick={toggleBrush} />
      <i className="rule" />
      <IconButton icon="frame" label="Frame the land" keys="F" onClick={() => post({ to: 'view', name: 'frame' })} />
      <IconButton icon="home" label="First view" keys="Home" onClick={() => post({ to: 'view', name: 'home' })} />
      <IconButton icon="walk" label={walking ? 'Back to the air' : 'Walk at 1.8 m'} keys="W" on={walking} onClick={() => post({ to: 'walk', on: !walking })} />
    </div>
  );
}

function Layers() {
  const layers = useStudio((s) => s.land?.layers);
  const maps = useStudio((s) => s.welcome?.colour_maps);
  const shown = useStudio((s) => s.overlay);
  const map = useStudio((s) => s.colourMap);
  const contours = useStudio((s) => s.contours);
  const water = useStudio((s) => s.water);
  return (
    <div className="overlays" role="toolbar" aria-label="What is drawn">
      <label>
        <span>Overlay</span>
        <select value={shown ?? ''} onChange={(e) => void overlay(e.target.value || null, map)}>
          <option value="">none</option>
          {(layers ?? []).map((layer) => <option key={layer.name} value={layer.name}>{layer.name}</option>)}
        </select>
      </label>
      {shown !== null ? (
        <select aria-label="Colour map" value={map ?? ''} onChange={(e) => void overlay(shown, e.target.value || null)}>
          <option value="">own colours</option>
          {(maps ?? []).map((name) => <option key={name}>{name}</option>)}
        </select>
      ) : null}
      <IconButton icon="contours" label={contours ? `Contours every ${contours} m` : 'Contours'} keys="L" on={contours > 0} onClick={() => setContours(contours === 0)} />
      <IconButton icon="water" label="Water" on={water} onClick={() => setWater(!water)} />
    </div>
  );
}

function Compass() {
  const azimuth = useStudio((s) => s.azimuth);
  return (
    <svg className="compass" viewBox="-20 -20 40 40" role="img" aria-label="North">
      <g transform={`rotate(${(azimuth * 180) / Math.PI})`}>
        <path d="M0 -13L4 2H-4z" className="north" /><path d="M0 13L4 2H-4z" /><text y="-14.500">N</text>
      </g>
    </svg>
  );
}

function Veil() {
  const recipe = useStudio((s) => s.recipe);
  const land = useStudio((s) => s.land ?? s.solid);
  const why = useStudio((s) => s.why);
  const drawing = useStudio((s) => s.drawing);
  if (drawing === 'lost') return <p className="veil">The graphics driver dropped the picture. It comes back by itself; if it does not, reload the page: nothing is lost.</p>;
  if (why !== null) return <p className="veil">{why}</p>;
  if (!recipe) return <p className="veil">Waiting for the program</p>;
  return land ? null : <p className="veil">Computing {recipe.title || recipe.name}</p>;
}

export function ViewArea() {
  const drawing = useStudio((s) => s.drawing);
  const comparing = useStudio((s) => s.comparing);
  return (
    <section className="view" aria-label="View">
      <Surface />
      {drawing === 'none' ? <PlainPicture /> : <><Tools /><Compass /></>}
      <Layers />
      <GhostLayer />
      <BrushBar />
      <Legend />
      <Findings />
      {comparing ? <p className="comparing">As it was opened</p> : null}
      <Veil />
    </section>
  );
}
