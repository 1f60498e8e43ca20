import type { JSX } from 'preact';
import type { NetworkChart } from '../../wire.ts';
import { bytesText, numberText } from '../format.ts';
import { Empty, Panel } from '../parts/basics.tsx';
import { Chart } from '../parts/chart.tsx';

export function NetworkPanel({ chart }: { readonly chart: NetworkChart }): JSX.Element {
  const isEmpty = chart.hosts.length === 0;
  return (
    <Panel title="Bytes by host" note="Last 24 hours">
      {isEmpty ? (
        <Empty title="No connection left a box">Connections stand here when they have ended.</Empty>
      ) : (
        <div class="network">
          <Chart chart={chart} height={220} />
          <HostTable chart={chart} />
        </div>
      )}
    </Panel>
  );
}

function HostTable({ chart }: { readonly chart: NetworkChart }): JSX.Element {
  return (
    <div class="table-frame" role="region" aria-label="Hosts" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col">Sent</th>
            <th scope="col">Received</th>
            <th scope="col" class="wide">Connections</th>
            <th scope="col">Refused</th>
          </tr>
        </thead>
        <tbody>
          {chart.hosts.map(({ host, sent, received, connections, refusals }, index) => (
            <tr key={host}>
              <th scope="row">
                <span class={`key key-${index + 1}`} aria-hidden="true" />
                {host}
              </th>
              <td>{bytesText(sent)}</td>
              <td>{bytesText(received)}</td>
              <td class="wide">{numberText(connections)}</td>
              <td class={refusals > 0 ? 'bad-text' : ''}>{numberText(refusals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
