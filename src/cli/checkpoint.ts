import { homedir } from 'node:os';
import { Checkpoints, type ShownDifference } from '../checkpoints/checkpoints.ts';
import type { CheckpointSummary, CheckpointEntry, CheckpointLeftOut } from '../checkpoints/types.ts';
import { HoldfastError } from '../errors/index.ts';
import {
  createJournalled,
  removeCheckpoint,
  restoreCheckpoint,
  type CheckpointGround,
} from '../checkpoints/session/checkpoint-work.ts';
import { statePaths } from '../place/host/state-paths.ts';
import { findWorkspace } from '../place/host/workspace.ts';
import { visibleName } from '../staged/diff/visible-text.ts';
import { type Command, type CommandInput, isSet, jsonText, printResult, optionText } from './command.ts';
import { namedAction, usageError } from './usage-error.ts';
import { sizeText, howMany, lastItems, listedName } from './listing.ts';
import { lookOf } from './terminal/look.ts';
import { type TableColumn, terminalTable } from './terminal/terminal-table.ts';
import { patchLines } from './patch-lines.ts';
import { progressOf } from './progress.ts';

const usage = `usage: holdfast checkpoint create [NAME] [--json]
       holdfast checkpoint [list] [--last N] [--json]
       holdfast checkpoint diff ID [ID] [--patch] [--json]
       holdfast checkpoint restore ID [--json]
       holdfast checkpoint remove ID [--json]

create:  saves the workspace: every file, including .git and ignored files, with modes, times, attributes and links.
list:    lists the checkpoints of this workspace, newest last (default: the last 50).
diff:    shows the changes since a checkpoint, or between two; --patch shows the lines.
restore: brings the workspace back to a checkpoint. It first saves the current state, so that you can undo it.
remove:  deletes a checkpoint, and the contents that no other checkpoint needs.

ID can be a name, or any unique prefix of an ID. --workspace DIR selects another workspace.`;

export const checkpointCommand: Command = {
  name: 'checkpoint',
  usage,
  options: {
    workspace: { type: 'string' },
    json: { type: 'boolean' },
    last: { type: 'string' },
    patch: { type: 'boolean' },
  },
  positionals: 'any',
  alone: 'list',
  async run(input) {
    const [name = '', ...words] = input.positionals;
    const action = namedAction('checkpoint', actions, name);
    const [least, most] = action.words;
    if (words.length < least || words.length > most) throw usageError('checkpoint', wrongWords(name, action.words));
    return action.run(input, openCheckpoints(input), words);
  },
};

function wrongWords(name: string, [least, most]: Action['words']): string {
  if (name === 'create') return 'checkpoint create takes at most one name';
  if (most === 0) return `checkpoint ${name} takes no ID`;
  return `checkpoint ${name} needs ${least === most ? 'one ID' : 'one or two IDs'}`;
}

interface Action {
  readonly words: readonly [least: number, most: number];
  readonly run: (input: CommandInput, ground: CheckpointGround, words: readonly string[]) => number;
}

const mostNamed = 20;

const reasons: Readonly<Record<CheckpointLeftOut['reason'], string>> = {
  socket: 'a socket, which only its program can make',
  device: 'a device',
  'other-file-system': 'another file system is mounted there',
  'state-of-holdfast': "Holdfast's own state",
  'changed-while-read': 'it kept changing while it was read, so the saved content may mix several states',
};

const mostShown = 1000;

const letters: Readonly<Record<ShownDifference['kind'], string>> = {
  added: 'A',
  deleted: 'D',
  replaced: 'T',
  modified: 'M',
  linked: 'L',
  metadata: 'm',
};

const actions: ReadonlyMap<string, Action> = new Map([
  ['create', { words: [0, 1], run: create }],
  ['list', { words: [0, 0], run: list }],
  ['diff', { words: [1, 2], run: diff }],
  ['restore', { words: [1, 1], run: restore }],
  ['remove', { words: [1, 1], run: remove }],
] as const);

function openCheckpoints(
  { io, values }: CommandInput,
  onEntry: (entries: number) => void = () => undefined,
): CheckpointGround {
  const named = optionText(values['workspace']);
  const { root } = findWorkspace({
    cwd: named ?? io.cwd,
    home: homedir(),
    ...(named === undefined ? {} : { root: named }),
  });
  const paths = statePaths(homedir(), io.environment);
  return {
    checkpoints: new Checkpoints({ directory: paths.checkpoints, workspace: root, onEntry }),
    journal: paths.journal,
    workspace: root,
  };
}

