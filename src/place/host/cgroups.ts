import { accessSync, constants, readFileSync, statSync, readdirSync, rmdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import process from 'node:process';
import type { CgroupFacts } from '../../plan/facts.ts';

const controllers = ['memory', 'pids', 'cpu'] as const;

/** Finds where this process can make control groups: its own v2 group if delegated, v1 hierarchies if root. */
export function cgroupFacts(root = '/sys/fs/cgroup', membership = '/proc/self/cgroup'): CgroupFacts {
  const groups = parseMembership(read(membership));
  return (
    version2(root, groups) ??
    version1(root, groups) ?? { kind: 'none', reason: `no control group below ${root} may be created by this user` }
  );
}

export interface MemoryGroup {
  readonly directory: string;
  /** File with the highest number of bytes so far. Version 2 has it since kernel 5.19. */
  readonly peak: string;
}

/** The control group that counts the memory of a process. Undefined if there is no such group or process. */
export function memoryGroupOf(process: number | 'self', root = '/sys/fs/cgroup'): MemoryGroup | undefined {
  const groups = parseMembership(read(`/proc/${process}/cgroup`));
  if (groups.has('memory'))
    return memoryGroup(groupDirectory(join(root, 'memory'), groups.get('memory')), 'memory.max_usage_in_bytes');
  return groups.has('') ? memoryGroup(groupDirectory(root, groups.get('')), 'memory.peak') : undefined;
}

function memoryGroup(directory: string, file: string): MemoryGroup {
  return { directory, peak: join(directory, file) };
}

/** Lines of /proc/PID/cgroup: `ID:CONTROLLERS:PATH`, with an empty controller list for version 2. */
function parseMembership(text: string): ReadonlyMap<string, string> {
  const entries = text.split('\n').flatMap((line): [string, string][] => {
    const [, names, path] = /^\d+:([^:]*):(.*)$/u.exec(line) ?? [];
    return names === undefined || path === undefined ? [] : names.split(',').map((name) => [name, path]);
  });
  return new Map(entries);
}

/** A child group can only use controllers that this group delegates, and only if no process is in this group. */
function version2(root: string, groups: ReadonlyMap<string, string>): CgroupFacts | undefined {
  const directory = groupDirectory(root, groups.get(''));
  const handedDown = read(join(directory, 'cgroup.subtree_control')).split(/\s+/u);
  const available = controllers.filter((name) => handedDown.includes(name));
  return available.length > 0 && isWritable(directory) ? { kind: 'v2', directory, controllers: available } : undefined;
}

function version1(root: string, groups: ReadonlyMap<string, string>): CgroupFacts | undefined {
  const found = controllers.flatMap((name): [string, string][] => {
    const directory = groupDirectory(join(root, name), groups.get(name));
    return isWritable(directory) ? [[name, directory]] : [];
  });
  return found.length > 0 ? { kind: 'v1', directories: Object.fromEntries(found) } : undefined;
}

function groupDirectory(hierarchy: string, path = '/'): string {
  return path === '/' ? hierarchy : join(hierarchy, path);
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return statSync(directory).isDirectory();
  } catch {
    return false;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Milliseconds. A younger group may belong to a box that is just starting in another PID namespace. */
const grace = 60_000;
/** `holdfast-TIME-PID-…`, after the name of the session. */
const groupName = /^holdfast-[0-9a-z]+-([0-9a-z]+)-[0-9a-z.]+$/u;

/**
 * Removes the control groups of sessions whose supervisor and launcher were killed together, so that nobody else could.
 * `groups` are those of the box that starts, and dead ones are next to them. The kernel refuses to remove a group in
 * use.
 */
export function removeDeadGroups(groups: readonly string[], now = Date.now()): void {
  for (const parent of new Set(groups.map((group) => dirname(group)))) {
    for (const name of entries(parent)) {
      const pid = groupName.exec(name)?.[1];
      if (pid !== undefined && !isAlive(parseInt(pid, 36))) removeOld(join(parent, name), now);
    }
  }
}

function entries(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** The group may be in use, belong to someone else, or be gone. Then it stays. */
function removeOld(group: string, now: number): void {
  try {
    if (now - statSync(group).ctimeMs > grace) rmdirSync(group);
  } catch {
    return;
  }
}
