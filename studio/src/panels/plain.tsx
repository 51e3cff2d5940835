// Fields of values that are no numbers: text, files, choices, switches, colours.
import { useEffect, useState } from 'react';
import type { Json } from '../protocol/messages';
import { useEdit } from '../page/edits';

interface Props {
  path: string;
  label: string;
  value: Json;
}

export function TextField({ path, label, value, hint }: Props & { hint?: string }) {
  const edit = useEdit<Json>(path, value);
  const text = typeof edit.value === 'string' ? edit.value : JSON.stringify(edit.value);
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  const commit = () => {
    if (typed !== text) edit.give(typed);
  };
  return (
    <input
      className="text" aria-label={label} value={typed} placeholder={hint} spellCheck={false} onChange={(e) => setTyped(e.target.value)}
      onBlur={commit} onKeyDown={(e) => { if (e.key === 'Enter') commit(); else if (e.key === 'Escape') setTyped(text); }}
    />
  );
}

export function ChoiceField({ path, label, value, choices }: Props & { choices: string[] }) {
  const edit = useEdit<Json>(path, value);
  const now = String(edit.value);
  if (choices.length <= 3 && choices.join('').length < 16)
    return (
      <div className="segments" role="radiogroup" aria-label={label}>
        {choices.map((choice) => (
          <label key={choice}>
            <input type="radio" name={path} checked={choice === now} onChange={() => edit.give(choice)} />
            <span>{choice}</span>
          </label>
        ))}
      </div>
    );
  return (
    <select aria-label={label} value={now} onChange={(e) => edit.give(e.target.value)}>
      {choices.includes(now) ? null : <option>{now}</option>}
      {choices.map((choice) => <option key={choice}>{choice}</option>)}
    </select>
  );
}

export function SwitchField({ path, label, value }: Props) {
  const edit = useEdit<Json>(path, value);
  return <input type="checkbox" className="switch" aria-label={label} checked={edit.value === true} onChange={(e) => edit.give(e.target.checked)} />;
}

const hex = (v: number) => Math.round(Math.min(Math.max(v, 0), 1) * 255).toString(16).padStart(2, '0');

export function ColourField({ path, label, value }: Props) {
  const edit = useEdit<Json>(path, value);
  const list = Array.isArray(edit.value);
  const shown = list ? `#${(edit.value as Json[]).slice(0, 3).map((v) => hex(Number(v))).join('')}` : String(edit.value);
  return (
    <span className="colour">
      <input
        type="color" aria-label={label} value={/^#[0-9a-f]{6}$/i.test(shown) ? shown : '#808080'}
        onChange={(e) => edit.drag(list ? [1, 3, 5].map((k) => parseInt(e.target.value.slice(k, k + 2), 16) / 255) : e.target.value)}
        onBlur={edit.drop}
      />
      <code>{shown}</code>
    </span>
  );
}