/** Shows progress, because it reads the whole workspace. */
function looking<T>(input: CommandInput, work: (ground: CheckpointGround) => T): T {
  using progress = progressOf(input);
  return work(openCheckpoints(input, (entries) => progress.tell(`reading the workspace: ${entries} entries`)));
}

function create(input: CommandInput, _ground: CheckpointGround, [name = '']: readonly string[]): number {
  const { summary, leftOut } = looking(input, (ground) => createJournalled(ground, name));
  printResult(
    input,
    { checkpoint: summary, leftOut: leftOut.map(leftOutJson) },
    terminalTable([summary], columns, { ...lookOf(input.io), reader: 'pipe', colours: 'plain', width: Infinity }),
  );
  sayLeftOut(input.io, leftOut);
  return 0;
}

function list({ io, values }: CommandInput, { checkpoints }: CheckpointGround): number {
  const all = checkpoints.list();
  const shown = lastItems(all, values['last']);
  const pending = checkpoints.pending();
  if (isSet(values['json']))
    io.stdout.write(jsonText({ total: all.length, checkpoints: shown, unfinished: pending?.checkpoint }));
  else
    io.stdout.write(
      all.length === 0
        ? 'No checkpoints yet. Make one: holdfast checkpoint create\n'
        : `${terminalTable(shown, columns, lookOf(io))}${howMany(shown.length, all.length)}\n`,
    );
  if (pending !== undefined)
    io.stderr.write(
      `holdfast: a restore was interrupted; finish it with: holdfast checkpoint restore ${pending.checkpoint}\n`,
    );
  return 0;
}

const columns: readonly TableColumn<CheckpointSummary>[] = [
  { head: 'ID', of: ({ id }) => id },
  { head: 'CREATED', of: ({ created }) => `${new Date(created).toISOString().slice(0, 19)}Z`, goes: 1 },
  { head: 'CONTENT', of: ({ entries }) => `${entries} entries`, align: 'right' },
  { head: 'SIZE', of: ({ bytes }) => sizeText(bytes), align: 'right' },
  { head: 'NAME', of: labelOf, cut: 'end' },
];

function labelOf({ name, origin }: CheckpointSummary): string {
  return [...(origin === 'automatic' ? ['(automatic)'] : []), ...(name === '' ? [] : [listedName(name)])].join('  ');
}

function diff(input: CommandInput, { checkpoints }: CheckpointGround, [word = '', other]: readonly string[]): number {
  const { io, values } = input;
  const ids = checkpoints.list();
  const [one, two] = [onlyOne(ids, word), other === undefined ? undefined : onlyOne(ids, other)];
  const { differences } = looking(input, (ground) => ground.checkpoints.diff(one, two));
  if (isSet(values['json'])) io.stdout.write(jsonText({ differences: differences.map(differenceJson) }));
  else
    for (const shown of differenceLines(differences, isSet(values['patch']) ? 'patch' : 'names'))
      io.stdout.write(`${shown}\n`);
  return 0;
}

function restore(input: CommandInput, { checkpoints }: CheckpointGround, [word = '']: readonly string[]): number {
  const id = onlyOne(checkpoints.list(), word);
  const { undo, written, removed, adjusted, skipped, leftOut } = looking(input, (ground) =>
    restoreCheckpoint(ground, id),
  );
  const { io } = input;
  const json = {
    undo: undo ?? null,
    written,
    removed,
    adjusted,
    skipped: skipped.map(pathJson),
    leftOut: leftOut.map(leftOutJson),
  };
  printResult(
    input,
    json,
    undo === undefined
      ? 'the workspace already equals the checkpoint\n'
      : `restored: ${written} written, ${removed} removed, ${adjusted} with only their metadata set\nundo it with: holdfast checkpoint restore ${undo}\n`,
  );
  sayLeftOut(io, leftOut);
  for (const path of skipped.slice(0, mostNamed))
    io.stderr.write(
      `holdfast: left unchanged, because another process changes it or it has content that no checkpoint holds: ${visible(path)}\n`,
    );
  if (skipped.length > mostNamed) io.stderr.write(`holdfast: and ${skipped.length - mostNamed} more\n`);
  return skipped.length === 0 ? 0 : 1;
}

