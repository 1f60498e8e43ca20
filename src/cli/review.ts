import process from 'node:process';
import { HoldfastError } from '../errors/index.ts';
import { reviewJson } from '../sandbox/staged/review-json.ts';
import { reviewLayer, type Review } from '../sandbox/staged/review-layer.ts';
import { reviewLines, type Detail } from '../sandbox/staged/review-lines.ts';
import { coloured, coloursOf } from './colours.ts';
import { isSet, type Command, type CommandInput } from './command.ts';
import { showInPager } from './pager.ts';
import { namedLayer } from './staged-layer.ts';
import { tellRecovered } from './tell-recovered.ts';

const usage = `usage: holdfast review [ID] [PATH...] [--stat | --name-only | --patch] [--json]

Shows what a staged layer would change: the one called ID, or the newest of this workspace. PATHs show only what was changed
there. On a terminal: diffs, through $PAGER; otherwise one JSON document, with diffs when --patch is given too.

  --patch      a unified diff of each change (default on a terminal)
  --stat       one line for each change
  --name-only  only names
  --json       one JSON document`;

export const reviewCommand: Command = {
  name: 'review',
  summary: 'show what a staged layer would change',
  usage,
  options: { json: { type: 'boolean' }, stat: { type: 'boolean' }, 'name-only': { type: 'boolean' }, patch: { type: 'boolean' } },
  positionals: 'any',
  run: review,
};

async function review(input: CommandInput): Promise<number> {
  const { io } = input;
  const detail = detailOf(input);
  tellRecovered(input);
  const { layer, paths } = namedLayer(input);
  const found = reviewLayer(layer, { environment: io.environment, paths });
  const terminal = io.stdout === process.stdout && process.stdout.isTTY;
  if (isSet(input.values['json']) || (detail === undefined && !terminal)) writePieces(reviewJson(found, detail === 'patch' ? 'with-patches' : 'facts-only'), io);
  else if (terminal) await showInPager(textOf(found, detail ?? 'patch', coloursOf(io)), io.environment);
  else writePieces(textOf(found, detail ?? 'patch', 'plain'), io);
  return 0;
}

function detailOf({ values }: CommandInput): Detail | undefined {
  const chosen = details.filter(([option]) => isSet(values[option]));
  if (chosen.length > 1) throw new HoldfastError('HF_USAGE', `${chosen.map(([option]) => `--${option}`).join(' and ')} do not go together`, { remedy: 'use one of them' });
  return chosen[0]?.[1];
}

const details: readonly (readonly [string, Detail])[] = [
  ['patch', 'patch'],
  ['stat', 'stat'],
  ['name-only', 'names'],
];

function* textOf(found: Review, detail: Detail, colours: 'coloured' | 'plain'): Generator<string> {
  for (const line of reviewLines(found, detail)) yield `${colours === 'plain' ? line.text : coloured(line)}\n`;
}

const pieceSize = 1 << 16;

/** Many small writes would cost more than making them. */
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
