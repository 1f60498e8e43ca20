import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface VirtualListProps {
  /** Number of rows. */
  readonly count: number;
  /** Height of each row, in pixels. */
  readonly rowHeight: number;
  readonly label: string;
  /** 0 is the top row. */
  readonly row: (index: number) => JSX.Element;
  /** Called when the rows on the screen change. */
  readonly visible: (from: number, to: number) => void;
  /** The selected row, or undefined. */
  readonly chosen: number | undefined;
  readonly choose: (index: number) => void;
}

/**
 * A list that only creates its visible rows, for up to a few hundred thousand rows. New rows are added on top. If the
 * reader has scrolled away from the top, the visible rows stay in place. Rows are selected by pointer, arrows, Page Up,
 * Page Down, Home and End.
 */
export function VirtualList({ count, rowHeight, label, row, visible, chosen, choose }: VirtualListProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 600 });
  const before = useRef(count);
  useLayoutEffect(() => {
    const list = frame.current;
    const added = count - before.current;
    before.current = count;
    if (list !== null && added > 0 && list.scrollTop > rowHeight) list.scrollTop += added * rowHeight;
  }, [count, rowHeight]);
  useEffect(() => watchFrame(frame.current, setView), []);
  const slots = Math.ceil(view.height / rowHeight) + 2 * beyond + 1;
  const from = Math.max(0, Math.floor(view.top / rowHeight) - beyond);
  const to = Math.min(count, from + slots);
  useEffect(() => visible(from, to), [from, to, count]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = nextOf(event.key, {
      chosen,
      top: Math.ceil(view.top / rowHeight),
      screen: Math.floor(view.height / rowHeight),
      count,
    });
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    choose(next);
    showRow(frame.current, next * rowHeight, rowHeight);
  };
  const isSeen = chosen !== undefined && chosen >= from && chosen < to;
  return (
    <div
      class="list"
      ref={frame}
      tabIndex={0}
      role="listbox"
      aria-label={label}
      aria-activedescendant={isSeen ? slotName(chosen % slots) : undefined}
      onKeyDown={onKeyDown}
    >
      <div class="list-all" role="presentation" style={{ height: `${count * rowHeight}px` }}>
        {Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset).map((index) => (
          // Reuses a row that leaves the screen for one that enters it, because creating rows takes longer than a
          // frame.
          <div
            class={index === chosen ? 'list-row chosen' : 'list-row'}
            role="option"
            id={slotName(index % slots)}
            aria-selected={index === chosen}
            aria-setsize={count}
            aria-posinset={index + 1}
            key={index % slots}
            onClick={() => choose(index)}
            style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Extra rows above and below the screen. */
const beyond = 6;

function slotName(slot: number): string {
  return `row-${slot}`;
}

interface Choice {
  readonly chosen: number | undefined;
  /** The top row on the screen. */
  readonly top: number;
  /** Number of rows on the screen. */
  readonly screen: number;
  readonly count: number;
}

function nextOf(key: string, { chosen, top, screen, count }: Choice): number | undefined {
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: screen,
    PageUp: -screen,
    Home: -count,
    End: count,
  };
  const move = moves[key];
  if (move === undefined || count === 0) return undefined;
  return Math.min(count - 1, Math.max(0, chosen === undefined && Math.abs(move) === 1 ? top : (chosen ?? top) + move));
}

function showRow(list: HTMLDivElement | null, top: number, height: number): void {
  if (list === null) return;
  list.scrollTop = Math.max(Math.min(list.scrollTop, top), top + height - list.clientHeight);
}

/** Checks at most once per frame. */
function watchFrame(
  list: HTMLDivElement | null,
  set: (view: { readonly top: number; readonly height: number }) => void,
): (() => void) | undefined {
  if (list === null) return undefined;
  let asked = 0;
  const look = (): void => {
    asked = 0;
    set({ top: list.scrollTop, height: list.clientHeight });
  };
  const later = (): void => {
    if (asked === 0) asked = requestAnimationFrame(look);
  };
  const sizes = new ResizeObserver(later);
  sizes.observe(list);
  list.addEventListener('scroll', later, { passive: true });
  return () => {
    cancelAnimationFrame(asked);
    sizes.disconnect();
    list.removeEventListener('scroll', later);
  };
}
