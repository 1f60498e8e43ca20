import { closeSync, fsyncSync, lstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { worktreeRefused } from './git.ts';

/** One worktree of a session, as in its marker. */
export interface Worktree {
  /** 16 hexadecimal digits, also the name of its directory. */
  readonly id: string;
  /** Top of its workspace. */
  readonly repository: string;
  readonly branch: string;
  /** Hexadecimal name of its first commit. */
  readonly base: string;
  /** ISO 8601. */
  readonly made: string;
  /** `making` and `removing` last only as long as their process. */
  readonly state: 'making' | 'ready' | 'removing';
  readonly pid: number;
}

const markerName = 'worktree.json';
const version = 1;
const longest = 65_536;

export const isId = (name: string): boolean => /^[0-9a-f]{16}$/u.test(name);
export const treeOf = (directory: string, id: string): string => join(directory, id, 'tree');

/** Writes the marker of a directory atomically: a reader sees the old one or the new one. */
export function writeMarker(directory: string, worktree: Worktree): void {
  const temporary = join(directory, `.${markerName}.${process.pid}`);
  writeFileSync(temporary, `${JSON.stringify({ version, ...worktree })}\n`, { mode: 0o600 });
  const file = openSync(temporary, 'r');
  fsyncSync(file);
  closeSync(file);
  renameSync(temporary, join(directory, markerName));
}

/** Throws `HF_WORKTREE_REFUSED` for a directory that is not ours, in which nothing may be changed. */
export function readMarker(directory: string): Worktree {
  const foreign = (why: string) =>
    worktreeRefused(
      `${directory} was not made by Holdfast: ${why}`,
      'inspect it yourself; Holdfast changed nothing in it',
    );
  const place = lstatSync(directory, { throwIfNoEntry: false });
  if (place === undefined)
    throw worktreeRefused(`there is no worktree ${basename(directory)}`, 'see `holdfast worktree list`');
  if (!place.isDirectory()) throw foreign('it is not a directory');
  if (place.uid !== process.getuid?.()) throw foreign('it belongs to another user');
  const file = lstatSync(join(directory, markerName), { throwIfNoEntry: false });
  if (file?.isFile() !== true || file.size > longest || file.uid !== place.uid)
    throw foreign(`it has no ${markerName}`);
  const worktree = parseMarker(readFileSync(join(directory, markerName), 'utf8'));
  if (worktree === undefined) throw foreign(`its ${markerName} is damaged`);
  return worktree;
}

/** A directory whose name differs from its marker is a copy, or was moved. */
export function readWorktree(directory: string, id: string): Worktree {
  if (!isId(id))
    throw worktreeRefused(`${JSON.stringify(id)} is not the name of a worktree`, 'see `holdfast worktree list`');
  const worktree = readMarker(join(directory, id));
  if (worktree.id !== id)
    throw worktreeRefused(
      `${join(directory, id)} carries the marker of ${worktree.id}`,
      'inspect it yourself; Holdfast changed nothing in it',
    );
  return worktree;
}

function parseMarker(text: string): Worktree | undefined {
  const value = record(text);
  const { id, repository, branch, base, made, state, pid } = value;
  const isSound =
    value['version'] === version &&
    typeof id === 'string' &&
    isId(id) &&
    typeof repository === 'string' &&
    repository.startsWith('/') &&
    !repository.includes('\0') &&
    typeof branch === 'string' &&
    branchProblem(branch) === undefined;
  if (
    !isSound ||
    typeof base !== 'string' ||
    !/^[0-9a-f]{40,64}$/u.test(base) ||
    typeof made !== 'string' ||
    Number.isNaN(Date.parse(made))
  )
    return undefined;
  if (
    (state !== 'making' && state !== 'ready' && state !== 'removing') ||
    typeof pid !== 'number' ||
    !Number.isSafeInteger(pid) ||
    pid < 1
  )
    return undefined;
  return { id, repository, branch, base, made, state, pid };
}

type Fields = Readonly<Partial<Record<keyof Worktree | 'version', unknown>>>;

function record(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * Returns whether the process that makes or removes it still runs. A reused PID counts as running, which harms nothing.
 */
export function isBusy({ state, pid }: Worktree): boolean {
  if (state === 'ready' || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Bytes of a file name that every file system accepts. Git stores branches as files. */
const branchNameLongest = 200;
const part = /^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$/u;

/**
 * Returns the problem with a new branch's name, or undefined. Allows far less than git. No part can be an option
 * (`--upload-pack=…`), a path (`../..`), a revision (`@{1}`), or the name of one of git's own refs.
 */
export function branchProblem(name: string): string | undefined {
  if (name.length === 0 || name.length > branchNameLongest) return `a branch has 1 to ${branchNameLongest} letters`;
  const parts = name.split('/');
  if (parts.some((each) => !part.test(each) || each.includes('..')))
    return 'use letters, digits, dots, hyphens and underscores, in parts with / between them';
  if (parts.some((each) => /\.lock$/iu.test(each))) return 'no part may end with .lock';
  if (
    parts[0]?.toLowerCase() === 'refs' ||
    /^(?:HEAD|ORIG_HEAD|FETCH_HEAD|MERGE_HEAD)$/iu.test(name) ||
    /^[0-9a-f]{40,64}$/iu.test(name)
  )
    return 'git itself uses such a name';
  return undefined;
}
