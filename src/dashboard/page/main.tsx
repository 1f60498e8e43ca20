import { type JSX, render } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { StreamMessage } from '../wire.ts';
import { numberText } from './format.ts';
import { focusOn } from './focus-on.ts';
import { ErrorNote } from './parts/basics.tsx';
import { KeyList } from './parts/keys.tsx';
import {
  type LinkState,
  enterDashboard,
  followStream,
  hashOf,
  initialState,
  type PageState,
  type PageRoute,
  routeOf,
  type ViewName,
  views,
} from './state.ts';
import { Approvals } from './views/approvals.tsx';
import { Journal } from './views/journal.tsx';
import { Models } from './views/models/models.tsx';
import { NetworkPanel } from './views/network.tsx';
import { Overview, Refusals, Sessions } from './views/overview.tsx';
import { Staged } from './views/staged.tsx';

const page = document.querySelector('#page');

const connectionWords: Readonly<Record<LinkState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Not connected',
  refused: 'Closed',
};

if (page !== null) {
  page.replaceChildren();
  const entered = await enterDashboard().catch((error: unknown) => error as Error);
  render(entered === true ? <App /> : <Closed error={entered === false ? undefined : entered} />, page);
}

type Action =
  | StreamMessage
  | { readonly kind: 'connection'; readonly state: LinkState; readonly problem: string | undefined };

function App(): JSX.Element {
  const [state, dispatch] = useReducer<PageState, Action>(reduce, initialState);
  const place = usePlace();
  useEffect(
    () =>
      void followStream({
        message: dispatch,
        connection: (connection, problem) => dispatch({ kind: 'connection', state: connection, problem }),
      }),
    [],
  );
  const waiting = state.pending.length;
  const { title } = views.find(({ name }) => name === place.view) ?? views[0];
  useEffect(() => {
    document.title = `${waiting === 0 ? '' : `(${waiting}) `}${title} · Holdfast`;
  }, [waiting, title]);
  if (state.connection === 'refused') return <Closed error={undefined} />;
  return (
    <div class="frame">
      <Navigation place={place} state={state} />
      <main tabIndex={-1}>
        <header class="top">
          <h1>{title}</h1>
          <Status state={state} />
        </header>
        {state.problem === undefined ? null : (
          <p class="error" role="alert">
            {state.problem}
          </p>
        )}
        <View state={state} place={place} />
      </main>
    </div>
  );
}

/** At first, the figures of a long journal cover only its newest events. */
function Status({ state: { connection, summary, extent } }: { readonly state: PageState }): JSX.Element {
  const isReading = connection === 'live' && (summary === undefined || extent.read < extent.total);
  return (
    <span class={`connection ${isReading ? 'reading' : connection}`} role="status">
      {isReading ? 'Reading the journal' : connectionWords[connection]}
      {isReading ? (
        <span aria-hidden="true">{Math.floor((100 * extent.read) / Math.max(1, extent.total))} %</span>
      ) : null}
    </span>
  );
}

function reduce(state: PageState, action: Action): PageState {
  switch (action.kind) {
    case 'connection':
      return {
        ...state,
        connection: action.state,
        problem: action.problem,
        ...(action.state === 'lost' ? { pending: [] } : {}),
      };
    case 'events':
      return { ...state, extent: { total: action.total, read: action.read, generation: action.generation } };
    case 'summary':
      return { ...state, summary: action.summary };
    case 'approvals':
      return { ...state, pending: action.pending };
  }
}

function usePlace(): PageRoute {
  const [place, setPlace] = useState(routeOf(location.hash));
  useEffect(() => {
    const changed = (): void => setPlace(routeOf(location.hash));
    addEventListener('hashchange', changed);
    changed();
    return () => removeEventListener('hashchange', changed);
  }, []);
  return place;
}

function Navigation({ place, state }: { readonly place: PageRoute; readonly state: PageState }): JSX.Element {
  const current = useRef<HTMLUListElement>(null);
  // On a narrow screen the views are a strip that is partly out of sight.
  useEffect(
    () => current.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    [place.view],
  );
  return (
    <nav aria-label="Views">
      <a
        class="skip"
        href={hashOf(place.view, place.argument)}
        onClick={(event) => {
          event.preventDefault();
          focusOn('main');
        }}
      >
        Skip to content
      </a>
      <a class="brand" href={hashOf('overview')}>
        <img src="/icon.svg" alt="" width="22" height="22" />
        Holdfast
      </a>
      <ul ref={current}>
        {views.map(({ name, title }) => (
          <li key={name}>
            <a href={hashOf(name)} aria-current={name === place.view ? 'page' : undefined}>
              {title}
              <Count name={name} state={state} />
            </a>
          </li>
        ))}
      </ul>
      <KeyList />
    </nav>
  );
}

function Count({
  name,
  state: { pending, summary, extent },
}: {
  readonly name: ViewName;
  readonly state: PageState;
}): JSX.Element | null {
  const counts: Readonly<Partial<Record<ViewName, number>>> = {
    approvals: pending.length,
    sessions: summary?.sessions.filter(({ state }) => state === 'running').length ?? 0,
    refusals: summary?.refusals.length ?? 0,
    journal: extent.total,
  };
  const count = counts[name] ?? 0;
  if (count === 0) return null;
  return (
    <span>
      <span class={name === 'approvals' ? 'count urgent' : 'count'}>{numberText(count)}</span>
      <span class="unseen"> {countWords[name]}</span>
    </span>
  );
}

/** The words for the number beside a view. */
const countWords: Readonly<Partial<Record<ViewName, string>>> = {
  approvals: 'waiting',
  sessions: 'running',
  refusals: 'refused requests',
  journal: 'events',
};

function View({
  state,
  place: { view, argument },
}: {
  readonly state: PageState;
  readonly place: PageRoute;
}): JSX.Element {
  const { summary, pending, extent } = state;
  if (view === 'journal') return <Journal extent={extent} session={argument} key={argument} />;
  if (view === 'staged') return <Staged layer={argument} />;
  if (view === 'approvals') return <Approvals pending={pending} />;
  if (summary === undefined) return <p class="loading">Reading the journal …</p>;
  switch (view) {
    case 'overview':
      return <Overview summary={summary} pending={pending} journal={extent.total === 0 ? 'empty' : 'begun'} />;
    case 'sessions':
      return <Sessions sessions={summary.sessions} />;
    case 'refusals':
      return <Refusals refusals={summary.refusals} />;
    case 'network':
      return <NetworkPanel chart={summary.network} />;
    case 'models':
      return <Models version={summary.models} />;
  }
}

/** Shown if the page has no pass. */
function Closed({ error }: { readonly error: Error | undefined }): JSX.Element {
  return (
    <main class="closed">
      <h1>Holdfast</h1>
      {error === undefined ? <p>The link to this page works once.</p> : <ErrorNote error={error} />}
      <p>
        For a new link, press Enter in the terminal where <code>holdfast dashboard</code> runs, or start it again.
      </p>
    </main>
  );
}
