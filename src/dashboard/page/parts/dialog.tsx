import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface DialogProps {
  readonly title: string;
  /** Called after it has closed, and focus is back where it was. `cancelled`: by Escape, too. */
  readonly closed: (how: string) => void;
  /** `close` closes it, with the word that `closed` is given. */
  readonly children: (close: (how: string) => void) => ComponentChildren;
}

/** Holds the focus until it is closed. */
export function Dialog({ title, closed, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-label={title}
      onClose={({ currentTarget }) => closed(currentTarget.returnValue)}
    >
      <h2>{title}</h2>
      {children((how) => dialog.current?.close(how))}
    </dialog>
  );
}
