import type { JSX } from 'preact';
import type { PendingApproval } from '../../../approvals/types.ts';
import type { Summary } from '../../wire.ts';
import { bytesText, countText, numberText } from '../format.ts';
import { Empty, Panel } from '../parts/basics.tsx';
import { hashOf, type ViewName } from '../state.ts';
import { Approvals } from './approvals.tsx';
import { NetworkPanel } from './network.tsx';
import { RefusalList } from './refusals.tsx';
import { SessionList } from './sessions.tsx';
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
        <Tile view="approvals" label="Waiting" value={numberText(pending.length)} note={pending.length === 0 ? 'nothing to answer' : 'for your answer'} state={pending.length > 0 ? 'urgent' : 'calm'} />
        <Tile view="sessions" label="Running" value={numberText(running.length)} note={`of the last ${countText(sessions.length, 'session')}`} state="calm" />
        <Tile view="refusals" label="Refused" value={numberText(day.refusals)} note="in 24 hours" state="calm" />
        <Tile view="network" label="Network" value={bytesText(day.sent + day.received)} note="in 24 hours" state="calm" />
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

/** Panels without anything in them would say less. */
function FirstSteps(): JSX.Element {
  return (
    <Empty title="Nothing has run in a box yet">
      Start with <code>holdfast run -- COMMAND</code>: what it does, what is refused, and what it asks shows here as it happens.
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
