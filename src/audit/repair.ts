import { existsSync, lstatSync, mkdirSync, renameSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import { isHoldfastError } from '../errors/index.ts';
import { journalFailed } from './failure.ts';
import { createHead, headPath, thisMoment } from './head.ts';
import { keyPath, readJournalKey } from './chain.ts';
import { withLock } from './lock.ts';
import { macFor } from './mac.ts';
import { OpenJournal } from './open-journal.ts';
import { rotatedParts } from './parts.ts';
import { noTip } from './trust-end.ts';
import { verifyJournal } from './verify.ts';

/** `whole`: nothing was wrong, and nothing was changed. */
export type JournalRepair =
  | { readonly kind: 'whole' }
  | {
      readonly kind: 'begun' /** Directory with all files of the old journal. */;
      readonly aside: string;
      readonly reason: string;
    };

/**
 * Moves a damaged journal with all of its files into a directory beside it, and begins a new one. The first new entry
 * names the old journal's directory and its damage. Removes and changes nothing. An intact key stays in use, so that
 * the old journal can still be verified with it. If killed, it can run again. Throws the errors of `appendEvents`.
 */
export async function repairJournal(file: string): Promise<JournalRepair> {
  const reason = await whatIsWrong(file);
  if (reason === undefined) return { kind: 'whole' };
  try {
    return { kind: 'begun', aside: withLock(`${file}.lock`, () => beginAnew(file, reason)), reason };
  } catch (cause) {
    throw journalFailed(file, cause);
  }
}

async function whatIsWrong(file: string): Promise<string | undefined> {
  try {
    const { problems } = await verifyJournal(file);
    const [first] = problems;
    return first === undefined ? undefined : `${basename(first.file)}:${first.line}: ${first.message}`;
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return error.message;
  }
}

/** The head is moved last. While it is there, no process takes a half-moved journal for an empty one. */
function beginAnew(file: string, reason: string): string {
  const aside = freshDirectory(file);
  for (const { path } of rotatedParts(file)) move(path, aside);
  move(file, aside);
  const key = usableKey(file);
  if (key === undefined) move(keyPath(file), aside);
  move(headPath(file), aside);
  const now = thisMoment();
  if (key !== undefined)
    createHead(file, { ...now, seq: noTip.seq, mac: noTip.mac, synced: noTip.seq }, macFor(key, 1));
  const journal = new OpenJournal(file, { now, count: 1 });
  try {
    journal.write([{ type: 'journal.begun', aside: basename(aside), reason }], {});
  } finally {
    journal.close();
  }
  return aside;
}

function usableKey(file: string): Buffer | undefined {
  try {
    return readJournalKey(file, 'rely');
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return undefined;
  }
}

/** Named by the time, so that the directories sort in order. */
function freshDirectory(file: string): string {
  const time = new Date().toISOString().replaceAll(':', '-');
  const name = join(dirname(file), `${parse(file).name}-aside-${time}`);
  const free =
    Array.from({ length: 100 }, (_, index) => (index === 0 ? name : `${name}-${index}`)).find(
      (candidate) => !existsSync(candidate),
    ) ?? name;
  mkdirSync(free, { mode: 0o700 });
  return free;
}

/** Moves any entry. A link is moved, not its target. */
function move(path: string, directory: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) renameSync(path, join(directory, basename(path)));
}
