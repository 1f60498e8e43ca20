import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { EventDetail, EventRow, JournalExtent } from '../../wire.ts';
import { clockText, countText, numberText } from '../format.ts';
import { Badge, Empty, ErrorNote } from '../parts/basics.tsx';
import { VirtualList } from '../parts/virtual-list.tsx';
import { focusOn } from '../focus-on.ts';
import { get, hashOf } from '../state.ts';
import { type FilterFields, useEvents } from '../use-events.ts';

export function Journal({
  extent,
  session,
}: {
  readonly extent: JournalExtent;
  readonly session: string;
}): JSX.Element {
  const [text, setText] = useState('');
  const [types, setTypes] = useState('');
  /** Its position from the oldest, which is 0. It stays the same when new events arrive. */
  const [place, setPlace] = useState<number>();
  const settled = useLater(text, searchAfter);
  const events = useEvents({ text: settled, types, session } satisfies FilterFields, extent);
  const { count = 0 } = events;
  const rowHeight = useRowHeight();
  const chosen = place === undefined ? undefined : count - 1 - place;
  const shown = useLater(chosen === undefined ? undefined : events.row(chosen)?.seq, detailAfter);
  useEffect(() => setPlace(undefined), [settled, types]);
  const close = (): void => {
    setPlace(undefined);
    focusOn('.list');
  };
  return (
    <div class="journal" onKeyDown={({ key }) => key === 'Escape' && place !== undefined && close()}>
      <form class="search" role="search" onSubmit={(event) => event.preventDefault()}>
        <input
          type="search"
          aria-label="Search the journal"
          placeholder="Search the journal"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <select
          aria-label="Kinds of events"
          value={types}
          onChange={({ currentTarget }) => setTypes(currentTarget.value)}
        >
          {kinds.map(([name, value]) => (
            <option key={name} value={value}>
              {name}
            </option>
          ))}
        </select>
        {session === '' ? null : <Report session={session} />}
        {session === '' ? null : (
          <a class="filter" href={hashOf('journal')} aria-label={`Session ${session}: show all sessions`}>
            Session <code>{session}</code> ×
          </a>
        )}
        <span class="found" role="status">
          {events.count === undefined ? '…' : countText(events.count, 'event', events.more ? '+' : '')}
        </span>
      </form>
      <ErrorNote error={events.error} />
      {events.count === 0 ? (
        <NoEvents isSearch={settled !== '' || types !== '' || session !== ''} />
      ) : (
        <VirtualList
          count={count}
          rowHeight={rowHeight}
          label="Events, newest first"
          row={(index) => <Row row={events.row(index)} />}
          visible={events.need}
          chosen={chosen}
          choose={(index) => setPlace(count - 1 - index)}
        />
      )}
      {place === undefined || shown === undefined ? null : <Detail seq={shown} close={close} />}
    </div>
  );
}

/** The report is a file to download, because a page of this server could not have its own style. */
function Report({ session }: { readonly session: string }): JSX.Element {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle');
  const fetchReport = (): void => {
    setState('busy');
    get<{ readonly html: string }>(`/report/${encodeURIComponent(session)}`).then(
      ({ html }) => {
        setState('idle');
        save(`holdfast-${session}.html`, html);
      },
      () => setState('failed'),
    );
  };
  return (
    <button type="button" disabled={state === 'busy'} onClick={fetchReport}>
      {state === 'failed' ? 'Save failed: try again' : 'Save report'}
    </button>
  );
}

function save(name: string, html: string): void {
  const address = URL.createObjectURL(new Blob([html], { type: 'text/html' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

const searchAfter = 200;
/** Holding an arrow key passes many rows. */
const detailAfter = 80;
const kinds: readonly (readonly [name: string, types: string])[] = [
  ['All events', ''],
  ['Refusals', 'refusal,alarm,quarantine'],
  [
    'Approvals and trust',
    'approval.requested,approval.resolved,trust.decided,trust.withheld,bundle.enforced,bundle.refused',
  ],
  ['Network', 'connection,request'],
  ['Models', 'model,dlp'],
  ['Sessions', 'session.start,session.end,policy.narrow,code.run'],
  ['Credentials and databases', 'credential,alarm,statement'],
  [
    'Files',
    'enforcement,staged.accept,staged.discard,staged.undo,staged.fork,cluster.run,cluster.proof,cluster.collect,cluster.journal,trash.restore,trash.purge,checkpoint.create,checkpoint.restore,checkpoint.remove',
  ],
];

function NoEvents({ isSearch }: { readonly isSearch: boolean }): JSX.Element {
  return isSearch ? (
    <Empty title="No event matches">Try other words, or choose “All events”.</Empty>
  ) : (
    <Empty title="No events yet" command="holdfast run -- COMMAND">
      The events of every command appear here. Run one:
    </Empty>
  );
}

function Row({ row }: { readonly row: EventRow | undefined }): JSX.Element {
  if (row === undefined) return <div class="event waiting" aria-hidden="true" />;
  return (
    <div class="event">
      <time dateTime={row.time}>{clockText(row.time)}</time>
      <Badge tone={row.tone}>{row.type}</Badge>
      <span class="event-title">{row.title}</span>
    </div>
  );
}

function Detail({ seq, close }: { readonly seq: number; readonly close: () => void }): JSX.Element {
  const [detail, setDetail] = useState<EventDetail>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setDetail(undefined);
    get<EventDetail>(`/events/${seq}`).then(setDetail, setError);
  }, [seq]);
  return (
    <aside class="detail" aria-label={`Event ${seq}`}>
      <header class="panel-head">
        <h2>Event {numberText(seq)}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </header>
      <ErrorNote error={error} />
      {detail === undefined ? null : (
        <>
          <p class="detail-title">
            <Badge tone={detail.row.tone}>{detail.row.type}</Badge>
            <span>{detail.row.title}</span>
          </p>
          <pre class="lines" tabIndex={0} aria-label="The event as in the journal">
            {detail.json}
          </pre>
          {detail.row.session === '' ? null : (
            <a href={hashOf('journal', detail.row.session)}>All events of this session</a>
          )}
        </>
      )}
    </aside>
  );
}

/** In pixels. A narrow screen has two lines for each event. */
function useRowHeight(): number {
  const [narrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const changed = (): void => setNarrow(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return letter * (narrow ? 3.75 : 2.25);
}

const query = matchMedia('(max-width: 47.5em)');

function useLater<T>(value: T, after: number): T {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), after);
    return () => clearTimeout(timer);
  }, [value, after]);
  return later;
}
