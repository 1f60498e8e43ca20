import type { ComponentChildren, JSX, TargetedEvent } from 'preact';

/** A list of rows, each with a link. Up, Down, Home and End go from link to link, beside Tab. */
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
