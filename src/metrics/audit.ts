import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { listLayers } from '../staged/store/open-layer.ts';
import type { JournalMetrics } from './journal-metrics.ts';
import { counted, type MetricSample } from './sample.ts';

/** Returns the figures of this process, under the names that all client libraries of Prometheus use. */
export function processSamples(version: string): readonly MetricSample[] {
  const { user, system } = process.cpuUsage();
  const descriptors = openDescriptors();
  return [
    counted('holdfast_build_info', { version, node: process.versions.node }),
    counted('process_cpu_seconds_total', {}, (user + system) / 1e6),
    counted('process_resident_memory_bytes', {}, process.memoryUsage.rss()),
    counted('process_start_time_seconds', {}, performance.timeOrigin / 1000),
    ...(descriptors === undefined ? [] : [counted('process_open_fds', {}, descriptors)]),
  ];
}

/** Undefined if the system has no such directory. */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

/** Resident memory in bytes of those processes that still run. proc_pid_status(5). */
function residentMemory(pids: readonly number[]): number {
  return pids.map(memoryOf).reduce((sum, bytes) => sum + bytes, 0);
}

function memoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Returns the current values of the gauges. `state`: the directory of the staged layers. */
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
