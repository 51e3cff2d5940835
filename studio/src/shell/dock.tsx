// Below the land: the nodes as a strip, as a graph or as a list. Graph and list are loaded when they are first opened.
import { type ComponentType, type KeyboardEvent, lazy, type PointerEvent, Suspense, useState } from 'react';
import { change, type State, useStudio } from '../page/store';
import { IconButton } from './icons';
import { NodeStrip } from './node_strip';

type Part = { default: ComponentType };
type Name = 'Graph' | 'NodeList';

function stylesheet(href: string): Promise<void> {
  if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  document.head.append(link);
  return new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = reject;
  });
}

function Missing() {
  return <p className="note lost">The graph could not be loaded. Reload the page; the recipe is safe.</p>;
}

const part = (name: Name) => lazy(async (): Promise<Part> => {
  try {
    const [parts] = await Promise.all([import('../graph/graph'), stylesheet('/graph.css')]);
    return { default: parts[name] };
  } catch {
    return { default: Missing };
  }
});
const Graph = part('Graph');
const NodeList = part('NodeList');

const lowest = 130;
const highest = () => Math.max(lowest, innerHeight - 240);
const remembered = () => Number(localStorage.getItem('tepui-dock')) || 300;
const within = (height: number) => Math.round(Math.min(Math.max(height, lowest), highest()));

/** The edge that is dragged to give the dock its height. */
function Edge({ height, onChange }: { height: number; onChange(height: number): void }) {
  const drag = (e: PointerEvent<HTMLDivElement>) => {
    if (!e.currentTarget.hasPointerCapture(e.pointerId)) return;
    const dock = e.currentTarget.parentElement?.getBoundingClientRect();
    if (dock) onChange(within(dock.bottom - e.clientY));
  };
  const key = (e: KeyboardEvent) => {
    const by = new Map([['ArrowUp', 20], ['ArrowDown', -20], ['PageUp', 100], ['PageDown', -100], ['Home', 9999], ['End', -9999]]).get(e.key);
    if (by === undefined) return;
    onChange(within(height + by));
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div
      className="edge" role="separator" tabIndex={0} aria-orientation="horizontal" aria-label="Height of the nodes' part"
      aria-valuenow={height} aria-valuemin={lowest} aria-valuemax={highest()} title="Drag for another height"
      onPointerDown={(e) => e.currentTarget.setPointerCapture(e.pointerId)} onPointerMove={drag} onKeyDown={key}
    />
  );
}

export const toggleDock = (now: State['dock']): void => change({ dock: now === 'graph' ? 'strip' : 'graph' });

export function Dock() {
  const dock = useStudio((s) => s.dock);
  const [height, setHeight] = useState(remembered);
  const resize = (to: number) => {
    localStorage.setItem('tepui-dock', String(to));
    setHeight(to);
  };
  const open = dock !== 'strip';
  return (
    <section className={`dock as-${dock}`} aria-label="Nodes" style={open ? { height: within(height) } : {}}>
      {open ? <Edge height={within(height)} onChange={resize} /> : null}
      <div className="switch" role="toolbar" aria-label="Nodes as" aria-orientation="vertical">
        <IconButton icon="strip" label="Nodes as a strip" on={dock === 'strip'} onClick={() => change({ dock: 'strip' })} />
        <IconButton icon="graph" label="Nodes as a graph" keys="G" on={dock === 'graph'} onClick={() => change({ dock: 'graph' })} />
        <IconButton icon="list" label="Nodes as a list" on={dock === 'list'} onClick={() => change({ dock: 'list' })} />
      </div>
      {dock === 'strip' ? <NodeStrip /> : (
        <Suspense fallback={<p className="note lost" role="status">Loading</p>}>{dock === 'graph' ? <Graph /> : <NodeList />}</Suspense>
      )}
    </section>
  );
}
