import type { JSX } from 'preact';
import type { RefusalRow } from '../../wire.ts';
import { numberText, shortPath } from '../format.ts';
import { Ago, Badge, Empty, Panel } from '../parts/basics.tsx';
import { hashOf } from '../state.ts';

export function Refusals({ refusals }: { readonly refusals: readonly RefusalRow[] }): JSX.Element {
  return (
    <Panel title={`${numberText(refusals.length)} by rule and message`} note="Newest first">
      <RefusalList refusals={refusals} />
    </Panel>
  );
}

export function RefusalList({ refusals }: { readonly refusals: readonly RefusalRow[] }): JSX.Element {
  if (refusals.length === 0) return <Empty title="Nothing was refused">What a policy refuses stands here, with what would allow it.</Empty>;
  return (
    <ul class="rows">
      {refusals.map((refusal) => (
        <li key={`${refusal.workspace}\n${refusal.rule}\n${refusal.message}`} class="row">
          <div class="row-head">
            <span class="row-title">{refusal.message}</span>
            {refusal.count > 1 ? <Badge tone="bad">×{refusal.count}</Badge> : null}
          </div>
          {refusal.remedy === '' ? null : <p class="remedy">{refusal.remedy}</p>}
          <p class="row-note">
            <span>
              <code>{refusal.rule}</code> in {refusal.place}
            </span>
            <span title={refusal.workspace}>{shortPath(refusal.workspace)}</span>
            <Ago time={refusal.time} />
            <a href={hashOf('journal', refusal.session)}>Session</a>
          </p>
        </li>
      ))}
    </ul>
  );
}
