import { useEffect, useState } from 'preact/hooks';
import type uPlot from 'uplot';

export interface PlotLook {
  /** Value of a name of the style sheet: `--muted`. */
  readonly colour: (name: string) => string;
  readonly axis: uPlot.Axis;
  /** The size of a letter that others follow, in pixels. */
  readonly letter: number;
  /** The series of stacked bars, after that of times. */
  readonly barsOf: (colours: readonly string[], bars: uPlot.Series.PathBuilder | undefined) => uPlot.Series[];
}

/** How all plots of the page look. */
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

/** `dark` or `light`. A plot keeps the colours that it was drawn with, so a change draws it again. */
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
