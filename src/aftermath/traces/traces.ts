import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { boxedRebase, execCommands } from '../../git-config/rebase-list.ts';
import type { GitTrace } from '../../place/git-config/traces.ts';
import { isInside, toldWorkTree } from '../../place/host/workspace.ts';
import { readText } from '../../place/host/read-text.ts';
import { visibleMounts } from '../../place/place-plan.ts';
import type { Plan } from '../../plan/types.ts';
import { tellsOfMore } from '../extract.ts';
import { throughParent } from '../quarantine/trees.ts';
import { baseOfSplit, hidingEntries } from './index-bits.ts';

/** Something that a command left and that acts later, outside of its box. */
export interface Trace {
  readonly path: string;
  readonly what:
    | 'rebase'
    | 'exec'
    | 'ignored'
    | 'replaced'
    | 'unseen'
    | 'link'
    | 'fifo'
    | 'history'
    | 'resolved'
    | 'more';
  /** The commands, patterns, files or target. */
  readonly detail: string;
}

export interface TraceOptions {
  readonly changed: readonly GitTrace[];
  /** Reports of the guard: new links that lead out of their root, and new FIFOs. */
  readonly noted: readonly Buffer[];
  readonly plan: Pick<Plan, 'mounts' | 'protection'>;
  /** Real path of the workspace. */
  readonly root: string;
}

export interface Traces {
  readonly told: readonly Trace[];
  /** States of a rebase that have to be moved away. */
  readonly unsafe: readonly string[];
}

type Planted =
  | { readonly kind: 'nothing' }
  /** These commands run in a box from now on. */
  | { readonly kind: 'boxed'; readonly commands: readonly string[] }
  /** The list cannot be read, or cannot be replaced where it is. */
  | { readonly kind: 'unsafe' };

export function tracesOf({ changed, noted, plan, root }: TraceOptions): Traces {
  const unsafe: string[] = [];
  const ofGit = changed.flatMap((trace) => gitTrace(trace, { root, unsafe }));
  const more: readonly Trace[] = noted.some(tellsOfMore) ? [{ path: root, what: 'more', detail: '' }] : [];
  const files = noted.flatMap((report) => (tellsOfMore(report) ? [] : newFile(report.toString('utf8', 1), plan)));
  return { told: [...ofGit, ...files, ...more], unsafe };
}

/** `MOST_NOTES` of native/src/launch/guard/left.c. */
export const mostNoted = 64;

/** For a person, in one line. The detail may hold anything. */
export function traceLine({ path, what, detail }: Trace): string {
  switch (what) {
    case 'rebase':
      return `the command left a rebase in progress in ${path}`;
    case 'exec':
      return `the command put commands into the rebase ${path}; holdfast makes them run in a box: ${detail}`;
    case 'ignored':
      return `the command changed ${path}; git status leaves out: ${detail}`;
    case 'replaced':
      return `the command has git show other objects in place of ${detail} (${path})`;
    case 'unseen':
      return `the command has git status leave out changes of: ${detail} (${path})`;
    case 'link':
      return `the command left a link out of the workspace: ${path} leads to ${detail}`;
    case 'history':
      return `the command has git show another history: it wrote ${path}`;
    case 'resolved':
      return `the command has git resolve later conflicts as it recorded: ${detail} (${path})`;
    case 'more':
      return `the command made more than ${mostNoted} links and FIFOs; look for others with: find ${path} -type l -o -type p`;
    case 'fifo':
      return `the command left a FIFO, at which a program that opens it waits: ${path}`;
  }
}

interface GitPlace {
  readonly root: string;
  readonly unsafe: string[];
}

function gitTrace(trace: GitTrace, { root, unsafe }: GitPlace): readonly Trace[] {
  const { path, held } = trace;
  try {
    switch (basename(path)) {
      case 'git-rebase-todo':
        return rebaseTraces(trace, unsafe);
      case 'rebase-apply':
        return existsSync(path) ? [{ path, what: 'rebase', detail: '' }] : [];
      case 'exclude':
        return told(path, 'ignored', patternsOf(readText(path)));
      case 'replace':
        return told(path, 'replaced', namesIn(path));
      case 'packed-refs':
        return told(path, 'replaced', packedReplacements(path, held));
      case 'grafts':
      case 'shallow':
        return existsSync(path) ? [{ path, what: 'history', detail: '' }] : [];
      case 'rr-cache':
        return told(path, 'resolved', newNames(path, held));
      case 'index':
        return told(path, 'unseen', unseenFiles(trace, root));
      default:
        return [];
    }
  } finally {
    if (typeof held === 'number') closeSync(held);
  }
}

function rebaseTraces({ path, held, state }: GitTrace, unsafe: string[]): readonly Trace[] {
  const planted = boxPlanted(path, execCommands(typeof held === 'string' ? Buffer.from(held).toString('latin1') : ''));
  if (planted.kind === 'unsafe') unsafe.push(dirname(path));
  if (planted.kind === 'boxed') return told(path, 'exec', planted.commands.map(fromBytes));
  return planted.kind === 'nothing' && state === 'missing' && existsSync(path)
    ? [{ path: dirname(path), what: 'rebase', detail: '' }]
    : [];
}

function fromBytes(text: string): string {
  return Buffer.from(text, 'latin1').toString();
}

function told(path: string, what: Trace['what'], names: readonly string[]): readonly Trace[] {
  if (names.length === 0) return [];
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return [{ path, what, detail: `${names.slice(0, mostNames).join(', ')}${more}` }];
}

const mostNames = 5;

