// The graph as a table: all that can be done in it, for the keyboard and for screen readers.
import { useState } from 'react';
import { select } from '../page/acts';
import { useStudio } from '../page/store';
import { useNodeFacts } from '../shell/node_state';
import { add, connect, duplicate, look, putInto, remove, rename } from './edits';
import { type Graph, type Port, type Where, type Wire } from './fit';
import { OperatorMenu } from './menu';
import { useGraph } from './model';

type Opens = (where: Where, by: HTMLElement) => void;

/** What may feed a port; a wire that is there keeps its layer. */
function Source({ graph, node, port, wire, onOpen }: { graph: Graph; node: string; port: Port; wire: Wire | null; onOpen: Opens }) {
  const fitting = [...graph.nodes.keys()].filter((from) => graph.whyNot(from, node, port.name) === null);
  const options = wire && !fitting.includes(wire.from) ? [wire.from, ...fitting] : fitting;
  const label = `${port.name} of ${node}${wire?.index ? `, ${wire.index + 1}` : ''}`;
  return (
    <span className="source">
      <select aria-label={label} value={wire?.from ?? ''} onChange={(e) => void connect(node, port.name, e.target.value || null, wire?.index ?? null)}>
        <option value="">{port.list ? 'one more' : port.optional ? 'nothing' : 'nothing yet'}</option>
        {options.map((from) => <option key={from}>{from}</option>)}
      </select>
      <button type="button" className="quiet" aria-label={wire ? `Insert an operator before ${label}` : `Add an operator for ${label}`} title={wire ? 'Insert an operator on this wire' : 'Add an operator that feeds it'} onClick={(e) => onOpen(wire ? { at: 'wire', wire } : { at: 'into', node, port: port.name, index: null }, e.currentTarget)}>+</button>
    </span>
  );
}

function Inputs({ graph, node, onOpen }: { graph: Graph; node: string; onOpen: Opens }) {
  return (
    <dl className="inputs">
      {graph.ports(node).map((port) => {
        const wires = graph.wiresOn(node, port.name);
        return (
          <div key={port.name}>
            <dt className={`k-${port.type}`} title={port.type}>{port.name}</dt>
            <dd>
              {wires.map((wire) => <Source key={wire.id} graph={graph} node={node} port={port} wire={wire} onOpen={onOpen} />)}
              {wires.length === 0 || port.list ? <Source graph={graph} node={node} port={port} wire={null} onOpen={onOpen} /> : null}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

function Typed({ label, value, list, give }: { label: string; value: string; list?: string; give(text: string): void }) {
  return (
    <input
      key={value} className="text" aria-label={label} defaultValue={value} list={list} spellCheck={false} autoComplete="off"
      onBlur={(e) => { const text = e.target.value.trim(); if (text !== value) give(text); e.target.value = value; }}
      onKeyDown={(e) => { if (e.key === 'Escape') e.currentTarget.value = value; if (e.key === 'Enter' || e.key === 'Escape') e.currentTarget.blur(); }}
    />
  );
}

function Row({ graph, node, onOpen }: { graph: Graph; node: string; onOpen: Opens }) {
  const { state, time, error } = useNodeFacts(node);
  const selected = useStudio((s) => s.selected === node);
  const shown = useStudio((s) => s.recipe?.shown.node === node);
  const known = graph.nodes.get(node);
  const frame = graph.recipe.ui?.groups.find((group) => group.nodes.includes(node))?.name ?? '';
  return (
    <tr className={`${state}${selected ? ' selected' : ''}`}>
      <th scope="row"><Typed label={`Name of ${node}`} value={node} give={(name) => void rename(node, name)} /></th>
      <td>{known?.op}<span className="note">{error ?? (shown ? 'shown' : time)}</span></td>
      <td><Inputs graph={graph} node={node} onOpen={onOpen} /></td>
      <td><Typed label={`Group of ${node}`} value={frame} list="groups" give={(name) => void putInto(node, name)} /></td>
      <td className="acts">
        <button type="button" aria-label={`Open ${node}`} onClick={() => select(node)}>Open</button>
        <button type="button" aria-label={`Show ${node}`} onClick={() => look(node)}>Show</button>
        <button type="button" aria-label={`Add after ${node}`} onClick={(e) => onOpen({ at: 'from', node }, e.currentTarget)}>Add after</button>
        <button type="button" aria-label={`Duplicate ${node}`} onClick={() => void duplicate([node])}>Duplicate</button>
        <button type="button" aria-label={`Delete ${node}`} onClick={() => void remove([node])}>Delete</button>
      </td>
    </tr>
  );
}

export function NodeList() {
  const graph = useGraph();
  const [open, setOpen] = useState<{ where: Where; by: HTMLElement } | null>(null);
  if (!graph) return null;
  const opens: Opens = (where, by) => setOpen({ where, by });
  const at = open?.by.getBoundingClientRect();
  const close = () => {
    open?.by.focus();
    setOpen(null);
  };
  return (
    <div className="list" role="region" aria-label="List of the nodes">
      <datalist id="groups">{(graph.recipe.ui?.groups ?? []).map(({ name }) => <option key={name} value={name} />)}</datalist>
      <table>
        <thead><tr><th scope="col">Name</th><th scope="col">Operator</th><th scope="col">Inputs</th><th scope="col">Group</th><th scope="col"><button type="button" onClick={(e) => opens({ at: 'free', after: null }, e.currentTarget)}>Add an operator</button></th></tr></thead>
        <tbody>{[...graph.nodes.keys()].map((node) => <Row key={node} graph={graph} node={node} onOpen={opens} />)}</tbody>
      </table>
      {open && at ? (
        <OperatorMenu where={open.where} graph={graph} at={{ x: at.left, y: at.bottom + 2 }} onClose={close} onChoose={(op) => { const { where } = open; close(); void add(op, where, graph, null); }} />
      ) : null}
    </div>
  );
}
