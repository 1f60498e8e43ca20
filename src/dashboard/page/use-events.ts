import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { EventPage, EventRow, JournalExtent } from '../wire.ts';
import { get } from './state.ts';

export interface FilterFields {
  readonly text: string;
  /** Separated by commas. Empty: all types. */
  readonly types: string;
  readonly session: string;
}

export interface Events {
  /** Number of matches. Undefined until it is known. */
  readonly count: number | undefined;
  /** Whether there are older matches, which are left out. */
  readonly more: boolean;
  /** 0 is the newest. Undefined until it has arrived. */
  readonly row: (index: number) => EventRow | undefined;
  /** Fetches the missing events of these rows. */
  readonly need: (from: number, to: number) => void;
  readonly error: unknown;
}

type Wanted = number | 'newest';

interface Found {
  readonly count: number | undefined;
  readonly more: boolean;
  /** Pages by number, with the oldest events on page 0, so that fetched pages stay valid when new events arrive. */
  readonly pages: ReadonlyMap<number, readonly EventRow[]>;
}

const nothing: Found = { count: undefined, more: false, pages: new Map() };
const pageLength = 100;
/** Pages that are kept: enough for long scrolling, and a bound for memory. */
const mostPages = 120;

/** The matching events, in pages that are fetched when they become visible. `extent` shows that there are new ones. */
export function useEvents(
  { text, types, session }: FilterFields,
  { total, generation }: Pick<JournalExtent, 'total' | 'generation'>,
): Events {
  const [found, setFound] = useState(nothing);
  const [error, setError] = useState<unknown>();
  const key = JSON.stringify({ text, types, session, generation });
  const fetching = useRef<Fetching>({ key, asked: new Set(), seen: { from: 0, to: 0 }, found });
  fetching.current.found = found;
  const fetchPage = useCallback(
    async (page: Wanted): Promise<void> => {
      const { asked } = fetching.current;
      asked.add(page);
      const words = new URLSearchParams({
        text,
        types,
        session,
        from: String(page === 'newest' ? page : page * pageLength),
        count: String(pageLength),
      });
      const outcome = await get<EventPage>(`/events?${words}`).catch((problem: unknown) => ({ problem }));
      asked.delete(page);
      if (fetching.current.key !== key) return;
      setError('problem' in outcome ? outcome.problem : undefined);
      if (!('problem' in outcome))
        setFound((before) => withRows(page === 'newest' && outcome.more ? nothing : before, outcome));
    },
    [key],
  );
  useEffect(() => {
    fetching.current = { ...fetching.current, key, asked: new Set() };
    setFound(nothing);
  }, [key]);
  useEffect(() => {
    const timer = setTimeout(
      () => void fetchPage('newest'),
      fetching.current.found.count === undefined ? 0 : newestAfter,
    );
    return () => clearTimeout(timer);
  }, [key, total]);
  const fetchSeen = useCallback(() => {
    for (const page of missing(fetching.current)) void fetchPage(page);
  }, [fetchPage]);
  useEffect(fetchSeen, [found, fetchSeen]);
  const need = useCallback(
    (from: number, to: number) => {
      fetching.current.seen = { from: Math.max(0, from - ahead), to: to + ahead };
      fetchSeen();
    },
    [fetchSeen],
  );
  const row = useCallback(
    (index: number) => {
      const place = (found.count ?? 0) - 1 - index;
      return found.pages.get(Math.floor(place / pageLength))?.[place % pageLength];
    },
    [found],
  );
  return { count: found.count, more: found.more, row, need, error };
}

interface Fetching {
  readonly key: string;
  readonly asked: Set<Wanted>;
  /** The rows on the screen, and those around them. */
  seen: { readonly from: number; readonly to: number };
  found: Found;
}

/**
 * Returns the visible pages to fetch next, within the limit of concurrent requests. A fast scroll skips the pages in
 * between.
 */
function missing({ asked, seen: { from, to }, found: { count = 0, pages } }: Fetching): readonly number[] {
  if (to <= from) return [];
  const [first, last] = [Math.max(0, pageOf(count, to - 1)), pageOf(count, from)];
  const seen = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  return seen.filter((page) => !pages.has(page) && !asked.has(page)).slice(0, Math.max(0, mostAsked - asked.size));
}

const mostAsked = 3;
/** Rows that are fetched before they become visible. */
const ahead = 150;
const newestAfter = 150;

function pageOf(count: number, index: number): number {
  return Math.floor((count - 1 - index) / pageLength);
}

function withRows(before: Found, { total: count, more, from, rows }: EventPage): Found {
  const pages = Math.max(1, Math.ceil(rows.length / pageLength));
  const fresh = Array.from(
    { length: pages },
    (_, index) => [from / pageLength + index, rows.slice(index * pageLength, (index + 1) * pageLength)] as const,
  );
  const isFresh = (page: number): boolean => fresh.some(([number]) => number === page);
  // The page that used to be last has grown if there are more events now.
  const hasGrown = (page: number): boolean => count !== before.count && page === pageOf(before.count ?? 0, 0);
  const kept = [...before.pages].filter(([page]) => !isFresh(page) && !hasGrown(page));
  return { count, more, pages: new Map([...kept.slice(fresh.length - mostPages), ...fresh]) };
}
