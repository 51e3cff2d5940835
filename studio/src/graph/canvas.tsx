// The graph that is drawn: what the pointer and the keys do in it.
import {
  applyNodeChanges, Background, BackgroundVariant, type Connection, type Edge, MiniMap, type NodeChange, Panel, ReactFlow, useReactFlow,
} from '@xyflow/react';
import { type KeyboardEvent, type MouseEvent as Click, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { change, now, useStudio } from '../page/store';
import { IconButton } from '../shell/icons';
import { actsOf } from './acts_of';
import { type Card, type Frame, GraphAround, GroupFrame, NodeCard } from './card';
import { add, connect, disconnect, duplicate, group, insert, isLoose, look, placeNodes, remove, type Stand } from './edits';
import { type Graph, referred, type Where, type Wire } from './fit';
import { cardWidth, freeSpot, places, roomOn, type Spot, tidy } from './layout';
import { Barred } from './barred';
import { ContextMenu, OperatorMenu } from './menu';
import { cards, edges, useGraph } from './model';

const nodeTypes = { card: NodeCard, frame: GroupFrame };
type Drawn = Card | Frame;
type Open = { kind: 'operators'; where: Where; at: Spot } | { kind: 'acts'; of: Click | null; node: string | null; wire: Wire | null; at: Spot };

const isCard = (node: Drawn): node is Card => node.type === 'card';
const typing = (target: EventTarget): boolean => target instanceof HTMLElement && target.matches('input, select, textarea');

/** The wire under a place of the window. */
function wireAt(graph: Graph, at: Spot): Wire | null {
  for (const element of document.elementsFromPoint(at.x, at.y)) {
    const id = element.closest('.react-flow__edge')?.getAttribute('data-id');
    const wire = id ? graph.wires.find((one) => one.id === id) : undefined;
    if (wire) return wire;
  }
  return null;
}

/** The nodes as they are drawn: the recipe's, with what the hand does to them before the program has answered. */
function useDrawn(graph: Graph | null) {
  const selected = useStudio((s) => s.selected);
  const [nodes, setNodes] = useState<Drawn[]>([]);
  const moving = useRef(new Set<string>());
  useEffect(() => {
    if (graph) setNodes((old) => cards(graph, old, moving.current, selected));
    // The selection is followed below.
  }, [graph]);
  useEffect(() => {
    setNodes((old) => {
      if (selected === null || old.some((node) => node.id === selected && node.selected)) return old;
      return old.map((node) => ({ ...node, selected: node.id === selected }));
    });
  }, [selected]);
  return { nodes, setNodes, moving };
}

export function Canvas() {
  const graph = useGraph();
  const { nodes, setNodes, moving } = useDrawn(graph);
  const [chosenWire, setChosenWire] = useState<string | null>(null);
  const [open, setOpen] = useState<Open | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const flow = useReactFlow<Drawn, Edge>();
  const box = useRef<HTMLDivElement>(null);
  const pointer = useRef<Spot | null>(null);
  const drawn = useMemo(() => (graph ? edges(graph, chosenWire).map((edge) => (edge.id === over ? { ...edge, className: `${edge.className ?? ''} over` } : edge)) : []), [graph, chosenWire, over]);
  const around = useMemo(() => ({ graph, renaming, renamed: () => { setRenaming(null); box.current?.focus(); } }), [graph, renaming]);
  const chosen = useMemo(() => nodes.filter((node) => isCard(node) && node.selected).map((node) => node.id), [nodes]);

  // Where nodes were left is kept in the recipe, together with those that had no place so far.
  const due = useRef(0);
  const save = useCallback((names: string[]) => {
    for (const name of names) moving.current.add(name);
    clearTimeout(due.current);
    due.current = window.setTimeout(() => {
      const recipe = now().recipe;
      if (!recipe) return;
      const given = new Map(Object.entries(recipe.ui?.at ?? {}));
      const moved = [...moving.current];
      const spots = new Map<string, Spot>();
      for (const node of flow.getNodes())
        if (isCard(node) && (moving.current.has(node.id) || !given.has(node.id))) spots.set(node.id, node.position);
      void placeNodes(spots).then(() => {
        for (const name of moved) moving.current.delete(name);
      });
    }, 200);
  }, [flow, moving]);

  const changed = useCallback((changes: NodeChange<Drawn>[]) => {
    setNodes((old) => {
      const frames = new Map(old.map((node) => [node.id, node]));
      const all = [...changes];
      // A frame takes its nodes with it.
      for (const one of changes) {
        const frame = one.type === 'position' ? frames.get(one.id) : undefined;
        if (one.type !== 'position' || !one.position || !frame || isCard(frame)) continue;
        const by = { x: one.position.x - frame.position.x, y: one.position.y - frame.position.y };
        for (const name of frame.data.group.nodes) {
          const node = frames.get(name);
          if (node) all.push({ type: 'position', id: name, position: { x: node.position.x + by.x, y: node.position.y + by.y }, dragging: one.dragging ?? false });
        }
      }
      return applyNodeChanges(all, old);
    });
    const moved = changes.flatMap((one) => {
      if (one.type !== 'position' || !one.position) return [];
      const frame = flow.getNode(one.id);
      const names = frame && !isCard(frame) ? frame.data.group.nodes : [one.id];
      for (const name of names) moving.current.add(name);
      return one.dragging ? [] : names;
    });
    if (moved.length > 0) save(moved);
    const picked = changes.filter((one) => one.type === 'select' && one.selected);
    const [pick] = picked;
    if (picked.length === 1 && pick && 'id' in pick) change({ selected: pick.id });
  }, [flow, moving, save, setNodes]);

  if (!graph) return null;

  const choose = (names: string[]) => {
    setNodes((old) => old.map((node) => ({ ...node, selected: names.includes(node.id) })));
    change({ selected: names.length === 1 ? names[0] ?? null : now().selected });
  };
  const centre = (): Spot => {
    const rect = box.current?.getBoundingClientRect() ?? new DOMRect();
    return { x: rect.left + rect.width / 2, y: rect.top + rect.height / 2 };
  };
  const operators = (where: Where, at: Spot) => setOpen({ kind: 'operators', where, at });
  const addHere = (under: Spot | null) => {
    const at = under ?? centre();
    const wire = (under && wireAt(graph, under)) ?? (chosenWire ? graph.wires.find((one) => one.id === chosenWire) ?? null : null);
    operators(wire ? { at: 'wire', wire } : { at: 'free', after: chosen.length === 1 ? chosen[0] ?? null : null }, at);
  };
  const tidyUp = async () => {
    await placeNodes(tidy(graph, graph.nodes.keys()));
    setTimeout(() => void flow.fitView({ padding: 0.12, maxZoom: 1 }), 60);
  };
  const copy = async (names: string[]) => {
    const made = await duplicate(names);
    if (made.length > 0) setTimeout(() => choose(made), 0);
  };
  const bind = async (names: string[]) => {
    const name = await group(names);
    if (name !== null) setTimeout(() => setRenaming(`frame:${name}`), 60);
  };
  const fit = () => void flow.fitView({ padding: 0.12, maxZoom: 1 });

  /** Where a new node stands: on its wire, beside what it takes from, or where the menu was opened. None where all have a place of the page's. */
  const standFor = (where: Where, at: Spot): Stand | null => {
    const others = places(graph);
    const free = Object.keys(graph.recipe.ui?.at ?? {}).length === 0;
    const after = where.at === 'free' && where.after ? others.get(where.after) : undefined;
    if (free && (where.at === 'wire' || after)) return null;
    if (where.at === 'wire') return roomOn(referred(where.wire.from), where.wire.node, others);
    if (after) return { at: freeSpot({ x: after.x + cardWidth + 56, y: after.y }, others.values()), others };
    const spot = flow.screenToFlowPosition(at);
    return { at: freeSpot({ x: where.at === 'into' ? spot.x - cardWidth : spot.x, y: spot.y - 24 }, others.values()), others };
  };

  const key = (e: KeyboardEvent<HTMLDivElement>) => {
    if (typing(e.target)) return;
    const focused = (e.target as HTMLElement).closest('.react-flow__node')?.getAttribute('data-id') ?? null;
    const names = chosen.length > 0 ? chosen : focused !== null && graph.nodes.has(focused) ? [focused] : [];
    const first = names[0];
    const name = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (e.ctrlKey || e.metaKey) {
      if (name === 'd') void copy(names);
      else if (name === 'g') void bind(names);
      else if (name === 'a') choose([...graph.nodes.keys()]);
      else return;
    } else if (name === 'Delete' || name === 'Backspace') {
      const wire = graph.wires.find((one) => one.id === chosenWire);
      if (wire && chosen.length === 0) void disconnect(wire);
      else void remove(names);
    } else if (name === 'F2' && first) setRenaming(first);
    else if (name === 'a' || (name === 'Tab' && !e.shiftKey && pointer.current && !document.activeElement?.matches(':focus-visible'))) addHere(pointer.current);
    else if (name === 't') void tidyUp();
    else if (name === 'f') fit();
    else if (name === 'v' && first) look(first);
    else if (name === 'ContextMenu' || (name === 'F10' && e.shiftKey)) {
      const at = (e.target as HTMLElement).getBoundingClientRect();
      setOpen({ kind: 'acts', of: null, node: first ?? null, wire: null, at: { x: at.left + Math.min(at.width, 80), y: at.top + Math.min(at.height, 60) } });
    } else if (name.startsWith('Arrow') && focused !== null) {
      e.stopPropagation();
      return;
    } else return;
    e.preventDefault();
    e.stopPropagation();
  };

  const connected = ({ source, target, targetHandle }: Connection) => {
    if (targetHandle) void connect(target, targetHandle, source);
  };
  const acts = open?.kind === 'acts' ? actsOf(graph, open.node, open.wire, chosen, {
    addHere: () => addHere(open.at), insertOn: (wire) => operators({ at: 'wire', wire }, open.at), after: (node) => operators({ at: 'from', node }, open.at),
    tidy: () => void tidyUp(), fit, copy: (names) => void copy(names), group: (names) => void bind(names), rename: setRenaming,
  }) : [];

  return (
    <GraphAround value={around}>
      <div
        ref={box} className={`graph${why !== null ? ' refusing' : ''}`} tabIndex={0} role="application"
        aria-label="Graph of the nodes. A adds an operator; the list of the nodes does all that can be done here." onKeyDown={key}
        onPointerMove={(e) => { pointer.current = { x: e.clientX, y: e.clientY }; }} onPointerLeave={() => { pointer.current = null; }}
      >
        <ReactFlow<Drawn, Edge>
          nodes={nodes} edges={drawn} nodeTypes={nodeTypes} onNodesChange={changed} colorMode="dark" minZoom={0.15} maxZoom={2} fitView fitViewOptions={{ padding: 0.12, maxZoom: 1 }}
          deleteKeyCode={null} connectionRadius={28} nodesFocusable edgesFocusable={false} zoomOnDoubleClick={false} proOptions={{ hideAttribution: true }} elevateNodesOnSelect={false}
          onConnect={connected} isValidConnection={({ source, target, targetHandle }) => targetHandle !== null && targetHandle !== undefined && graph.whyNot(source, target, targetHandle) === null}
          onConnectEnd={(event, state) => {
            setWhy(null);
            if (state.isValid || !state.fromNode) return;
            const touch = 'changedTouches' in event ? event.changedTouches[0] : event;
            if (!touch) return;
            const at = { x: touch.clientX, y: touch.clientY };
            const from = state.fromNode.id;
            const onto = document.elementsFromPoint(at.x, at.y).map((el) => el.closest('.react-flow__node')?.getAttribute('data-id')).find((id) => id && graph.nodes.has(id));
            const out = state.fromHandle?.type === 'source';
            const port = state.fromHandle?.id ?? '';
            if (state.toHandle) return;
            if (onto && onto !== from) {
              const fits = out ? graph.portFor(from, onto) : port;
              if (fits !== null && (out || graph.whyNot(onto, from, port) === null)) void connect(out ? onto : from, fits, out ? from : onto);
            } else if (!onto) operators(out ? { at: 'from', node: from } : { at: 'into', node: from, port, index: null }, at);
          }}
          onReconnect={(edge, to) => {
            const wire = graph.wires.find((one) => one.id === edge.id);
            if (!wire || !to.targetHandle) return;
            if (wire.node === to.target && wire.port === to.targetHandle) void connect(wire.node, wire.port, to.source, wire.index);
            else void connect(to.target, to.targetHandle, to.source).then(() => disconnect(wire));
          }}
          onReconnectEnd={(_, edge, __, state) => {
            const wire = graph.wires.find((one) => one.id === edge.id);
            if (wire && !state.isValid && !state.toNode) void disconnect(wire);
          }}
          onNodeClick={(e, node) => { setChosenWire(null); if (isCard(node) && !e.ctrlKey && !e.metaKey && !e.shiftKey) choose([node.id]); }}
          onNodeDoubleClick={(_, node) => { if (isCard(node)) look(node.id); else setRenaming(node.id); }}
          onEdgeClick={(_, edge) => { choose([]); setChosenWire(edge.id); }}
          onEdgeDoubleClick={(e, edge) => { const wire = graph.wires.find((one) => one.id === edge.id); if (wire) operators({ at: 'wire', wire }, { x: e.clientX, y: e.clientY }); }}
          onPaneClick={() => { setChosenWire(null); setOpen(null); }}
          onNodeContextMenu={(e, node) => { e.preventDefault(); if (isCard(node) && !node.selected) choose([node.id]); setOpen({ kind: 'acts', of: e, node: node.id, wire: null, at: { x: e.clientX, y: e.clientY } }); }}
          onEdgeContextMenu={(e, edge) => { e.preventDefault(); setOpen({ kind: 'acts', of: e, node: null, wire: graph.wires.find((one) => one.id === edge.id) ?? null, at: { x: e.clientX, y: e.clientY } }); }}
          onPaneContextMenu={(e) => { e.preventDefault(); setOpen({ kind: 'acts', of: null, node: null, wire: null, at: { x: e.clientX, y: e.clientY } }); }}
          onNodeDrag={(e, node) => { const at = 'clientX' in e ? { x: e.clientX, y: e.clientY } : null; setOver(at && isCard(node) && isLoose(graph, node.id) ? wireAt(graph, at)?.id ?? null : null); }}
          onNodeDragStop={(_, node) => { const wire = graph.wires.find((one) => one.id === over); setOver(null); if (wire) void insert(node.id, wire); }}
        >
          <Background variant={BackgroundVariant.Dots} gap={22} size={1} />
          {/* Of a few nodes it would show nothing new, and hide what lies below it. */}
          {graph.nodes.size > 12 ? <MiniMap<Drawn> style={{ width: 132, height: 84 }} pannable zoomable ariaLabel="Overview of the graph" nodeClassName={(node) => (isCard(node) ? `k-${graph.kind(node.id) ?? ''}` : 'frames')} /> : null}
          <Barred graph={graph} onWhy={setWhy} />
          {why !== null ? <Panel position="top-center"><p className="why" role="status">{why}</p></Panel> : null}
          <Panel position="top-left" className="tools" role="toolbar" aria-label="Graph">
            <IconButton icon="add" label="Add an operator" keys="A" onClick={() => operators({ at: 'free', after: chosen.length === 1 ? chosen[0] ?? null : null }, centre())} />
            <IconButton icon="tidy" label="Tidy up" keys="T" onClick={() => void tidyUp()} />
            <IconButton icon="frame" label="All of the graph" keys="F" onClick={fit} />
            <IconButton icon="group" label="Group what is selected" keys="Control+G" disabled={chosen.length === 0} onClick={() => void bind(chosen)} />
            <IconButton icon="copy" label="Duplicate what is selected" keys="Control+D" disabled={chosen.length === 0} onClick={() => void copy(chosen)} />
            <IconButton icon="remove" label="Delete what is selected" keys="Delete" disabled={chosen.length === 0} onClick={() => void remove(chosen)} />
          </Panel>
        </ReactFlow>
        {open?.kind === 'operators' ? (
          <OperatorMenu
            where={open.where} graph={graph} at={open.at} onClose={() => { setOpen(null); box.current?.focus(); }}
            onChoose={(op) => { const { where, at } = open; setOpen(null); box.current?.focus(); void add(op, where, graph, standFor(where, at)); }}
          />
        ) : null}
        {open?.kind === 'acts' ? <ContextMenu acts={acts} label="What to do" at={open.at} onClose={() => { setOpen(null); box.current?.focus(); }} /> : null}
      </div>
    </GraphAround>
  );
}
