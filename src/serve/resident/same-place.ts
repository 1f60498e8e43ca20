import { readFileSync, readlinkSync } from 'node:fs';
import process from 'node:process';
import type { FrontRequest } from './front-request.ts';
import { sameRuntime } from './own-runtime.ts';

/** Kinds of namespaces: what is read, connected to and shown would be another's. */
const namespaces = ['mnt', 'net', 'pid', 'user', 'ipc', 'uts', 'cgroup', 'time'] as const;

/** Lines of proc_pid_status(5): with other rights it would see and reach more, or less, than this process. */
const rights = ['Uid', 'Gid', 'Groups', 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs', 'Seccomp', 'Seccomp_filters'] as const;

/**
 * Whether a process would come to the same box by itself: it has the rights of this one, its label, root directory, namespaces and home. What
 * cannot be found out is a no.
 */
export function standsInOurPlace(pid: number, { environment }: Pick<FrontRequest, 'environment'>): boolean {
  try {
    return sameRuntime(environment, process.env) && surroundings(pid) === (own ??= surroundings('self'));
  } catch {
    return false;
  }
}

/** None of it changes in a process that changes none of it. */
let own: string | undefined;

function surroundings(pid: number | 'self'): string {
  const links = [...namespaces.map((name) => `ns/${name}`), 'root'].map((name) => readlinkSync(`/proc/${pid}/${name}`));
  const status = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  const held = rights.map((name) => status.find((line) => line.startsWith(`${name}:`)) ?? '');
  return JSON.stringify([links, held, label(pid)]);
}

/** Of AppArmor or SELinux. */
function label(pid: number | 'self'): string {
  try {
    return readFileSync(`/proc/${pid}/attr/current`, 'utf8');
  } catch {
    return '';
  }
}
