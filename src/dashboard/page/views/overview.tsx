import type { JSX } from 'preact';
import type { PendingApproval } from '../../../approvals/types.ts';
import type { SignTone } from '../../../text/signs.ts';
import type { RefusalRow, SessionRow, Summary } from '../../wire.ts';
import { bytesText, countText, numberText, shortPath } from '../format.ts';
import { Ago, Badge, Empty, Panel, RowList } from '../parts/basics.tsx';
import { hashOf, type ViewName } from '../state.ts';
import { Approvals } from './approvals.tsx';
import { NetworkPanel } from './network.tsx';
import { StagedPanel } from './staged.tsx';

export interface OverviewProps {
  readonly summary: Summary;
  readonly pending: readonly PendingApproval[];
  readonly journal: 'empty' | 'begun';
}

export function Overview({ summary, pending, journal }: OverviewProps): JSX.Element {
  if (journal === 'empty' && pending.length === 0) return <FirstSteps />;
  const { sessions, refusals, day, network } = summary;
  const running = sessions.filter(({ state }) => state === 'running');
  return (
    <>
      <div class="tiles">
        <Tile
          view="approvals"
          label="Waiting"
          value={numberText(pending.length)}
          note={pending.length === 0 ? 'no approvals' : 'for your answer'}
          state={pending.length > 0 ? 'urgent' : 'calm'}
        />
        <Tile
          view="sessions"
          label="Running"
          value={numberText(running.length)}
          note={`of the last ${countText(sessions.length, 'session')}`}
          state="calm"
        />
        <Tile view="refusals" label="Refused" value={numberText(day.refusals)} note="in 24 hours" state="calm" />
        <Tile
          view="network"
          label="Network"
          value={bytesText(day.sent + day.received)}
          note="in 24 hours"
          state="calm"
        />
      </div>
      {pending.length === 0 ? null : <Approvals pending={pending} />}
      <div class="columns">
        <Panel title="Latest refusals" note={<a href={hashOf('refusals')}>All refusals</a>}>
          <RefusalList refusals={refusals.slice(0, 3)} />
        </Panel>
        <div class="column">
          <Panel title="Sessions" note={<a href={hashOf('sessions')}>All sessions</a>}>
            <SessionList sessions={[...running, ...sessions.filter(({ state }) => state !== 'running')].slice(0, 3)} />
          </Panel>
          <StagedPanel />
        </div>
      </div>
      <NetworkPanel chart={network} />
    </>
  );
}

/** Shown in place of empty panels, which would say less. */
function FirstSteps(): JSX.Element {
  return (
    <Empty title="No sessions yet" command="holdfast run -- COMMAND">
      Refusals, approvals and connections appear here as they happen. Run a command:
    </Empty>
  );
}

interface TileProps {
  readonly view: ViewName;
  readonly label: string;
  readonly value: string;
  readonly note: string;
  readonly state: 'calm' | 'urgent';
}

function Tile({ view, label, value, note, state }: TileProps): JSX.Element {
  return (
    <a class={`tile ${state}`} href={hashOf(view)}>
      <span class="tile-label">{label}</span>
      <span class="tile-value">{value}</span>
      <span class="tile-label">{note}</span>
    </a>
  );
}

export function Refusals({ refusals }: { readonly refusals: readonly RefusalRow[] }): JSX.Element {
  return (
    <Panel title={countText(refusals.length, 'refusal')} note="By rule and message, newest first">
      <RefusalList refusals={refusals} />
    </Panel>
  );
}

function RefusalList({ refusals }: { readonly refusals: readonly RefusalRow[] }): JSX.Element {
  if (refusals.length === 0)
    return (
      <Empty title="No refusals yet" command="holdfast why --path FILE">
        Each refusal appears here with the grant that would allow it. To ask about a request before it happens:
      </Empty>
    );
  return (
    <RowList label="Refusals">
      {refusals.map((refusal) => (
        <li key={`${refusal.workspace}\n${refusal.rule}\n${refusal.message}`} class="row">
          <div class="row-head">
            <span class="row-title">{refusal.message}</span>
            <Badge tone="refused">refused{refusal.count > 1 ? ` ${numberText(refusal.count)} times` : ''}</Badge>
          </div>
          {refusal.remedy === '' ? null : <p class="remedy">{refusal.remedy}</p>}
          <p class="row-note">
            <span>
              <code>{refusal.rule}</code> in {refusal.place}
            </span>
            <span title={refusal.workspace}>{shortPath(refusal.workspace)}</span>
            <Ago time={refusal.time} />
            <a href={hashOf('journal', refusal.session)}>Events of the session</a>
          </p>
        </li>
      ))}
    </RowList>
  );
}

export function Sessions({ sessions }: { readonly sessions: readonly SessionRow[] }): JSX.Element {
  return (
    <Panel
      title={`${countText(sessions.length, 'session')}, ${numberText(sessions.filter(({ state }) => state === 'running').length)} running`}
      note="Newest first"
    >
      <SessionList sessions={sessions} />
    </Panel>
  );
}

function SessionList({ sessions }: { readonly sessions: readonly SessionRow[] }): JSX.Element {
  if (sessions.length === 0) return <Empty title="No sessions yet" command="holdfast run -- COMMAND" />;
  return (
    <RowList label="Sessions">
      {sessions.map((session) => (
        <li key={session.id}>
          <a class="row" href={hashOf('journal', session.id)}>
            <div class="row-head">
              <code class="row-title">{session.command}</code>
              <Badge tone={toneOf(session)}>{stateWords(session)}</Badge>
            </div>
            <p class="row-note">
              <span title={session.workspace}>{shortPath(session.workspace)}</span>
              <Ago time={session.startedAt} />
              {session.commands > 1 ? <span>{countText(session.commands, 'command')}</span> : null}
              {session.refusals > 0 ? (
                <span class="refused-text">✗ {countText(session.refusals, 'refusal')}</span>
              ) : null}
              {session.sent + session.received > 0 ? <span>{bytesText(session.sent + session.received)}</span> : null}
            </p>
          </a>
        </li>
      ))}
    </RowList>
  );
}

function toneOf({ state, exitCode }: SessionRow): SignTone {
  if (state === 'running') return 'live';
  return state === 'lost' || (exitCode ?? 0) !== 0 ? 'warning' : 'plain';
}

function stateWords({ state, exitCode }: SessionRow): string {
  return state === 'ended' ? `exit ${exitCode ?? '?'}` : state;
}
