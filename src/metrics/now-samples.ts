import { listLayers } from '../staged/store/index.ts';
import type { JournalMetrics } from './journal-metrics.ts';
import { residentMemory } from './process-samples.ts';
import { counted, type MetricSample } from './sample.ts';

/** Returns the gauges of this moment. `state`: the directory of the staged layers. */
export function nowSamples(journal: JournalMetrics, state: string): readonly MetricSample[] {
  const { sessions, commands, approvals, supervisors } = journal.open();
  return [
    counted('holdfast_sessions_running', {}, sessions),
    counted('holdfast_commands_running', {}, commands),
    counted('holdfast_approvals_waiting', {}, approvals),
    counted('holdfast_staged_layers', {}, listLayers(state).length),
    counted('holdfast_supervisors_running', {}, supervisors.length),
    counted('holdfast_supervisors_resident_memory_bytes', {}, residentMemory(supervisors)),
  ];
}
