// Edits of the recipe: at most one on its way at a time, the newest value of a path wins.
import { useEffect, useRef, useState } from 'react';
import type { Json } from '../protocol/messages';
import { ask, post } from './session';
import { tell } from './store';

interface Pending {
  value: Json;
  hold: boolean;
  done: (() => void)[];
}

const pending = new Map<string, Pending>();
let sending = false;

async function flush(): Promise<void> {
  if (sending) return;
  sending = true;
  for (;;) {
    const next = pending.entries().next();
    if (next.done) break;
    const [path, { value, hold, done }] = next.value;
    pending.delete(path);
    const { error } = await ask({ do: 'set', path, value, hold });
    if (error) tell(error.message, error.hint ?? null);
    for (const resolve of done) resolve();
  }
  sending = false;
}

export function set(path: string, value: Json, hold = false): Promise<void> {
  return new Promise((resolve) => {
    const done = pending.get(path)?.done ?? [];
    pending.set(path, { value, hold, done: [...done, resolve] });
    void flush();
  });
}

export async function release(): Promise<void> {
  post({ to: 'draw', options: { held: false } });
  while (sending) await new Promise((resolve) => setTimeout(resolve, 4));
  await ask({ do: 'release' });
}

export async function reset(path: string): Promise<void> {
  const { error } = await ask({ do: 'reset', path });
  if (error) tell(error.message, error.hint ?? null);
}

export interface Edit<T extends Json> {
  value: T;
  /** While the hand holds it. */
  drag(value: T): void;
  /** The hand left it. */
  drop(): void;
  give(value: T): void;
  clear(): void;
}

/** A value of the recipe that shows what the hand does before the program has answered. */
export function useEdit<T extends Json>(path: string, value: T): Edit<T> {
  const [own, setOwn] = useState<{ value: T } | null>(null);
  const turn = useRef(0);
  const held = useRef(false);
  useEffect(() => () => {
    if (held.current) void release();
  }, []);
  const send = (next: T, hold: boolean) => {
    const mine = ++turn.current;
    setOwn({ value: next });
    if (hold && !held.current) post({ to: 'draw', options: { held: true } });
    held.current = hold;
    void set(path, next, hold).then(() => {
      // The recipe that follows has the value.
      if (mine === turn.current && !held.current) setOwn(null);
    });
  };
  return {
    value: own ? own.value : value,
    drag: (next) => send(next, true),
    drop: () => {
      if (!held.current) return;
      held.current = false;
      const mine = turn.current;
      void release().then(() => {
        if (mine === turn.current) setOwn(null);
      });
    },
    give: (next) => send(next, false),
    clear: () => {
      ++turn.current;
      setOwn(null);
      void reset(path);
    },
  };
}
