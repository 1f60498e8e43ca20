import type { ComponentChildren, JSX, TargetedEvent } from 'preact';
import { useEffect, useState, useLayoutEffect, useRef } from 'preact/hooks';
import { signs, type SignTone } from '../../../text/signs.ts';
import { spanText } from '../format.ts';

export interface PanelProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, note, children }: PanelProps): JSX.Element {
  return (
    <section class="panel" aria-label={title}>
      <header class="panel-head">
        <h2>{title}</h2>
        {note === undefined ? null : <div class="note">{note}</div>}
      </header>
      {children}
    </section>
  );
}

export interface EmptyProps {
  readonly title: string;
  /** A command that would produce content. A click selects all of it. */
  readonly command?: string;
  readonly children?: ComponentChildren;
}

export function Empty({ title, command, children }: EmptyProps): JSX.Element {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children === undefined ? null : <p>{children}</p>}
      {command === undefined ? null : <code class="command">{command}</code>}
    </div>
  );
}

export function Badge({
  tone,
  children,
}: {
  readonly tone: SignTone;
  readonly children: ComponentChildren;
}): JSX.Element {
  const { sign } = signs[tone];
  return (
    <span class={`badge ${tone}`}>
      {sign === '' ? null : <span aria-hidden="true">{sign} </span>}
      {children}
    </span>
  );
}

/** The time since an event, which keeps counting. */
export function Ago({ time }: { readonly time: string | number }): JSX.Element {
  const now = useNow(10_000);
  const date = new Date(time);
  return (
    <time dateTime={Number.isNaN(date.getTime()) ? undefined : date.toISOString()} title={date.toLocaleString()}>
      {spanText(now - date.getTime())} ago
    </time>
  );
}

/** The current time, updated at this interval. */
export function useNow(every: number): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}

export function ErrorNote({ error }: { readonly error: unknown }): JSX.Element | null {
  if (error === undefined) return null;
  const remedy =
    error instanceof Error && 'failure' in error ? (error.failure as { readonly remedy: string }).remedy : '';
  return (
    <p class="error" role="alert">
      {error instanceof Error ? error.message : String(error)}
      {remedy === '' ? null : <span class="remedy">{remedy}</span>}
    </p>
  );
}

interface DialogProps {
  readonly title: string;
  /** Called after the dialog has closed, and focus is back where it was. `cancelled`: also after Escape. */
  readonly closed: (how: string) => void;
  /** `close` closes the dialog, and passes its argument on to `closed`. */
  readonly children: (close: (how: string) => void) => ComponentChildren;
}

/** Keeps the focus until it is closed. */
export function Dialog({ title, closed, children }: DialogProps): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOver = useRef(false);
  // The next key must already go to the dialog.
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
      // A key between closing and the `close` event must find no dialog.
      onCancel={() => close('')}
      onClose={() => close('')}
    >
      <h2>{title}</h2>
      {children(close)}
    </dialog>
  );
}

/** A list of rows, each with a link. Up, Down, Home and End move between links, in addition to Tab. */
export function RowList({
  label,
  children,
}: {
  readonly label: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <ul class="rows" aria-label={label} onKeyDown={moveAlong}>
      {children}
    </ul>
  );
}

function moveAlong(event: TargetedEvent<HTMLUListElement, KeyboardEvent>): void {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const rows = [...event.currentTarget.children];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const moves: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 };
  const next = moves[event.key];
  const link = next === undefined ? undefined : rows[next]?.querySelector('a');
  if (at < 0 || link === undefined || link === null) return;
  event.preventDefault();
  link.focus();
}
