import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Icon } from './icons';

interface Props {
  title: string;
  wide?: boolean;
  /** Beside the land, which stays in reach. */
  beside?: boolean;
  onClose(): void;
  children: ReactNode;
}

/** A dialog of the browser's own: it keeps the focus unless it stands beside the land, and Escape closes it. */
export function Dialog({ title, wide, beside, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (beside) dialog.current?.show();
    else dialog.current?.showModal();
  }, [beside]);
  const key = (e: KeyboardEvent) => {
    if (beside && e.key !== 'Escape') return;
    e.stopPropagation();
    if (beside) onClose();
  };
  return (
    <dialog ref={dialog} className={wide ? 'wide' : beside ? 'beside' : ''} aria-labelledby="dialog-title" onClose={onClose} onKeyDown={key}>
      <header><h2 id="dialog-title">{title}</h2><button type="button" className="quiet" aria-label="Close" onClick={onClose}><Icon name="close" /></button></header>
      {children}
    </dialog>
  );
}
