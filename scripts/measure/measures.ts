import { components, importers, importGraph, longestChain } from './graph.ts';
import type { Source } from './source.ts';

/** The figures of one body of source. Shares are between 0 and 1. */
export interface Measures {
  readonly files: number;
  readonly codeLines: number;
  readonly fileMedian: number;
  readonly file90: number;
  readonly fileMost: number;
  readonly functionMedian: number;
  readonly function90: number;
  readonly wideLines: number;
  readonly oneImporter: number;
  readonly exports: number;
  readonly reexports: number;
  readonly chain: number;
  readonly circles: number;
  readonly sharedNames: number;
}

export type Measure = keyof Measures;

export const labels: Readonly<Record<Measure, string>> = {
  files: 'source files',
  codeLines: 'lines of code',
  fileMedian: 'lines of a file, median',
  file90: 'lines of a file, p90',
  fileMost: 'lines of a file, most',
  functionMedian: 'lines of a function, median',
  function90: 'lines of a function, p90',
  wideLines: 'lines over 120 columns',
  oneImporter: 'files with one importer',
  exports: 'exports',
  reexports: 'files that only re-export',
  chain: 'longest import chain',
  circles: 'import circles, with types',
  sharedNames: 'names of several files',
};

export const shares: ReadonlySet<Measure> = new Set(['wideLines', 'oneImporter']);

export interface Limit {
  readonly measure: Measure;
  /** `kept`: the check holds it. `goal`: it is not reached yet, and is only printed. */
  readonly kind: 'kept' | 'goal';
  readonly least?: number;
  readonly most?: number;
}

/** Limits that Holdfast's source keeps. */
export const limits: readonly Limit[] = [
  { kind: 'goal', measure: 'files', most: 1300 },
  { kind: 'kept', measure: 'fileMedian', least: 50, most: 105 },
  { kind: 'kept', measure: 'fileMost', most: 300 },
  { kind: 'kept', measure: 'function90', most: 20 },
  { kind: 'goal', measure: 'oneImporter', most: 0.25 },
  { kind: 'goal', measure: 'chain', most: 30 },
  { kind: 'kept', measure: 'circles', most: 0 },
  { kind: 'kept', measure: 'sharedNames', most: 0 },
];

export function measure(sources: readonly Source[]): Measures {
  const graph = importGraph(sources);
  const lines = sources.map((source) => source.lines);
  const functions = sources.flatMap((source) => source.functions);
  const names = sources.flatMap((source) => source.exports);
  return {
    files: sources.length,
    codeLines: sum(sources.map(({ codeLines }) => codeLines)),
    fileMedian: percentile(lines, 0.5),
    file90: percentile(lines, 0.9),
    fileMost: percentile(lines, 1),
    functionMedian: percentile(functions, 0.5),
    function90: percentile(functions, 0.9),
    wideLines: sum(sources.map(({ wideLines }) => wideLines)) / Math.max(1, sum(lines)),
    oneImporter: [...importers(graph).values()].filter((count) => count === 1).length / Math.max(1, sources.length),
    exports: names.length,
    reexports: sources.filter(({ isReexport }) => isReexport).length,
    chain: longestChain(graph),
    circles: components(graph).filter(({ length }) => length > 1).length,
    sharedNames: [...Map.groupBy(names, (name) => name).values()].filter(({ length }) => length > 1).length,
  };
}

/** A line for each exceeded limit of these kinds. */
export function excesses(measures: Measures, kinds: readonly Limit['kind'][] = ['kept', 'goal']): readonly string[] {
  return limits.flatMap(({ kind, measure: name, least = 0, most = Infinity }) => {
    if (!kinds.includes(kind)) return [];
    const value = measures[name];
    if (value >= least && value <= most) return [];
    return [
      `${labels[name]}: ${shown(name, value)}, where ${value < least ? `at least ${shown(name, least)} is asked` : `at most ${shown(name, most)} is allowed`}`,
    ];
  });
}

export function shown(name: Measure, value: number): string {
  return shares.has(name) ? `${(value * 100).toFixed(1)} %` : value.toLocaleString('en');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
