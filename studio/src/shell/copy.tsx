import { useState } from 'react';
import { Icon } from './icons';

export function Copy({ text, label }: { text: string; label: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      setTimeout(() => setDone(false), 1500);
    } catch {
      setDone(false);
    }
  };
  return <button type="button" className="quiet copy" title="Copy" aria-label={`Copy ${label}`} onClick={() => void copy()}><Icon name="copy" />{done ? 'Copied' : null}</button>;
}
