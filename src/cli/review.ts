import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Writable } from 'node:stream';
import { HoldfastError } from '../errors/index.ts';
import { reviewJson } from '../staged/session/review-json.ts';
import { reviewOfLayer, type Review } from '../staged/session/review-layer.ts';
import { reviewLines, type Detail } from '../staged/session/review-lines.ts';
import { type Command, type CommandInput, isSet } from './command.ts';
import { diffLine, type Look, lookOf } from './terminal/look.ts';
import { namedLayer, tellRecovered } from './staged-layer.ts';

const usage = `usage: holdfast review [ID] [PATH...] [--stat | --name-only | --patch] [--json]

Shows the changes in a staged layer. Without ID it takes the newest layer of this workspace. With PATHs it shows only
the changes in them. At a terminal it prints diffs through $PAGER. Elsewhere it prints one JSON document; --patch adds
the diffs.

  --patch      a unified diff of each change (default at a terminal)
  --stat       one line per change
  --name-only  only names
  --json       one JSON document`;

const details: readonly (readonly [string, Detail])[] = [
  ['patch', 'patch'],
  ['stat', 'stat'],
  ['name-only', 'names'],
];

const pieceSize = 1 << 16;

export const reviewCommand: Command = {
  name: 'review',
  usage,
  options: {
    json: { type: 'boolean' },
    stat: { type: 'boolean' },
    'name-only': { type: 'boolean' },
    patch: { type: 'boolean' },
  },
  positionals: 'any',
  run: review,
};

async function review(input: CommandInput): Promise<number> {
  const { io } = input;
  const detail = detailOf(input);
  tellRecovered(input);
  const { layer, paths } = namedLayer(input);
  const found = reviewOfLayer(layer, { environment: io.environment, paths });
  const terminal = io.stdout === process.stdout && process.stdout.isTTY;
  if (isSet(input.values['json']) || (detail === undefined && !terminal))
    writePieces(reviewJson(found, detail === 'patch' ? 'with-patches' : 'facts-only'), io);
  else if (terminal) await showInPager(withNextStep(found, detail ?? 'patch', lookOf(io)), io.environment);
  else writePieces(textOf(found, detail ?? 'patch', { colours: 'plain' }), io);
  return 0;
}

function detailOf({ values }: CommandInput): Detail | undefined {
  const chosen = details.filter(([option]) => isSet(values[option]));
  if (chosen.length > 1)
    throw new HoldfastError('HF_USAGE', `${chosen.map(([option]) => `--${option}`).join(' and ')} cannot be combined`, {
      remedy: 'use one of them',
    });
  return chosen[0]?.[1];
}

function* textOf(found: Review, detail: Detail, look: Pick<Look, 'colours'>): Generator<string> {
  for (const line of reviewLines(found, detail)) yield `${diffLine(line, look)}\n`;
}

/** Ends with the commands that a reader types next. */
function* withNextStep(found: Review, detail: Detail, look: Pick<Look, 'colours'>): Generator<string> {
  yield* textOf(found, detail, look);
  const { id } = found.layer;
  const all = found.counts.conflicts + found.counts.refused > 0 ? ' --all' : '';
  yield `\nto apply it: holdfast accept ${id}${all}; to drop it: holdfast discard ${id}; a path at the end takes only that path\n`;
}

/** Joins pieces, because many small writes would cost more than making them. */
function writePieces(pieces: Iterable<string>, io: CommandInput['io']): void {
  let waiting: string[] = [];
  let size = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < pieceSize) continue;
    io.stdout.write(waiting.join(''));
    [waiting, size] = [[], 0];
  }
  io.stdout.write(waiting.join(''));
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Shows text on the terminal through `$PAGER`, or `less -R`, or plainly without either. Resolves when the reader has
 * seen enough.
 */
async function showInPager(pieces: Iterable<string>, environment: Environment): Promise<void> {
  const { PAGER: pager = 'less -R' } = environment;
  if (pager === '' || pager === 'cat') return writeAll(pieces, process.stdout);
  // A missing pager must not swallow the text. The shell splits the name as other programs do.
  const child = spawn('/bin/sh', ['-c', `${pager}; status=$?; [ $status -eq 127 ] && exec cat; exit $status`], {
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', ...environment },
  });
  const ended = once(child, 'close');
  child.stdin.on('error', () => {});
  // The terminal sends an interrupt to both, and the pager decides its meaning.
  process.on('SIGINT', ignore);
  try {
    await writeAll(pieces, child.stdin);
    child.stdin.end();
    await ended;
  } finally {
    process.off('SIGINT', ignore);
  }
}

function ignore(): void {}

async function writeAll(pieces: Iterable<string>, stream: Writable): Promise<void> {
  for (const piece of pieces) {
    if (stream.destroyed || stream.errored !== null) return;
    if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), once(stream, 'close')]).catch(ignore);
  }
}
