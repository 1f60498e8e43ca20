import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { counted, type MetricSample } from './sample.ts';

/** Returns the figures of this process, with the names that every client library of Prometheus gives them. */
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

/** Undefined where there is no such directory. */
function openDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

/** Resident memory in bytes of processes that still run. proc_pid_status(5). */
export function residentMemory(pids: readonly number[]): number {
  return pids.map(memoryOf).reduce((sum, bytes) => sum + bytes, 0);
}

function memoryOf(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
