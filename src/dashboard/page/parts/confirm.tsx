import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface ConfirmProps {
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly tone: 'good' | 'bad';
  readonly done: (answer: 'yes' | 'no') => void;
}

/** Asks before something happens. Escape and the way back are no. */
export function Confirm({ title, text, action, tone, done }: ConfirmProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog class="confirm" ref={dialog} aria-label={title} onCancel={() => done('no')}>
      <h2>{title}</h2>
      <p>{text}</p>
      <div class="buttons">
        <button type="button" onClick={() => done('no')}>
          Cancel
        </button>
        <button type="button" class={tone} onClick={() => done('yes')}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
