import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';

export interface TimeBarsProps {
  /** Starts of hours or days, in seconds since the epoch. */
  readonly times: readonly number[];
  readonly step: 'hour' | 'day';
  /** Stacked series, the first one on top. Null is a gap. The table beside the plot has the same figures. */
  readonly series: readonly { readonly colour: string; readonly values: readonly (number | null)[] }[];
  /** Times with unknown values, which get a `?`. */
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

/** Adds half a step on both sides, so that no bar is cut. A day shows all of its hours. */
function rangeOf(times: readonly number[], step: TimeBarsProps['step']): [number, number] {
  const [first = 0, last = first] = [times[0], times.at(-1)];
  const half = seconds[step] / 2;
  return [first - half, (step === 'hour' ? first + 23 * seconds.hour : last) + half];
}

/** Each bar includes the parts behind it. Bars are drawn in order, so only its own part of each stays visible. */
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

interface PlotLook {
  /** The value of a style sheet variable, such as `--muted`. */
  readonly colour: (name: string) => string;
  readonly axis: uPlot.Axis;
  /** The reference letter size, in pixels. */
  readonly letter: number;
  /** Returns the series of stacked bars, which follow the series of times. */
  readonly barsOf: (colours: readonly string[], bars: uPlot.Series.PathBuilder | undefined) => uPlot.Series[];
}

/** The look of all plots of the page. */
export function plotLook(frame: HTMLDivElement): PlotLook {
  const styles = getComputedStyle(frame);
  const colour = (name: string): string => styles.getPropertyValue(name).trim();
  const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return {
    colour,
    letter,
    axis: {
      stroke: colour('--muted'),
      font: `${0.75 * letter}px ${styles.fontFamily}`,
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    },
    barsOf: (colours, bars) => [
      {},
      ...colours.map((name) => ({
        fill: colour(name),
        width: 0,
        points: { show: false },
        ...(bars === undefined ? {} : { paths: bars }),
      })),
    ],
  };
}

/** `dark` or `light`. A plot keeps the colours that it was drawn with, so a change redraws it. */
export function useScheme(): 'dark' | 'light' {
  const [scheme, setScheme] = useState(schemeNow());
  useEffect(() => {
    const changed = (): void => setScheme(schemeNow());
    dark.addEventListener('change', changed);
    return () => dark.removeEventListener('change', changed);
  }, []);
  return scheme;
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function schemeNow(): 'dark' | 'light' {
  return dark.matches ? 'dark' : 'light';
}
