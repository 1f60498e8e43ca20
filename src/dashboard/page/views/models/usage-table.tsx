import type { JSX } from 'preact';
import type { Grouping, UsageLine, UsageReport } from '../../../usage/types.ts';
import { numberText } from '../../format.ts';
import { Panel } from '../../parts/basics.tsx';
import { hashOf } from '../../state.ts';
import { tokenText } from './token-text.ts';

interface Column {
  readonly title: string;
  readonly of: (line: UsageLine) => string;
  /** Left out on a narrow screen. */
  readonly wide?: true;
}

/** The columns of the table of `holdfast usage`. */
const columns: readonly Column[] = [
  { title: 'Calls', of: ({ calls }) => numberText(calls) },
  { title: 'Failed', of: ({ failed }) => (failed === 0 ? '' : numberText(failed)), wide: true },
  { title: 'Partial', of: ({ partial }) => (partial === 0 ? '' : numberText(partial)), wide: true },
  { title: 'Input', of: (line) => tokenText(line, line.uncached) },
  { title: 'Cached', of: (line) => tokenText(line, line.cacheRead), wide: true },
  { title: 'Written', of: (line) => tokenText(line, line.cacheWrite), wide: true },
  { title: 'Output', of: (line) => tokenText(line, line.output) },
  { title: 'Reasoning', of: (line) => tokenText(line, line.reasoning), wide: true },
  { title: 'USD', of: ({ cost }) => cost },
];

export function UsageTable({
  report: { columns: names, rows, total, omitted },
  by,
}: {
  readonly report: UsageReport;
  readonly by: Grouping;
}): JSX.Element {
  return (
    <Panel
      title={`By ${names.join(' and ')}`}
      note={omitted === 0 ? undefined : `${numberText(omitted)} more rows: “holdfast usage” shows all`}
    >
      <div class="table-frame" role="region" aria-label="Usage" tabIndex={0}>
        <table>
          <thead>
            <tr>
              {names.map((name) => (
                <th scope="col" class="name" key={name}>
                  {`${name.slice(0, 1).toUpperCase()}${name.slice(1)}`}
                </th>
              ))}
              {columns.map(({ title, wide }) => (
                <th scope="col" class={wide === true ? 'wide' : ''} key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((line, index) => (
              <tr key={`${index} ${line.names.join('\n')}`}>
                <Names line={line} by={by} />
                <Cells line={line} />
              </tr>
            ))}
          </tbody>
          {total === undefined || rows.length < 2 ? null : (
            <tfoot>
              <tr>
                <th scope="row" class="name" colSpan={names.length}>
                  All
                </th>
                <Cells line={total} />
              </tr>
            </tfoot>
          )}
        </table>
      </div>
    </Panel>
  );
}

function Names({ line: { names }, by }: { readonly line: UsageLine; readonly by: Grouping }): JSX.Element {
  return (
    <>
      {names.map((name, index) => (
        <th scope="row" class="name" title={name} key={index}>
          {by === 'session' ? <a href={hashOf('journal', name)}>{name}</a> : name}
        </th>
      ))}
    </>
  );
}

function Cells({ line }: { readonly line: UsageLine }): JSX.Element {
  return (
    <>
      {columns.map(({ title, of, wide }) => (
        <td class={wide === true ? 'wide' : ''} key={title}>
          {of(line)}
        </td>
      ))}
    </>
  );
}
