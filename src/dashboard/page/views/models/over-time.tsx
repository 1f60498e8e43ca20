import type { JSX } from 'preact';
import type { TokenSums, UsageBucket, UsageChart } from '../../../usage/types.ts';
import { numberText, shortText } from '../../format.ts';
import { Panel } from '../../parts/basics.tsx';
import { TimeBars } from '../../parts/time-bars.tsx';
import { tokenText } from './token-text.ts';

const classes: readonly (readonly [name: keyof TokenSums, title: string])[] = [
  ['output', 'Output, with reasoning'],
  ['uncached', 'Input, not cached'],
  ['cacheWrite', 'Written to caches'],
  ['cacheRead', 'Read from caches'],
];

export function TokenPanel({ chart: { step, buckets } }: { readonly chart: UsageChart }): JSX.Element {
  const series = classes.map(([name], index) => ({
    colour: `--series-${index + 1}`,
    values: buckets.map(({ tokens }) => tokens?.[name] ?? null),
  }));
  return (
    <Panel title="Tokens" note={`By ${step}, UTC`}>
      <div class="network">
        <TimeBars
          times={buckets.map(({ time }) => time)}
          step={step}
          series={series}
          unknown={buckets.map(({ untold }) => untold > 0)}
          label={`Tokens by ${step}, by class; the table below has the figures`}
          text={shortText}
        />
        <ul class="legend">
          {classes.map(([name, title], index) => (
            <li key={name}>
              <span class={`key key-${index + 1}`} aria-hidden="true" />
              {title}
            </li>
          ))}
          {buckets.some(({ untold }) => untold > 0) ? <li>? Some calls reported no tokens</li> : null}
        </ul>
        <Figures buckets={buckets} step={step} />
      </div>
    </Panel>
  );
}

export function CostPanel({ chart: { step, buckets } }: { readonly chart: UsageChart }): JSX.Element {
  return (
    <Panel title="Cost" note="US dollars, from list prices">
      <div class="network">
        <TimeBars
          times={buckets.map(({ time }) => time)}
          step={step}
          series={[{ colour: '--series-2', values: buckets.map(({ usd }) => usd) }]}
          unknown={buckets.map(({ unpriced }) => unpriced > 0)}
          label={`Cost by ${step}; the table beside it has the figures`}
          text={dollars}
        />
        {buckets.some(({ unpriced }) => unpriced > 0) ? (
          <ul class="legend">
            <li>? Some calls have no known price. Add [[llm.prices]] to the policy.</li>
          </ul>
        ) : null}
      </div>
    </Panel>
  );
}

/** The same figures as text. */
function Figures({
  buckets,
  step,
}: {
  readonly buckets: readonly UsageBucket[];
  readonly step: UsageChart['step'];
}): JSX.Element {
  return (
    <details class="figures">
      <summary>Figures by {step}</summary>
      <div class="table-frame" role="region" aria-label={`Figures by ${step}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{step === 'hour' ? 'Hour' : 'Day'} (UTC)</th>
              <th scope="col">Calls</th>
              {classes.map(([name, title]) => (
                <th scope="col" key={name}>
                  {title}
                </th>
              ))}
              <th scope="col">USD</th>
            </tr>
          </thead>
          <tbody>
            {buckets.map((bucket) => (
              <tr key={bucket.time}>
                <th scope="row">{timeText(bucket.time, step)}</th>
                <td>{numberText(bucket.calls)}</td>
                {classes.map(([name]) => (
                  <td key={name}>
                    {bucket.tokens === null ? '?' : tokenText({ ...bucket, failed: 0 }, bucket.tokens[name])}
                  </td>
                ))}
                <td>{bucket.cost === '' ? '–' : bucket.cost}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

function timeText(time: number, step: UsageChart['step']): string {
  const text = new Date(time * 1000).toISOString();
  return step === 'hour' ? text.slice(11, 16) : text.slice(0, 10);
}

function dollars(value: number): string {
  return `$${value >= 1 || value === 0 ? value.toFixed(value < 10 && value % 1 !== 0 ? 2 : 0) : value.toPrecision(2)}`;
}
