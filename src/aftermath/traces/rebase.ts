import { lstatSync, renameSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { boxedRebase, execCommands } from '../../git-config/index.ts';
import { readText } from '../../place/host/read-text.ts';
import { throughParent } from '../quarantine/trees.ts';

export type Planted =
  | { readonly kind: 'nothing' }
  /** These commands run in a box from now on. */
  | { readonly kind: 'boxed'; readonly commands: readonly string[] }
  /** The list cannot be read, or cannot be replaced where it is. */
  | { readonly kind: 'unsafe' };

/**
 * Makes the commands harmless that a box has put into the list of a rebase. Those in `known` are a person's own. Texts
 * have one character for each byte.
 */
export function boxPlanted(path: string, known: readonly string[]): Planted {
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
