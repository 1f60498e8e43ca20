import type { JSX } from 'preact';
import type { CountLine } from '../../../usage/types.ts';
import { numberText } from '../../format.ts';
import { Empty, Panel } from '../../parts/basics.tsx';

export interface CountTableProps {
  readonly title: string;
  /** The last one is of the count. */
  readonly columns: readonly string[];
  readonly lines: readonly CountLine[];
  /** Said where there are no lines. */
  readonly nothing: string;
}

export function CountTable({ title, columns, lines, nothing }: CountTableProps): JSX.Element {
  return (
    <Panel title={title}>
      {lines.length === 0 ? (
        <Empty title={nothing} />
      ) : (
        <div class="table-frame padded" role="region" aria-label={title} tabIndex={0}>
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
