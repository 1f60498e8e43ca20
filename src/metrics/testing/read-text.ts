export interface ReadMetric {
  readonly help: string;
  readonly type: string;
  readonly samples: readonly { readonly labels: Readonly<Record<string, string>>; readonly value: number }[];
}

/**
 * Reads the text format of Prometheus strictly. A metric has one HELP, then one TYPE, then its samples. No series comes
 * twice, and the text ends with a line break. Throws for anything else.
 */
export function readMetricsText(text: string): ReadonlyMap<string, ReadMetric> {
  if (!text.endsWith('\n')) throw new Error('no line break at the end');
  const metrics = new Map<string, ReadMetric>();
  let name = '';
  let [help, series] = ['', new Set<string>()];
  for (const line of text.slice(0, -1).split('\n')) {
    const described = /^# HELP (\w+) (.+)$/u.exec(line);
    const typed = /^# TYPE (\w+) (counter|gauge)$/u.exec(line);
    if (described !== null) {
      [name, help, series] = [described[1] ?? '', described[2] ?? '', new Set()];
    } else if (typed !== null) {
      if (typed[1] !== name || metrics.has(name)) throw new Error(`a second or foreign TYPE: ${line}`);
      metrics.set(name, { help, type: typed[2] ?? '', samples: [] });
    } else {
      const metric = metrics.get(name);
      const sample = readSample(line, name);
      const key = JSON.stringify(Object.entries(sample.labels).toSorted());
      if (metric === undefined || series.has(key)) throw new Error(`a sample without its TYPE, or twice: ${line}`);
      series.add(key);
      metrics.set(name, { ...metric, samples: [...metric.samples, sample] });
    }
  }
  return metrics;
}

function readSample(line: string, name: string): ReadMetric['samples'][number] {
  const [whole, found, pairs = '', value = ''] =
    /^([a-z_]\w*)(?:\{((?:[a-z_]+="(?:[^"\\]|\\[\\"n])*",?)+)\})? (\S+)$/u.exec(line) ?? [];
  if (whole === undefined || found !== name) throw new Error(`no sample of ${name}: ${line}`);
  const labels = [...pairs.matchAll(/([a-z_]+)="((?:[^"\\]|\\[\\"n])*)"/gu)].map(
    ([, label = '', text = '']) =>
      [label, text.replace(/\\(.)/gu, (_, one) => (one === 'n' ? '\n' : String(one)))] as const,
  );
  const number = value === '+Inf' ? Infinity : Number(value);
  if (value === '' || Number.isNaN(number)) throw new Error(`no value: ${line}`);
  return { labels: Object.fromEntries(labels), value: number };
}
