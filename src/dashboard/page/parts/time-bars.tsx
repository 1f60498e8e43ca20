import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { plotLook, useScheme } from './plot-look.ts';

export interface TimeBarsProps {
  /** Starts of hours or days, in seconds since the epoch. */
  readonly times: readonly number[];
  readonly step: 'hour' | 'day';
  /** On top of each other, the first one at the top. Null is a gap. The table beside it has the same figures. */
  readonly series: readonly { readonly colour: string; readonly values: readonly (number | null)[] }[];
  /** Of which times something is not known: they get a `?`. */
  readonly unknown: readonly boolean[];
  readonly label: string;
  readonly text: (value: number) => string;
}

/** Bars over time, in UTC. */
export function TimeBars(props: TimeBarsProps): JSX.Element {
  const frame = useRef<HTMLDivElement>(null);
  const { times, series, unknown, step, label } = props;
  const scheme = useScheme();
  useEffect(
    () => (frame.current === null ? undefined : draw(frame.current, props)),
    [JSON.stringify([times, step, series, unknown, scheme])],
  );
  return <div class="chart" ref={frame} role="img" aria-label={label} style={{ height: `${height}px` }} />;
}

const height = 200;
const seconds = { hour: 3600, day: 86_400 } as const;

function draw(frame: HTMLDivElement, { times, step, series, unknown, text }: TimeBarsProps): () => void {
  const { colour, axis, letter, barsOf } = plotLook(frame);
  const bars = uPlot.paths.bars?.({ size: [0.72, 34] });
  const stacks = stacked(series.map(({ values }) => values));
  const plot = new uPlot(
    {
      width: frame.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      padding: [16, 20, 0, 0],
      tzDate: (time) => uPlot.tzDate(new Date(time * 1000), 'UTC'),
      scales: {
        x: { range: () => rangeOf(times, step) },
        y: { range: (_, __, most) => [0, Number.isFinite(most) && most > 0 ? most * 1.1 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 3.75 * letter,
          size: 1.75 * letter,
          values: step === 'hour' ? '{HH}:{mm}' : '{D} {MMM}',
          ...(step === 'day' ? { incrs: [1, 2, 7, 14, 28].map((days) => days * seconds.day) } : {}),
        },
        { ...axis, size: 4.25 * letter, values: (_, splits) => splits.map(text) },
      ],
      series: barsOf(
        series.map((one) => one.colour),
        bars,
      ),
      hooks: {
        draw: [(drawn) => markUnknown(drawn, { times, unknown, tops: stacks[0] ?? [], colour: colour('--waiting') })],
      },
    },
    [[...times], ...stacks],
    frame,
  );
  const sizes = new ResizeObserver(() => plot.setSize({ width: frame.clientWidth, height }));
  sizes.observe(frame);
  return () => {
    sizes.disconnect();
    plot.destroy();
  };
}

/** Half a step more on both sides, so that no bar is cut; a day has all of its hours. */
function rangeOf(times: readonly number[], step: TimeBarsProps['step']): [number, number] {
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const half = seconds[step] / 2;
  return [first - half, (step === 'hour' ? first + 23 * seconds.hour : last) + half];
}

/** Each bar includes the parts behind it. Bars are drawn in order, so only the own part of each stays visible. */
function stacked(values: readonly (readonly (number | null)[])[]): (number | null)[][] {
  return values.map((own, index) =>
    own.map((value, at) => (value === null ? null : values.slice(index).reduce((sum, one) => sum + (one[at] ?? 0), 0))),
  );
}

interface Marks {
  readonly times: readonly number[];
  readonly unknown: readonly boolean[];
  readonly tops: readonly (number | null)[];
  readonly colour: string;
}

function markUnknown({ ctx, valToPos }: uPlot, { times, unknown, tops, colour }: Marks): void {
  ctx.save();
  Object.assign(ctx, {
    fillStyle: colour,
    textAlign: 'center',
    textBaseline: 'bottom',
    font: `bold ${12 * devicePixelRatio}px sans-serif`,
  });
  for (const [index, time] of times.entries())
    if (unknown[index] === true)
      ctx.fillText('?', valToPos(time, 'x', true), valToPos(tops[index] ?? 0, 'y', true) - 2);
  ctx.restore();
}
