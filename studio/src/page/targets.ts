// What the program can write. It does not change while the program runs, so it is asked once, before anyone waits for it.
import type { Refusal, Target } from '../protocol/messages';
import { ask } from './session';

let known: Target[] | null = null;

export async function askTargets(): Promise<{ targets: Target[] | null; error: Refusal | null }> {
  if (known) return { targets: known, error: null };
  const { answer, error } = await ask<{ targets: Target[] }>({ do: 'targets' });
  if (answer) known = answer.targets;
  return { targets: known, error };
}
