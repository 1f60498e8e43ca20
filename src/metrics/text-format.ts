import type { MetricSample } from './sample.ts';
import { metricTable, type MetricName } from './table.ts';

/** https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Writes the samples in the order of the table. Each metric has one HELP and one TYPE line before its samples. */
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
