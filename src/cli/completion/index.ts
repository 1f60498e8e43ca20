/**
 * `holdfast completion`: completes the command line in a shell. The scripts are generated from every command's options
 * when Holdfast is built. At a key press they ask this module for IDs.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { Checkpoints } from '../../checkpoints/checkpoints.ts';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { findInstallation } from '../../place/host/installation.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { findWorkspace } from '../../place/host/workspace.ts';
import { findLayers } from '../../staged/store/open-layer.ts';
import { Trash } from '../../trash/trash.ts';
import { listWorktrees } from '../../worktree/create.ts';
import { openWatch } from '../approvals/answer.ts';
import type { Command, CommandInput, CommandIo } from '../command.ts';
import { listedName } from '../listing.ts';

const usage = `usage: holdfast completion bash
       holdfast completion zsh
       holdfast completion fish

Prints the completion script of a shell. It completes commands, options, names and IDs.

bash: eval "$(holdfast completion bash)" in ~/.bashrc, or into ~/.local/share/bash-completion/completions/holdfast
zsh:  into a file _holdfast in a directory of $fpath
fish: into ~/.config/fish/completions/holdfast.fish

A completion starts the holdfast in $PATH, never a holdfast named by its path, and changes nothing.`;

export const completionCommand: Command = {
  name: 'completion',
  inBox: 'works',
  usage,
  options: {},
  positionals: 'any',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    if (name === 'ids') return printIds(input, words);
    if (!shells.includes(name) || words.length > 0)
      throw new HoldfastError(
        'HF_USAGE',
        `expected bash, zsh or fish, got ${JSON.stringify(input.positionals.join(' '))}`,
        { remedy: 'write `holdfast completion bash`, zsh or fish' },
      );
    input.io.stdout.write(readFileSync(join(findInstallation().root, 'dist/completion', `holdfast.${name}`), 'utf8'));
    return 0;
  },
};

const shells: readonly string[] = ['bash', 'zsh', 'fish'];

/**
 * Prints one ID per line, with a tab and a hint. Unlistable kinds are left out, because an error would appear in the
 * line being typed.
 */
async function printIds({ io }: CommandInput, [name]: readonly string[]): Promise<number> {
  const kind = idKinds.find((known: IdKind) => known === name);
  if (kind === undefined)
    throw new HoldfastError('HF_USAGE', `expected ${idKinds.join(', ')}, got ${JSON.stringify(name ?? '')}`, {
      remedy: 'see `holdfast completion --help`',
    });
  try {
    for (const { id, hint } of await proposalsOf(kind, io)) io.stdout.write(`${id}\t${hint}\n`);
    return 0;
  } catch (error) {
    if (isHoldfastError(error) || isSystemError(error)) return 1;
    throw error;
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'errno' in error;
}

/** Kinds of IDs that `holdfast completion ids` lists. */
export type IdKind = 'layers' | 'checkpoints' | 'trash' | 'approvals' | 'worktrees' | 'sessions';

interface Proposal {
  readonly id: string;
  /** One line by which a person recognises it. */
  readonly hint: string;
}

interface Found {
  readonly id: string;
  readonly hint: readonly string[];
}

/** Newest first, and no more than a person would look through. Changes and repairs nothing. */
async function proposalsOf(kind: IdKind, io: CommandIo): Promise<readonly Proposal[]> {
  const found = await lists[kind](io);
  return found
    .filter(({ id }) => isPlain(id))
    .slice(0, most)
    .map(({ id, hint }) => ({ id, hint: shortened(hint) }));
}

const most = 200;

/**
 * A shell reads the output, so an ID must have nothing that a shell expands. Anyone may have put a name into the state
 * directory.
 */
function isPlain(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]*$/u.test(id);
}

function shortened(hint: readonly string[]): string {
  const line = hint
    .filter((part) => part !== '')
    .map(listedName)
    .join('  ');
  return line.length <= 72 ? line : `${line.slice(0, 71)}…`;
}

type List = (io: CommandIo) => readonly Found[] | Promise<readonly Found[]>;

const endBytes = 1 << 20;

const lists: Readonly<Record<IdKind, List>> = { layers, checkpoints, trash, approvals, worktrees, sessions };

const idKinds = Object.keys(lists) as readonly IdKind[];

function paths({ environment }: CommandIo): ReturnType<typeof statePaths> {
  return statePaths(homedir(), environment);
}

function layers(io: CommandIo): readonly Found[] {
  const { root } = findWorkspace({ cwd: io.cwd, home: homedir() });
  const own = findLayers(paths(io).state).layers.filter(({ workspace }) => workspace === root);
  return own.map(({ id, created }) => ({ id, hint: [timeText(created)] }));
}

function checkpoints(io: CommandIo): readonly Found[] {
  const { root } = findWorkspace({ cwd: io.cwd, home: homedir() });
  const all = new Checkpoints({ directory: paths(io).checkpoints, workspace: root }).list();
  return all.toReversed().map(({ id, created, name }) => ({ id, hint: [timeText(created), name] }));
}

function trash(io: CommandIo): readonly Found[] {
  return new Trash({ directory: paths(io).trash })
    .list()
    .toReversed()
    .map(({ id, path }) => ({ id, hint: [path.toString()] }));
}

async function approvals(io: CommandIo): Promise<readonly Found[]> {
  const watch = openWatch(io);
  try {
    await watch.ready;
    return watch.pending().map(({ id, title }) => ({ id, hint: [title] }));
  } finally {
    watch.close();
  }
}

function worktrees(io: CommandIo): readonly Found[] {
  return listWorktrees(`${paths(io).state}/worktrees`)
    .toReversed()
    .map(({ id, branch }) => ({ id, hint: [branch] }));
}

/** Reads only the journal's end: the index may have to be built first, which takes too long for a key press. */
function sessions(io: CommandIo): readonly Found[] {
  const starts = readEnd(paths(io).journal, endBytes)
    .split('\n')
    .filter((line) => line.includes('"session.start"'));
  return starts.toReversed().flatMap((line) => {
    const entry = parsed(line) as
      | { readonly session?: unknown; readonly time?: unknown; readonly argv?: unknown }
      | undefined;
    const argv = Array.isArray(entry?.argv) ? entry.argv.join(' ') : '';
    return typeof entry?.session === 'string'
      ? [{ id: entry.session, hint: [String(entry.time).slice(0, 16), argv] }]
      : [];
  });
}

function readEnd(path: string, bytes: number): string {
  const descriptor = openSync(path, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const buffer = Buffer.alloc(Math.min(size, bytes));
    readSync(descriptor, buffer, 0, buffer.length, size - buffer.length);
    return buffer.toString('utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** The first line read may be cut. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function timeText(time: number): string {
  return new Date(time).toISOString().slice(0, 16);
}
