import type uPlot from 'uplot';

export interface PlotLook {
  /** What a name of the style sheet stands for: `--muted`. */
  readonly colour: (name: string) => string;
  readonly axis: uPlot.Axis;
  /** The series of stacked bars, after that of times. */
  readonly barsOf: (colours: readonly string[], bars: uPlot.Series.PathBuilder | undefined) => uPlot.Series[];
}

/** How all plots of the page look. */
export function plotLook(frame: HTMLDivElement): PlotLook {
  const styles = getComputedStyle(frame);
  const colour = (name: string): string => styles.getPropertyValue(name).trim();
  return {
    colour,
    axis: {
      stroke: colour('--muted'),
      font: `11px ${styles.fontFamily}`,
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