function remove(input: CommandInput, ground: CheckpointGround, [word = '']: readonly string[]): number {
  const id = onlyOne(ground.checkpoints.list(), word);
  removeCheckpoint(ground, id);
  printResult(input, { removed: id }, `removed ${id}\n`);
  return 0;
}

function sayLeftOut(io: CommandInput['io'], leftOut: readonly CheckpointLeftOut[]): void {
  for (const { path, reason } of leftOut.slice(0, mostNamed))
    io.stderr.write(
      `holdfast: ${reason === 'changed-while-read' ? 'not for certain' : 'left out'}: ${visible(path)}: ${reasons[reason]}\n`,
    );
  if (leftOut.length > mostNamed) io.stderr.write(`holdfast: and ${leftOut.length - mostNamed} more\n`);
}

function leftOutJson({ path, reason }: CheckpointLeftOut): object {
  return { path: pathJson(path), reason };
}

/** Paths of checkpoints have a character for each byte. */
function pathJson(path: string): string {
  return Buffer.from(path, 'latin1').toString();
}

function onlyOne(all: readonly CheckpointSummary[], word: string): string {
  const named = all.filter(({ name, origin }) => origin === 'user' && name === word);
  const found = named.length > 0 ? named : all.filter(({ id }) => id.startsWith(word));
  if (found[0] !== undefined && found.length === 1) return found[0].id;
  throw new HoldfastError(
    'HF_USAGE',
    `${found.length === 0 ? 'no checkpoint of this workspace is' : 'several checkpoints are'} called ${JSON.stringify(word)}`,
    { remedy: `${found.length === 0 ? 'see' : 'use the ID of one:'} \`holdfast checkpoint list\`` },
  );
}

/** Yields the changes for a person: at most 1,000 paths, with a box's text made visible. */
function* differenceLines(differences: readonly ShownDifference[], detail: 'names' | 'patch'): Iterable<string> {
  for (const difference of differences.slice(0, mostShown)) {
    yield summaryLine(difference);
    if (detail === 'patch') yield* patchOf(difference);
  }
  if (differences.length > mostShown) yield `and ${differences.length - mostShown} more (all of them with --json)`;
  if (differences.length === 0) yield 'nothing has changed';
}

/** Paths as text, and as exact bytes in base64. */
function differenceJson({ path, kind, before, after }: ShownDifference): unknown {
  const bytes = Buffer.from(path, 'latin1');
  return {
    path: bytes.toString('utf8'),
    pathBytes: bytes.toString('base64'),
    kind,
    before: before === undefined ? undefined : facts(before),
    after: after === undefined ? undefined : facts(after),
  };
}

function summaryLine({ kind, path, before, after }: ShownDifference): string {
  const [was, is] = [before === undefined ? '' : described(before), after === undefined ? '' : described(after)];
  const change = was !== '' && is !== '' && was !== is ? `  (${was} → ${is})` : '';
  return `${letters[kind]} ${path === '' ? '.' : visible(path)}${after?.kind === 'directory' || (after === undefined && before?.kind === 'directory') ? '/' : ''}${change}`;
}

function described(entry: CheckpointEntry): string {
  const kind = entry.kind === 'symlink' ? `symlink to ${visible(entry.target)}` : entry.kind;
  const attributes = Object.keys(entry.attributes);
  return `${kind} ${entry.mode.toString(8).padStart(4, '0')} ${entry.uid}:${entry.gid}${attributes.length === 0 ? '' : ` with ${attributes.map((name) => visible(name)).join(' ')}`}`;
}

function* patchOf({ contents }: ShownDifference): Iterable<string> {
  if (contents === undefined) return;
  for (const { text } of patchLines(contents.before ?? Buffer.alloc(0), contents.after ?? Buffer.alloc(0))) yield text;
}

function facts(entry: CheckpointEntry): unknown {
  const { kind, mode, uid, gid, modified } = entry;
  return {
    kind,
    mode,
    uid,
    gid,
    modified: String(modified),
    size: entry.kind === 'file' ? entry.size : undefined,
    sha256: entry.kind === 'file' ? entry.object : undefined,
    target: entry.kind === 'symlink' ? Buffer.from(entry.target, 'latin1').toString('utf8') : undefined,
  };
}

function visible(path: string): string {
  return visibleName(Buffer.from(path, 'latin1'));
}
