import type { MetricName, metricTable } from './table.ts';

/** One value of a metric. The counters add it up, where it is of a counter. */
export interface MetricSample {
  readonly name: MetricName;
  /** In the order of the table. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type LabelsOf<Name extends MetricName> = {
  readonly [Label in keyof (typeof metricTable)[Name]['labels']]: string;
};

/** Returns a value with exactly the labels of its metric. */
export function counted<Name extends MetricName>(name: Name, labels: LabelsOf<Name>, value = 1): MetricSample {
  return { name, labels, value };
}
