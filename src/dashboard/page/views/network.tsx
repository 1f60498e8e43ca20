import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import type { NetworkChart } from '../../wire.ts';
import { bytesText, numberText } from '../format.ts';
import { Empty, Panel } from '../parts/basics.tsx';
import { plotLook, useScheme } from '../parts/time-bars.tsx';

export function NetworkPanel({ chart }: { readonly chart: NetworkChart }): JSX.Element {
  const isEmpty = chart.hosts.length === 0;
  return (
    <Panel title="Bytes by host" note="Last 24 hours">
      {isEmpty ? (
        <Empty title="No connections yet" command="holdfast run --host example.com -- COMMAND">
          Connections appear here when they end. Allow a host for one run:
        </Empty>
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
            <th scope="col" class="wide">
              Connections
            </th>
            <th scope="col">Refused</th>
          </tr>
        </thead>
        <tbody>
          {chart.hosts.map(({ host, sent, received, connections, refusals }, index) => (
            <tr key={host}>
              <th scope="row">
                <span class="host">
                  <span class={`key key-${index + 1}`} aria-hidden="true" />
                  <span>{host}</span>
                </span>
              </th>
              <td>{bytesText(sent)}</td>
              <td>{bytesText(received)}</td>
              <td class="wide">{numberText(connections)}</td>
              <td class={refusals > 0 ? 'refused-text' : ''}>{numberText(refusals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Bytes over time, with hosts stacked. The table below it has the same figures. */
function Chart({ chart, height }: { readonly chart: NetworkChart; readonly height: number }): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const scheme = useScheme();
  useEffect(() => draw(frame.current, chart, height), [chart, height, scheme]);
  return (
    <div
      class="chart"
      ref={frame}
      role="img"
      aria-label="Bytes sent and received over time, by host"
      style={{ height: `${height}px` }}
    />
  );
}

function draw(frame: HTMLDivElement | null, chart: NetworkChart, height: number): (() => void) | undefined {
  if (frame === null) return undefined;
  const { axis, letter, barsOf } = plotLook(frame);
  const bars = uPlot.paths.bars?.({ size: [0.75, 18] });
  const plot = new uPlot(
    {
      width: frame.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 4, 0, 0],
      scales: { y: { range: (_, __, most) => [0, Math.max(most * 1.1, 1)] } },
      axes: [
        { ...axis, grid: { show: false }, space: 5 * letter, size: 1.75 * letter, values: '{HH}:{mm}' },
        {
          ...axis,
          size: 4 * letter,
          incrs: increments,
          values: (_, splits) => splits.map((bytes) => bytesText(bytes).replace('.0 ', ' ')),
        },
      ],
      series: barsOf(
        chart.hosts.map((_, index) => `--series-${index + 1}`),
        bars,
      ),
    },
    [[...chart.times], ...stacked(chart)],
    frame,
  );
  const sizes = new ResizeObserver(() => plot.setSize({ width: frame.clientWidth, height }));
  sizes.observe(frame);
  return () => {
    sizes.disconnect();
    plot.destroy();
  };
}

/** Steps of the axis that have one significant digit. */
const increments = Array.from({ length: 14 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

/**
 * Each bar includes its host and those behind it. They are drawn in order, so only its own part of each stays visible.
 */
function stacked({ times, hosts }: NetworkChart): number[][] {
  return hosts.map((_, index) =>
    times.map((__, at) => hosts.slice(index).reduce((sum, { bytes }) => sum + (bytes[at] ?? 0), 0)),
  );
}
