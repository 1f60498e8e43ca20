import type { MetricSample } from './sample.ts';
import { metricTable, type MetricName, type MetricRow } from './table.ts';

/**
 * Sums by metric and labels. There are no more series than the table and the bounds of names allow. Those that are known
 * beforehand stand at 0 from the start: Prometheus sees no rise in a series that begins at 1.
 */
export class Counters {
  readonly #sums = new Map<string, { readonly sample: MetricSample; sum: number }>();

  constructor(of: MetricRow['of']) {
    for (const name of Object.keys(metricTable) as readonly MetricName[])
      if (metricTable[name].of === of) this.add(zerosOf(name));
  }

  /** Leaves out values that cannot be added: a damaged journal may hold any number. */
  add(samples: readonly MetricSample[]): void {
    for (const sample of samples) {
      if (!(sample.value >= 0 && sample.value < Infinity)) continue;
      const key = JSON.stringify([sample.name, Object.values(sample.labels)]);
      const kept = this.#sums.get(key) ?? { sample, sum: 0 };
      kept.sum += sample.value;
      this.#sums.set(key, kept);
    }
  }

  samples(): readonly MetricSample[] {
    return [...this.#sums.values()].map(({ sample, sum }) => ({ ...sample, value: sum }));
  }
}

function zerosOf(name: MetricName): readonly MetricSample[] {
  const { type, labels }: MetricRow = metricTable[name];
  const known = type === 'counter' ? combinations(Object.entries(labels)) : [];
  return known.map((one) => ({ name, labels: one, value: 0 }));
}

/** Every choice of values. None where a label has names that are not known beforehand. */
function combinations(
  labels: readonly (readonly [string, MetricRow['labels'][string]])[],
): readonly Readonly<Record<string, string>>[] {
  return labels.reduce<readonly Readonly<Record<string, string>>[]>(
    (all, [label, values]) =>
      values === 'few' ? [] : all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}
