import { type MetricName, metricTable } from './table.ts';

/** One value of a metric. For a counter, values are added up. */
export interface MetricSample {
  readonly name: MetricName;
  /** In the order of the table. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

type LabelsOf<Name extends MetricName> = {
  readonly [Label in keyof (typeof metricTable)[Name]['labels']]: string;
};

/** Returns a value that has exactly the labels of its metric. */
export function counted<Name extends MetricName>(name: Name, labels: LabelsOf<Name>, value = 1): MetricSample {
  return { name, labels, value };
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes the samples in the order of the table. One HELP line and one TYPE line precede the samples of each metric. */
export function metricsText(samples: readonly MetricSample[]): string {
  const byName = Map.groupBy(samples, ({ name }) => name);
  return (Object.keys(metricTable) as readonly MetricName[])
    .flatMap((name) => {
      const own = byName.get(name) ?? [];
      return own.length === 0 ? [] : [...head(name), ...own.map(line)];
    })
    .map((text) => `${text}\n`)
    .join('');
}

function head(name: MetricName): readonly string[] {
  const { help, type } = metricTable[name];
  return [`# HELP ${name} ${escaped(help, /[\\\n]/gu)}.`, `# TYPE ${name} ${type}`];
}

function line({ name, labels, value }: MetricSample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text, /[\\\n"]/gu)}"`);
  return `${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberText(value)}`;
}

function escaped(text: string, special: RegExp): string {
  return text.replace(special, (character) => (character === '\n' ? '\\n' : `\\${character}`));
}

function numberText(value: number): string {
  return Math.abs(value) === Infinity ? `${value > 0 ? '+' : '-'}Inf` : String(value);
}
