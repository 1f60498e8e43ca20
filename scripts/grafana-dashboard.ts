/** Writes `docs/grafana-dashboard.json`. Run after a change of the panels below, or of the metrics that they use. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MetricName } from '../src/metrics/table.ts';

interface Query {
  readonly expr: string;
  readonly legend: string;
}

interface PanelRow {
  readonly title: string;
  readonly type: 'stat' | 'timeseries';
  readonly unit: 'short' | 'bytes' | 'Bps' | 's' | 'percentunit' | 'currencyUSD' | 'ops';
  readonly queries: readonly Query[];
}

/** The dashboard's variable chooses servers. */
const chosen = (name: MetricName, more = ''): string => `${name}{instance=~"$instance"${more}}`;
const rate = (name: MetricName, more = ''): string => `rate(${chosen(name, more)}[$__rate_interval])`;
const by = (label: string, of: string): string => `sum by (${label}) (${of})`;

const stat = (title: string, expr: string, unit: PanelRow['unit'] = 'short'): PanelRow => ({
  title,
  type: 'stat',
  unit,
  queries: [{ expr, legend: '' }],
});
const chart = (
  title: string,
  unit: PanelRow['unit'],
  ...queries: readonly (readonly [string, string])[]
): PanelRow => ({
  title,
  type: 'timeseries',
  unit,
  queries: queries.map(([legend, expr]) => ({ legend, expr })),
});

const panels: readonly PanelRow[] = [
  stat('Running sessions', `sum(${chosen('holdfast_sessions_running')})`),
  stat('Running commands', `sum(${chosen('holdfast_commands_running')})`),
  stat('Waiting approvals', `sum(${chosen('holdfast_approvals_waiting')})`),
  stat('Staged layers', `sum(${chosen('holdfast_staged_layers')})`),
  stat('Alarms, last day', `sum(increase(${chosen('holdfast_alarms_total')}[1d]))`),
  stat('Model cost, last day', `sum(increase(${chosen('holdfast_model_cost_usd_total')}[1d]))`, 'currencyUSD'),
  chart('Ended commands', 'ops', ['{{outcome}}', by('outcome', rate('holdfast_commands_ended_total'))]),
  chart('Started commands', 'ops', ['{{backend}}', by('backend', rate('holdfast_commands_started_total'))]),
  chart('Refusals by request', 'ops', ['{{request}}', by('request', rate('holdfast_refusals_total'))]),
  chart('Refusals by reason', 'ops', ['{{reason}}', by('reason', rate('holdfast_refusals_total'))]),
  chart('Connections', 'ops', ['{{outcome}}', by('outcome', rate('holdfast_connections_total'))]),
  chart('Network traffic', 'Bps', ['{{direction}}', by('direction', rate('holdfast_connection_bytes_total'))]),
  chart(
    'Approvals',
    'ops',
    ['asked: {{request}}', by('request', rate('holdfast_approvals_requested_total'))],
    ['{{decision}} ({{because}})', by('decision, because', rate('holdfast_approvals_resolved_total'))],
  ),
  chart('Mean wait for an approval', 's', [
    'wait',
    `sum(${rate('holdfast_approval_wait_seconds_total')}) / sum(${rate('holdfast_approvals_resolved_total')})`,
  ]),
  chart('Model calls', 'ops', [
    '{{provider}} {{model}} {{outcome}}',
    by('provider, model, outcome', rate('holdfast_model_calls_total')),
  ]),
  chart('Model tokens', 'ops', ['{{model}} {{kind}}', by('model, kind', rate('holdfast_model_tokens_total'))]),
  chart('Model cost per hour', 'currencyUSD', [
    '{{provider}} {{model}}',
    `${by('provider, model', rate('holdfast_model_cost_usd_total'))} * 3600`,
  ]),
  chart('Mean time of a model call', 's', [
    '{{model}}',
    `${by('model', rate('holdfast_model_call_seconds_total'))} / ${by('model', rate('holdfast_model_calls_total', ',outcome!="refused"'))}`,
  ]),
  chart(
    'Data protection',
    'ops',
    ['alarm: {{alarm}}', by('alarm', rate('holdfast_alarms_total'))],
    ['find: {{decision}}', by('decision', rate('holdfast_dlp_findings_total'))],
  ),
  chart(
    'Files of repositories',
    'ops',
    ['withheld', `sum(${rate('holdfast_withheld_files_total')})`],
    ['quarantined', `sum(${rate('holdfast_quarantined_files_total')})`],
    ['accepted changes', `sum(${rate('holdfast_staged_changes_accepted_total')})`],
  ),
  chart(
    'Server',
    'short',
    ['sessions', `sum(${chosen('holdfast_server_sessions')})`],
    ['{{state}} commands', by('state', chosen('holdfast_server_commands'))],
    ['clients', `sum(${chosen('holdfast_server_clients')})`],
  ),
  chart('Errors of the server', 'ops', ['{{code}}', by('code', rate('holdfast_server_errors_total'))]),
  chart(
    'Memory',
    'bytes',
    ['server {{instance}}', chosen('process_resident_memory_bytes')],
    ['supervisors {{instance}}', chosen('holdfast_supervisors_resident_memory_bytes')],
  ),
  chart('CPU', 'percentunit', ['server {{instance}}', rate('process_cpu_seconds_total')]),
  chart('Journal', 'ops', ['{{type}}', by('type', rate('holdfast_journal_entries_total'))]),
  chart('Uncounted entries', 'ops', ['entries', `sum(${rate('holdfast_journal_unread_entries_total')})`]),
];

const datasource = { type: 'prometheus', uid: '${datasource}' } as const;
const statWidth = 4;
const chartWidth = 12;

/** The dashboard in the form that Grafana imports. */
export function grafanaDashboard(): object {
  const stats = panels.filter(({ type }) => type === 'stat').length;
  return {
    uid: 'holdfast',
    title: 'Holdfast',
    tags: ['holdfast'],
    schemaVersion: 39,
    editable: true,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: variables },
    panels: panels.map((panel, index) => panelJson(panel, index, stats)),
  };
}

const variables = [
  { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
  {
    name: 'instance',
    label: 'Server',
    type: 'query',
    datasource,
    query: { query: 'label_values(holdfast_build_info, instance)', refId: 'instance' },
    refresh: 2,
    includeAll: true,
    multi: true,
    current: { text: ['All'], value: ['$__all'] },
  },
];

function panelJson({ title, type, unit, queries }: PanelRow, index: number, stats: number): object {
  return {
    id: index + 1,
    type,
    title,
    datasource,
    gridPos: index < stats ? statPlace(index) : chartPlace(index - stats),
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options:
      type === 'stat'
        ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value' }
        : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(({ expr, legend }, number) => ({
      refId: String.fromCodePoint(0x41 + number),
      datasource,
      expr,
      legendFormat: legend,
    })),
  };
}

function statPlace(index: number): object {
  return { x: index * statWidth, y: 0, w: statWidth, h: 4 };
}

function chartPlace(index: number): object {
  return { x: (index % 2) * chartWidth, y: 4 + Math.floor(index / 2) * 8, w: chartWidth, h: 8 };
}

export const dashboardFile = join(import.meta.dirname, '../docs/grafana-dashboard.json');

if (import.meta.main) writeFileSync(dashboardFile, `${JSON.stringify(grafanaDashboard(), undefined, 2)}\n`);
