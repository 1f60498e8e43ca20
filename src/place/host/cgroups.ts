import { accessSync, constants, readFileSync, statSync, readdirSync, rmdirSync } from 'node:fs';
import { join, dirname } from 'node:path';
import process from 'node:process';
import type { CgroupFacts } from '../../plan/facts.ts';

const controllers = ['memory', 'pids', 'cpu'] as const;

/** Places for this process's control groups: its own v2 group when delegated, v1 hierarchies when root. */
export function cgroupFacts(root = '/sys/fs/cgroup', membership = '/proc/self/cgroup'): CgroupFacts {
  const groups = parseMembership(read(membership));
  return (
    version2(root, groups) ??
    version1(root, groups) ?? { kind: 'none', reason: `no control group below ${root} may be created by this user` }
  );
}

export interface MemoryGroup {
  readonly directory: string;
  /** Its file with the most bytes that it has had so far: kernel 5.19 for version 2. */
  readonly peak: string;
}

/** The control group that the memory of a process counts in. Undefined without such a group or process. */
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

/** A group below ours can only be given controllers that ours hands down, and only if no process sits in ours. */
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

/** A group of another process namespace may be one that is just being filled. */
const grace = 60_000;
/** `holdfast-TIME-PID-…`, as sessions name themselves. */
const groupName = /^holdfast-[0-9a-z]+-([0-9a-z]+)-[0-9a-z.]+$/u;

/**
 * Removes the control groups of sessions whose supervisor and launcher were killed together, so that nobody was left to
 * do it. `groups` are those of the box that starts: dead ones lie beside them. The kernel refuses to remove one in use.
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

/** It may be in use, someone else's, or gone by now: then it is not ours to remove. */
function removeOld(group: string, now: number): void {
  try {
    if (now - statSync(group).ctimeMs > grace) rmdirSync(group);
  } catch {
    return;
  }
}
