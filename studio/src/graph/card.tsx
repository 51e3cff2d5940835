// A node of the graph: its picture, its work, and its ports.
import { Handle, type Node, type NodeProps, Position, useConnection } from '@xyflow/react';
import { type KeyboardEvent, createContext, useContext, useEffect, useRef } from 'react';
import { useStudio } from '../page/store';
import type { NodeGroup } from '../protocol/messages';
import { useNodeFacts } from '../shell/node_state';
import { Thumbnail } from '../shell/thumbnail';
import { regroup, rename } from './edits';
import type { Graph } from './fit';

export type Card = Node<{ outputs: string[] }, 'card'>;
export type Frame = Node<{ group: NodeGroup }, 'frame'>;

export interface Around {
  graph: Graph | null;
  /** What is being given another name. */
  renaming: string | null;
  renamed(): void;
}

/** What all nodes of the graph need to know of it. */
export const GraphAround = createContext<Around>({ graph: null, renaming: null, renamed: () => undefined });

function NameField({ name, label, give, done }: { name: string; label: string; give(name: string): void; done(): void }) {
  const key = (e: KeyboardEvent<HTMLInputElement>) => {
    e.stopPropagation();
    if (e.key === 'Enter') e.currentTarget.blur();
    if (e.key === 'Escape') {
      e.currentTarget.value = name;
      e.currentTarget.blur();
    }
  };
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // A node that has just come cannot have the focus before it is measured.
    let tries = 0;
    const take = () => {
      field.current?.focus();
      if (field.current && document.activeElement !== field.current && ++tries < 60) frame = requestAnimationFrame(take);
    };
    let frame = requestAnimationFrame(take);
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <input
      ref={field} className="text nodrag nopan nokey" aria-label={label} defaultValue={name} spellCheck={false} onFocus={(e) => e.target.select()} onKeyDown={key}
      onBlur={(e) => { done(); give(e.target.value.trim()); }}
    />
  );
}

function PortRow({ node, port, named }: { node: string; port: { name: string; type: string; optional: boolean; list: boolean }; named: boolean }) {
  const { graph } = useContext(GraphAround);
  // A wire that is being drawn from somewhere: can it end here?
  const from = useConnection((c) => (c.inProgress && c.fromHandle.type === 'source' ? c.fromHandle.nodeId : null));
  const back = useConnection((c) => c.inProgress && c.fromHandle.type === 'target');
  const why = from === null ? (back ? 'is an input, too' : null) : graph?.whyNot(from, node, port.name) ?? null;
  const about = `${port.name}: ${port.type}${port.list ? ', several' : ''}${port.optional ? ', optional' : ''}`;
  const open = (graph?.wiresOn(node, port.name).length ?? 0) === 0;
  return (
    <div className={`port${why !== null ? ' barred' : ''}${open ? ' open' : ''}`} title={why === null ? about : `${port.name} ${why}`}>
      <Handle type="target" id={port.name} position={Position.Left} className={`k-${port.type}${port.optional ? ' optional' : ''}`} />
      {named ? <span>{port.name}{port.list ? ' \u2026' : ''}</span> : null}
    </div>
  );
}

export function NodeCard({ id, selected, data }: NodeProps<Card>) {
  const { graph, renaming, renamed } = useContext(GraphAround);
  const node = graph?.nodes.get(id);
  const picture = useStudio((s) => s.thumbnails.get(id));
  const shown = useStudio((s) => s.recipe?.shown.node === id);
  const { state, time, fraction, error, warning } = useNodeFacts(id);
  // A wire that is drawn from an input: does this node give what it takes?
  const into = useConnection((c) => (c.inProgress && c.fromHandle.type === 'target' ? `${c.fromHandle.nodeId} ${c.fromHandle.id ?? ''}` : ''));
  const [wants, port] = into.split(' ');
  const why = wants && port ? graph?.whyNot(id, wants, port) ?? null : null;
  const from = useConnection((c) => c.inProgress && c.fromHandle.type === 'source' && c.fromHandle.nodeId !== id);
  const ports = graph?.ports(id) ?? [];
  const kind = graph?.kind(id) ?? '';
  return (
    <div className={`card ${state}${selected ? ' selected' : ''}${shown ? ' shown' : ''}`} title={error ?? warning ?? (data.outputs.length > 0 ? `${node?.op ?? ''}, gives ${data.outputs.join(', ')}` : node?.op)}>
      <div className="head">
        <Thumbnail picture={picture} />
        <span className="names">
          {renaming === id ? <NameField name={id} label={`Name of ${id}`} give={(name) => void rename(id, name)} done={renamed} /> : <b>{id}{shown ? <span className="eye" role="img" aria-label="shown">{'\u25c9'}</span> : null}</b>}
          <span>{error ?? node?.op}</span>
        </span>
        <span className="time">{time}</span>
        {data.outputs.length > 0 ? <span className="out" role="img" aria-label={`gives ${data.outputs.join(', ')}`}>{'\u2913'}</span> : null}
      </div>
      <span className="bar" style={{ width: `${fraction * 100}%` }} />
      <div className={`portlist${ports.length > 1 ? ' several' : ''}`}>{ports.map((one) => <PortRow key={one.name} node={id} port={one} named={ports.length > 1} />)}</div>
      <div className={`port source${why !== null || from ? ' barred' : ''}`} title={why === null ? `gives ${kind}` : why}>
        <Handle type="source" id="out" position={Position.Right} className={`k-${kind}`} />
      </div>
    </div>
  );
}

export function GroupFrame({ data: { group } }: NodeProps<Frame>) {
  const { renaming, renamed } = useContext(GraphAround);
  return (
    <div className="frame" style={{ borderColor: group.colour ?? '#6a6d70' }}>
      <span className="title" style={{ backgroundColor: group.colour ?? '#6a6d70' }}>
        {renaming === `frame:${group.name}`
          ? <NameField name={group.name} label={`Name of ${group.name}`} done={renamed} give={(name) => { if (name && name !== group.name) void regroup(group, { name }); }} />
          : group.name}
      </span>
    </div>
  );
}
