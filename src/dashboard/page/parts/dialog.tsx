import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

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
  const isOver = useRef(false);
  // The next key belongs to the dialog already.
  useLayoutEffect(() => dialog.current?.showModal(), []);
  const close = (how: string): void => {
    if (isOver.current) return;
    isOver.current = true;
    dialog.current?.close(how);
    closed(how);
  };
  return (
    <dialog
      class="dialog"
      ref={dialog}
      aria-label={title}
      // A key that comes between the closing and its `close` event must find no dialog.
      onCancel={() => close('')}
      onClose={() => close('')}
    >
      <h2>{title}</h2>
      {children(close)}
    </dialog>
  );
}
