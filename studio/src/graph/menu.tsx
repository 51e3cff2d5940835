// The menu of operators: found by name, module and what they say they do.
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useStudio } from '../page/store';
import type { Operator } from '../protocol/messages';
import { type Graph, offered, referred, type Where } from './fit';

function purpose(where: Where, graph: Graph): string {
  switch (where.at) {
    case 'free':
      return where.after === null ? 'Add an operator' : `Add an operator; it takes ${where.after} where it can`;
    case 'from':
      return `What takes ${graph.kind(where.node) ?? 'it'} from ${where.node}`;
    case 'into':
      return `What gives ${graph.port(where.node, where.port)?.type ?? 'it'} for ${where.port} of ${where.node}`;
    case 'wire':
      return `Between ${referred(where.wire.from)} and ${where.wire.node}`;
  }
}

interface Props {
  where: Where;
  graph: Graph;
  /** In the window. */
  at: { x: number; y: number };
  onChoose(operator: Operator): void;
  onClose(): void;
}

/** Keeps something inside the window, wherever it is asked for. */
export function usePopup(at: { x: number; y: number }): React.RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const popup = box.current;
    if (!popup) return;
    const { width, height } = popup.getBoundingClientRect();
    popup.style.left = `${Math.max(6, Math.min(at.x, innerWidth - width - 6))}px`;
    popup.style.top = `${Math.max(6, Math.min(at.y, innerHeight - height - 6))}px`;
  }, [at.x, at.y]);
  return box;
}

export function OperatorMenu({ where, graph, at, onChoose, onClose }: Props) {
  const operators = useStudio((s) => s.welcome?.operators);
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const box = usePopup(at);
  const found = useMemo(() => offered(operators ?? [], where, graph, typed), [operators, where, graph, typed]);
  const index = Math.min(chosen, found.length - 1);
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [index, typed]);

  const key = (e: KeyboardEvent) => {
    e.stopPropagation();
    const by = new Map([['ArrowDown', 1], ['ArrowUp', -1], ['PageDown', 8], ['PageUp', -8]]).get(e.key);
    if (by !== undefined) setChosen(Math.max(0, Math.min(index + by, found.length - 1)));
    else if (e.key === 'Enter' && found[index]) onChoose(found[index]);
    else if (e.key === 'Escape' || e.key === 'Tab') onClose();
    else return;
    e.preventDefault();
  };
  const about = found[index];
  return (
    <div ref={box} className="popup operators" role="dialog" aria-label={purpose(where, graph)} onBlur={(e) => { if (!e.currentTarget.contains(e.relatedTarget)) onClose(); }}>
      <p className="purpose">{purpose(where, graph)}</p>
      <input
        autoFocus className="text" role="combobox" aria-label="Search operators" aria-expanded="true" aria-controls="operators" autoComplete="off" spellCheck={false}
        aria-activedescendant={about ? `op-${about.name}` : undefined} placeholder="erosion, river, noise" value={typed}
        onChange={(e) => { setTyped(e.target.value); setChosen(0); }} onKeyDown={key}
      />
      <ul id="operators" role="listbox" aria-label="Operators" ref={list} tabIndex={-1}>
        {found.map((op, k) => (
          <li
            key={op.name} id={`op-${op.name}`} role="option" aria-selected={k === index} onPointerMove={() => setChosen(k)}
            onPointerDown={(e) => e.preventDefault()} onClick={() => onChoose(op)}
          ><b>{op.name}</b><i>{op.module}</i><span>{op.doc}</span></li>
        ))}
      </ul>
      {found.length === 0 ? <p className="note" role="status">No operator {typed ? `for \u201c${typed}\u201d ` : ''}fits here.</p> : null}
    </div>
  );
}

export interface Act {
  label: string;
  keys?: string;
  disabled?: boolean;
  act(): void;
}

/** A menu of what can be done with what was clicked. */
export function ContextMenu({ acts, label, at, onClose }: { acts: Act[]; label: string; at: { x: number; y: number }; onClose(): void }) {
  const box = usePopup(at);
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('button:not(:disabled)')?.focus();
  }, [box]);
  const key = (e: KeyboardEvent<HTMLElement>) => {
    e.stopPropagation();
    const by = new Map([['ArrowDown', 1], ['ArrowUp', -1]]).get(e.key);
    if (by !== undefined) {
      const buttons = [...e.currentTarget.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
      const here = buttons.findIndex((button) => button === document.activeElement);
      buttons[(here + by + buttons.length) % buttons.length]?.focus();
    } else if (e.key === 'Escape' || e.key === 'Tab') onClose();
    else return;
    e.preventDefault();
  };
  return (
    <div ref={box} className="popup acts" role="menu" aria-label={label} onKeyDown={key} onBlur={(e) => { if (!e.currentTarget.contains(e.relatedTarget)) onClose(); }}>
      {acts.map(({ label: name, keys, disabled, act }) => (
        <button key={name} type="button" role="menuitem" disabled={disabled} onClick={() => { onClose(); act(); }}><span>{name}</span>{keys ? <i>{keys}</i> : null}</button>
      ))}
    </div>
  );
}
