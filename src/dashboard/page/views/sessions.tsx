import type { JSX } from 'preact';
import type { SessionRow, Tone } from '../../wire.ts';
import { bytesText, countText, numberText, shortPath } from '../format.ts';
import { Ago, Badge, Empty, Panel } from '../parts/basics.tsx';
import { hashOf } from '../state.ts';

export function Sessions({ sessions }: { readonly sessions: readonly SessionRow[] }): JSX.Element {
  return (
    <Panel title={`${numberText(sessions.filter(({ state }) => state === 'running').length)} running, ${numberText(sessions.length)} in all`} note="Newest first">
      <SessionList sessions={sessions} />
    </Panel>
  );
}

export function SessionList({ sessions }: { readonly sessions: readonly SessionRow[] }): JSX.Element {
  if (sessions.length === 0) return <Empty title="No session yet">Start one with “holdfast run -- COMMAND”.</Empty>;
  return (
    <ul class="rows">
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
              {session.refusals > 0 ? <span class="bad-text">{countText(session.refusals, 'refusal')}</span> : null}
              {session.sent + session.received > 0 ? <span>{bytesText(session.sent + session.received)}</span> : null}
            </p>
          </a>
        </li>
      ))}
    </ul>
  );
}

function toneOf({ state, exitCode }: SessionRow): Tone {
  if (state === 'running') return 'good';
  return state === 'lost' || (exitCode ?? 0) !== 0 ? 'warning' : 'plain';
}

function stateWords({ state, exitCode }: SessionRow): string {
  return state === 'ended' ? `exit ${exitCode ?? '?'}` : state;
}
