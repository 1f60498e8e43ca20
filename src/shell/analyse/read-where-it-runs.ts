import type { Place } from '../tools/paths.ts';
import { shown, textOf } from '../tools/words.ts';
import type { Effects } from '../types.ts';
import { assignmentEffects } from './assignments.ts';
import type { Command, Reading } from './command.ts';
import { both, reason, together } from './effects.ts';
import { readProgram } from './read-program.ts';
import { redirectEffects } from './redirects.ts';

export type Surroundings = Pick<Place, 'home' | 'project'>;

/**
 * What one command does. Behind `cd x;` it may run in either of two directories, and does what it does in one of them: both are
 * told. What it runs in its turn is told once, wherever only one of the readings finds it (`find` looks for none where it does
 * not know where it starts), and there the directory is not known.
 */
export function readWhereItRuns(command: Command, around: Surroundings): Reading {
  const reading = read(command, around);
  if (command.either === undefined || !dependsOnDirectory(reading.effects)) return reading;
  const each = command.either.map((cwd) => ({ cwd, found: read({ ...command, cwd }, around) }));
  const children = each.flatMap(({ cwd, found }) => found.children.map((child) => (child.directory === cwd ? { ...child, directory: 'unknown' as const } : child)));
  return { ...reading, effects: withoutDoubles(together(each.map(({ found }) => found.effects))), children: distinct([...reading.children, ...children]) };
}

/** Without a directory nothing is the project's, and no relative path is known. */
function dependsOnDirectory({ opaque, reads, writes }: Effects): boolean {
  return opaque.some(({ kind }) => kind === 'dynamic-word' || kind === 'unknown-tool') || [...reads, ...writes].some(({ path }) => path === undefined);
}

function read(command: Command, { home, project }: Surroundings): Reading {
  const place = { cwd: command.cwd, home, ...(project === undefined ? {} : { project }) };
  const reading = withoutUnreadable(readProgram(command, place));
  const { argv, assignments, redirects } = command.parsed;
  const around = both(assignmentEffects(assignments, argv), redirectEffects(redirects, place));
  return { ...reading, effects: both(reading.effects, around) };
}

function withoutDoubles({ reads, writes, runs, hosts, opaque }: Effects): Effects {
  return { reads: distinct(reads), writes: distinct(writes), runs: distinct(runs), hosts: distinct(hosts), opaque: distinct(opaque) };
}

function distinct<Item>(list: readonly Item[]): readonly Item[] {
  return list.length < 2 ? list : [...new Map(list.map((item) => [JSON.stringify(item), item])).values()];
}

/** A text of the shell that is not static is no child: nobody can look into it. */
function withoutUnreadable(reading: Reading): Reading {
  const unreadable = reading.children.flatMap((child) => (child.kind === 'script' && textOf(child.text) === undefined ? [child.text] : []));
  if (unreadable.length === 0) return reading;
  const reasons = unreadable.map((text) => reason('inline-code', `the shell text \`${shown(text)}\` is not known before it runs`, text));
  return { ...reading, effects: together([reading.effects, ...reasons]), children: reading.children.filter((child) => child.kind === 'command' || !unreadable.includes(child.text)) };
}
