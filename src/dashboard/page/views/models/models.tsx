import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CountLine, Grouping, UsageRange, UsageQuery, UsageReport } from '../../../usage/types.ts';
import { get } from '../../state.ts';
import { countText, numberText, shortText } from '../../format.ts';
import { Empty, ErrorNote, Panel, useNow } from '../../parts/basics.tsx';
import { BudgetPanel } from './budgets.tsx';
import { CostPanel, TokenPanel } from './over-time.tsx';
import { tokenText } from './token-text.ts';
import { UsageTable } from './usage-table.tsx';

/** A changed `version` means that there are new calls. */
export function Models({ version }: { readonly version: number }): JSX.Element {
  const [range, setRange] = useState<UsageRange>('month');
  const [by, setBy] = useState<Grouping>('model');
  const { report, state, error } = useUsage({ range, by }, version);
  return (
    <>
      <form class="search" onSubmit={(event) => event.preventDefault()}>
        <Choice label="Time" values={ranges} value={range} choose={setRange} />
        <Choice label="Rows of the table" values={groupings} value={by} choose={setBy} />
        <span class="found" role="status">
          {report === undefined || state === 'on-its-way' ? '…' : countText(report.total?.calls ?? 0, 'call')}
        </span>
      </form>
      <ErrorNote error={error} />
      {report === undefined ? null : <Report report={report} by={by} />}
    </>
  );
}

const ranges: readonly (readonly [UsageRange, string])[] = [
  ['today', 'Today'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['month', 'This month'],
];
const groupings: readonly (readonly [Grouping, string])[] = [
  ['model', 'By model'],
  ['agent', 'By agent'],
  ['session', 'By session'],
  ['repository', 'By repository'],
  ['day', 'By day'],
];

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly values: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly choose: (value: Value) => void;
}

function Choice<Value extends string>({ label, values, value, choose }: ChoiceProps<Value>): JSX.Element {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => choose(values[currentTarget.selectedIndex]?.[0] ?? value)}
    >
      {values.map(([name, title]) => (
        <option key={name} value={name}>
          {title}
        </option>
      ))}
    </select>
  );
}

function Report({ report, by }: { readonly report: UsageReport; readonly by: Grouping }): JSX.Element {
  const { total, chart, refused, found, budgets } = report;
  return (
    <>
      <Doubts report={report} />
      {total === undefined ? (
        <Empty title="No model calls in this period" command="holdfast run --host api.anthropic.com -- COMMAND">
          Holdfast counts calls where the policy has an <code>[llm]</code> table and allows the model server. Allow one
          for one run:
        </Empty>
      ) : (
        <>
          <Totals total={total} />
          <div class="columns">
            <TokenPanel chart={chart} />
            <CostPanel chart={chart} />
          </div>
          <UsageTable report={report} by={by} />
        </>
      )}
      <BudgetPanel budgets={budgets} />
      {refused.length === 0 && found.length === 0 ? null : (
        <div class="columns even">
          <CountTable
            title="Found in requests"
            columns={['Rule', 'Decision', 'Kind', 'Finds']}
            lines={found}
            nothing="No finds in requests"
          />
          <CountTable title="Refused calls" columns={['Code', 'Calls']} lines={refused} nothing="No refused calls" />
        </div>
      )}
    </>
  );
}

function Totals({ total }: { readonly total: NonNullable<UsageReport['total']> }): JSX.Element {
  const { uncached, cacheRead, cacheWrite, output, cost, calls, failed } = total;
  const tiles = [
    ['Cost', cost === '' ? '–' : cost, 'US dollars, from list prices'],
    ['Calls', numberText(calls), failed === 0 ? 'none failed' : `${numberText(failed)} failed`],
    ['Tokens in', tokenText(total, uncached + cacheRead + cacheWrite, shortText), 'including caches'],
    ['Tokens out', tokenText(total, output, shortText), 'including reasoning'],
  ] as const;
  return (
    <div class="tiles">
      {tiles.map(([label, value, note]) => (
        <div class="tile" key={label}>
          <span class="tile-label">{label}</span>
          <span class="tile-value">{value}</span>
          <span class="tile-label">{note}</span>
        </div>
      ))}
    </div>
  );
}

/** Explains why the figures may be incomplete. */
function Doubts({ report: { unread, cut } }: { readonly report: UsageReport }): JSX.Element | null {
  if (unread === 0 && cut === 'all-there') return null;
  return (
    <Panel title="These figures may be incomplete">
      <p class="row-note">
        {unread === 0 ? null : (
          <span>{countText(unread, 'event')} could not be read. Run “holdfast audit verify”.</span>
        )}
        {cut === 'all-there' ? null : <span>The page leaves out older calls. “holdfast usage” counts all.</span>}
      </p>
    </Panel>
  );
}

interface Usage {
  /** The previous report, while a new one is being loaded. */
  readonly report: UsageReport | undefined;
  readonly state: 'there' | 'on-its-way';
  readonly error: unknown;
}

/** Sums of model calls. `version` changes when there are new calls. */
function useUsage({ range, by }: UsageQuery, version: number): Usage {
  const [usage, setUsage] = useState<Usage>({ report: undefined, state: 'on-its-way', error: undefined });
  const query = `${new URLSearchParams({ range, by })}`;
  const minute = Math.floor(useNow(minuteLength) / minuteLength);
  const asked = useRef({ query: '', at: 0 });
  useEffect(() => {
    let isWanted = true;
    const ask = async (): Promise<void> => {
      asked.current = { query, at: Date.now() };
      const outcome = await get<UsageReport>(`/usage?${query}`).then(
        (report) => ({ report, error: undefined }),
        (error: unknown) => ({ error }),
      );
      if (isWanted) setUsage((before) => ({ ...before, ...outcome, state: 'there' }));
    };
    const isNew = asked.current.query !== query;
    if (isNew) setUsage((before) => ({ ...before, state: 'on-its-way' }));
    const timer = setTimeout(() => void ask(), isNew ? 0 : Math.max(0, asked.current.at + askEvery - Date.now()));
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [query, version, minute]);
  return usage;
}

/** Milliseconds. A busy agent makes many calls, and nobody reads the figures more often. */
const askEvery = 1000;
const minuteLength = 60_000;

interface CountTableProps {
  readonly title: string;
  /** The last column is the count. */
  readonly columns: readonly string[];
  readonly lines: readonly CountLine[];
  /** Shown if there are no lines. */
  readonly nothing: string;
}

function CountTable({ title, columns, lines, nothing }: CountTableProps): JSX.Element {
  return (
    <Panel title={title}>
      {lines.length === 0 ? (
        <Empty title={nothing} />
      ) : (
        <div class="table-frame" role="region" aria-label={`${title}: table`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                {columns.map((column, index) => (
                  <th scope="col" class={index < columns.length - 1 ? 'name' : ''} key={column}>
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {lines.map(({ names, count }) => (
                <tr key={names.join('\n')}>
                  {names.map((name, index) => (
                    <th scope={index === 0 ? 'row' : undefined} class="name" key={index}>
                      {name}
                    </th>
                  ))}
                  <td>{numberText(count)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}
