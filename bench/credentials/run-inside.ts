import { absent, type Contestant, selfTimed } from '../lib/contestant.ts';
import type { Scratch } from '../lib/scratch.ts';
import { runCommand } from '../lib/spawn.ts';
import type { Around } from './box.ts';

export interface Inside {
  readonly scratch: Scratch;
  readonly words: readonly string[];
  /** The figure in the program's output. */
  read(printed: string): number;
}

/** A program that measures itself, so that the start of its box does not count. */
export function runInside({ name, peer, environment }: Around, { scratch, words, read }: Inside): Contestant {
  if (peer.kind === 'absent') return absent(name, peer.reason);
  return selfTimed(name, async () =>
    read(await runCommand([...peer.prefix, ...words], { cwd: scratch.workspace, env: environment })),
  );
}

/** The first group of `pattern`. Throws if the program's output has changed its form. */
export function figureIn(printed: string, pattern: RegExp): number {
  const figure = Number(pattern.exec(printed)?.[1]);
  if (Number.isNaN(figure)) throw new Error(`there is no figure in: ${printed}`);
  return figure;
}
