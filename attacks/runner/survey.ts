import { lstatSync, readdirSync, readFileSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Arena } from './arena.ts';
import { mountsBelow } from './arena.ts';
import { listenersOf, type World } from './world.ts';

/** The parts of the host that an attack's run could change without permission. */
export interface Survey {
  /** `TYPE PATH` of everything in the arena outside the workspace and the state directory. */
  readonly arena: ReadonlySet<string>;
  /** `TYPE PATH`, relative to the workspace. */
  readonly workspace: ReadonlySet<string>;
  /** Entries of the shared directories that belong to the run. */
  readonly shared: ReadonlySet<string>;
  readonly mounts: ReadonlySet<string>;
  /** Control groups of the run's sessions. */
  readonly groups: ReadonlySet<string>;
  /** Listening sockets of the world's machine. */
  readonly listeners: ReadonlySet<string>;
}

/** An attack's preparations are next to its script. */
const preparations = ['.attack', '.attack/'];
/**
 * The survey treats the workspace separately. `notes` belongs to the callers. Holdfast may write to its own state,
 * except for sockets that stay. A slash means that the contents are not listed.
 */
const ownState = [
  'ws',
  'ws/',
  'log',
  'notes/',
  'home/.local',
  'home/.local/state',
  'home/.local/state/holdfast',
  'home/.local/state/holdfast/',
  'run/holdfast',
  'run/holdfast/approvals',
  'run/holdfast/trust',
];
const sharedDirectories = ['/tmp', '/var/tmp', '/dev/shm', '/dev/mqueue'];
/** Git's objects have the names of their content, which includes times. */
const unpredictable = /(?:^|\/)(?:\.git\/(?:logs|index|COMMIT_EDITMSG)|objects\/[0-9a-f]{2}(?:\/|$))/u;

export function takeSurvey(arena: Arena, world: World | undefined): Survey {
  const describe = ([type, path]: Entry): string => `${type} ${path}`;
  return {
    arena: new Set(listTree(arena.root, ownState).map(describe)),
    workspace: new Set(
      listTree(arena.workspace, preparations)
        .filter(([, path]) => !unpredictable.test(path))
        .map(describe),
    ),
    shared: new Set(sharedDirectories.flatMap((directory) => ownEntries(directory, arena))),
    mounts: new Set(mountsBelow(arena.root, readFileSync('/proc/self/mountinfo', 'utf8'))),
    groups: new Set(sessionGroups(arena)),
    listeners: new Set(listenersOf(world)),
  };
}

type Entry = readonly [type: string, path: string];

/** Everything below a directory of the same file system, without going into mounts. */
function listTree(root: string, without: readonly string[]): readonly Entry[] {
  const { dev } = lstatSync(root);
  const list = (below: string): readonly Entry[] =>
    readEntries(join(root, below)).flatMap((entry): readonly Entry[] => {
      const path = join(below, entry.name);
      const own = without.includes(path) ? [] : [[typeOf(entry), path] as const];
      const enter = entry.isDirectory() && !without.includes(`${path}/`) && deviceOf(join(root, path)) === dev;
      return enter ? [...own, ...list(path)] : own;
    });
  return list('');
}

function typeOf(entry: Dirent): string {
  if (entry.isDirectory()) return 'directory';
  if (entry.isFile()) return 'file';
  if (entry.isSymbolicLink()) return 'symlink';
  return entry.isSocket() ? 'socket' : entry.isFIFO() ? 'fifo' : 'device';
}

/** Files of the run's own user, and files with its name. */
function ownEntries(directory: string, arena: Arena): readonly string[] {
  return readEntries(directory).flatMap(({ name }) => {
    const path = join(directory, name);
    const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
    return (arena.uid !== undefined && owner === arena.uid) || name.includes(arena.canary) ? [path] : [];
  });
}

/** The journal in the arena names the sessions. */
function sessionGroups(arena: Arena): readonly string[] {
  const journal = readText(join(arena.home, '.local/state/holdfast/journal.jsonl'));
  const sessions = new Set([...journal.matchAll(/"session":"([0-9a-f]+)"/gu)].map(([, id = '']) => `holdfast-${id}`));
  return sessions.size === 0 ? [] : findGroups('/sys/fs/cgroup', sessions);
}

function findGroups(directory: string, names: ReadonlySet<string>): readonly string[] {
  const inside = readEntries(directory).filter((entry) => entry.isDirectory());
  return inside.flatMap(({ name }) =>
    names.has(name) ? [join(directory, name)] : findGroups(join(directory, name), names),
  );
}

/** Returns nothing for a missing path, an unreadable one, or one that is too long. */
function readEntries(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function deviceOf(path: string): number | undefined {
  try {
    return lstatSync(path).dev;
  } catch {
    return undefined;
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