/** Lines of gitignore(5) that are patterns. */
function patternsOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory).map((name) => name.slice(0, 12));
  } catch {
    return [];
  }
}

/** The conflicts with a recorded resolution, by the beginnings of their names. */
function newNames(directory: string, held: GitTrace['held']): readonly string[] {
  const known = new Set((typeof held === 'string' ? held : '').split('\n').map((name) => name.slice(0, 12)));
  return namesIn(directory).filter((name) => !known.has(name));
}

/** `git pack-refs` moves replacements into one file. */
function packedReplacements(path: string, held: GitTrace['held']): readonly string[] {
  const known = new Set(replacementsIn(typeof held === 'string' ? held : ''));
  return replacementsIn(fileOf(path).toString('latin1'))
    .filter((name) => !known.has(name))
    .map((name) => name.slice(0, 12));
}

function replacementsIn(packed: string): readonly string[] {
  return [...packed.matchAll(/^\S+ refs\/replace\/(\S+)$/gmu)].map(([, name = '']) => name);
}

/** A sparse checkout leaves out files that are not there: they hide nothing. */
function unseenFiles(trace: GitTrace, root: string): readonly string[] {
  const directory = dirname(trace.path);
  const workTree = workTreeAt(directory, root);
  const hashBytes = /objectformat\s*=\s*sha256/iu.test(readText(join(directory, 'config'))) ? 32 : 20;
  const now = wholeIndex(fileOf(trace.path), directory, hashBytes);
  if (now.size === 0) return [];
  const known = wholeIndex(contentBefore(trace), directory, hashBytes);
  return [...now]
    .filter(
      ([name, bit]) => known.get(name) !== bit && (bit === 'assume-unchanged' || existsSync(join(workTree, name))),
    )
    .map(([name]) => (name === '' ? 'files of a split index' : fromBytes(name)));
}

/** The hiding entries of an index, and of the shared one that it builds on. */
function wholeIndex(index: Buffer, directory: string, hashBytes: 20 | 32): ReturnType<typeof hidingEntries> {
  const base = baseOfSplit(index, hashBytes);
  const shared = base === undefined ? nothing : fileOf(join(directory, `sharedindex.${base}`));
  return new Map([...hidingEntries(shared, hashBytes), ...hidingEntries(index, hashBytes)]);
}

/** Where the paths of an index begin: a linked worktree and a submodule have their own. */
function workTreeAt(gitDirectory: string, root: string): string {
  const pointer = readText(join(gitDirectory, 'gitdir')).trim();
  if (pointer !== '') return dirname(resolve(gitDirectory, pointer));
  const told = toldWorkTree(readText(join(gitDirectory, 'config')));
  return told === undefined ? root : resolve(gitDirectory, told);
}

const nothing = Buffer.alloc(0);
/** Bytes. An index of a million files has about 100 MiB. */
const largest = 128 << 20;

/** Unknown if something wrote into the file itself, as git does not. Then all its entries count as new. */
function contentBefore({ path, held }: GitTrace): Buffer {
  if (typeof held !== 'number') return nothing;
  const stats = fstatSync(held);
  const isSame = lstatSync(path, { throwIfNoEntry: false })?.ino === stats.ino;
  return stats.isFile() && !isSame && stats.size <= largest ? readFileSync(held) : nothing;
}

function fileOf(path: string): Buffer {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true && stats.size <= largest ? readFileSync(path) : nothing;
}

/** A new link out of the box, or a new FIFO, if it is still there. */
export function newFile(path: string, plan: TraceOptions['plan']): readonly Trace[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isFIFO() === true) return [{ path, what: 'fifo', detail: '' }];
  if (stats?.isSymbolicLink() !== true) return [];
  const target = resolve(dirname(path), readlinkSync(path));
  const real = realpathOf(target);
  return plan.protection.roots.some((root) => isInside(real, root)) || isHarmless(real, plan)
    ? []
    : [{ path, what: 'link', detail: target }];
}

function realpathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A virtual environment links its interpreter: a program that every box sees, or something that nobody here can write. */
function isHarmless(target: string, plan: TraceOptions['plan']): boolean {
  if (visibleMounts([{ kind: 'file', target, mode: 0, content: '' }], plan).length === 0) return false;
  const stats = statSync(target, { throwIfNoEntry: false });
  return stats !== undefined && ((stats.isFile() && (stats.mode & 0o111) !== 0) || !isWritable(target));
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes the commands harmless that a box has put into the list of a rebase. Those in `known` are a person's own. Texts
 * have one character for each byte.
 */
function boxPlanted(path: string, known: readonly string[]): Planted {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return { kind: 'nothing' };
  const text = readText(path, 'latin1');
  if (!stats.isFile() || text === '') return { kind: 'unsafe' };
  const commands = execCommands(text).filter((command) => !known.includes(command));
  if (commands.length === 0) return { kind: 'nothing' };
  try {
    const written = throughParent(Buffer.from(path), (pinned) => replaceFile(pinned, boxedRebase(text, commands)));
    return written === undefined ? { kind: 'unsafe' } : { kind: 'boxed', commands };
  } catch {
    return { kind: 'unsafe' };
  }
}

/** Replaces the name itself, also a link. */
function replaceFile(pinned: Buffer, text: string): true {
  const fresh = Buffer.concat([pinned, Buffer.from(`.${process.hrtime.bigint()}`)]);
  writeFileSync(fresh, text, { flag: 'wx', mode: 0o644, encoding: 'latin1' });
  renameSync(fresh, pinned);
  return true;
}
