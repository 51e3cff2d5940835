import { type ReactNode, useEffect, useRef } from 'react';
import { Icon } from './icons';

/** A dialog of the browser's own: it keeps the focus, and Escape closes it. */
export function Dialog({ title, wide, onClose, children }: { title: string; wide?: boolean; onClose(): void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} className={wide ? 'wide' : ''} aria-labelledby="dialog-title" onClose={onClose} onKeyDown={(e) => e.stopPropagation()}>
      <header><h2 id="dialog-title">{title}</h2><button type="button" className="quiet" aria-label="Close" onClick={onClose}><Icon name="close" /></button></header>
      {children}
    </dialog>
  );
}
