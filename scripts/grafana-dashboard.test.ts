import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type MetricRow, metricTable } from '../src/metrics/table.ts';
import { dashboardFile, grafanaDashboard } from './grafana-dashboard.ts';

const rows: Readonly<Record<string, MetricRow>> = metricTable;

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly refId: string; readonly expr: string; readonly legendFormat: string }[];
  }[];
}

const text = readFileSync(dashboardFile, 'utf8');
const { panels } = JSON.parse(text) as Dashboard;
const targets = panels.flatMap((panel) => panel.targets.map((target) => [panel.title, target] as const));

test('the dashboard is current (else: node scripts/grafana-dashboard.ts)', () => {
  expect(text).toBe(`${JSON.stringify(grafanaDashboard(), undefined, 2)}\n`);
});

test.each(targets)('%s uses metrics and labels that exist', (_, { expr, legendFormat }) => {
  const names = [...expr.matchAll(/\b(?:holdfast|process)_\w+/gu)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(0);
  const labels = names.flatMap((name) => Object.keys(rows[name]?.labels ?? {}));
  for (const name of names) expect(rows).toHaveProperty(name);
  const wanted = [
    ...[...expr.matchAll(/by \(([^)]+)\)/gu)].flatMap(([, list = '']) => list.split(', ')),
    ...[...expr.matchAll(/(\w+)[!=]~?"/gu)].map(([, label = '']) => label),
    ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/gu)].map(([, label = '']) => label),
  ];
  for (const label of wanted) expect(['instance', ...labels]).toContain(label);
  // A counter appears as a rate, because its sum only shows the server's running time.
  for (const name of names.filter((one) => one.endsWith('_total')))
    expect(expr).toMatch(new RegExp(`(?:rate|increase)\\(${name}\\{`, 'u'));
});

test('its panels do not overlap, and fit the grid', () => {
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(panels.every(({ gridPos }) => gridPos.x + gridPos.w <= 24)).toBe(true);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
