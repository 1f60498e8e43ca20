import { thisMoment } from './clock.ts';
import { journalFailed } from './failure.ts';
import { headPath } from './head.ts';
import { keyPath } from './key.ts';
import { rotatedPath } from './parts.ts';
import { firstEvent } from './first-event.ts';
import { type Snapshot, type SnapshotPart, takeSnapshot } from './snapshot.ts';
import { mayBeLost } from './trust-end.ts';
import { type ChainState, chainStart, type LinesReport } from './verify-lines.ts';
import { verifyPart } from './verify-part.ts';
import { VerifyThreads } from './verify-threads.ts';

export interface JournalReport {
  readonly entries: number;
  /** How many of them are from before the key, so that anybody could have written them. */
  readonly unkeyed: number;
  /** Empty when the chain is whole. At most a thousand of each file. */
  readonly problems: readonly JournalProblem[];
  /** How many more problems there are. */
  readonly omitted: number;
}

export interface JournalProblem {
  /** The file of the journal, its key or its head. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/**
 * Walks the chain through all files of a journal, and locates every edit, cut, insertion and reordering, a file that is
 * missing or exchanged, and an end that was cut off. Whoever has the key can write a journal anew, and nobody would see it
 * here. Throws `HF_JOURNAL_FAILED` or `HF_STATE_UNWRITABLE` for what cannot be read.
 */
export async function verifyJournal(file: string): Promise<JournalReport> {
  try {
    const snapshot = takeSnapshot(file);
    const threads = new VerifyThreads();
    try {
      return await walk(file, snapshot, threads);
    } finally {
      await threads.close();
      snapshot.close();
    }
  } catch (cause) {
    throw journalFailed(file, cause);
  }
}

async function walk(file: string, snapshot: Snapshot, threads: VerifyThreads): Promise<JournalReport> {
  const problems: JournalProblem[] = snapshot.problems.map((problem) => ({ ...problem, line: 1 }));
  let state = chainStart;
  const reports: LinesReport[] = [];
  for (const [index, part] of snapshot.parts.entries()) {
    problems.push(...missingBefore(file, part.part, snapshot.parts[index - 1]?.part), ...misplaced(part));
    const report = await verifyPart(part, { after: state, key: snapshot.key, threads });
    problems.push(...report.problems.map((problem) => ({ file: part.path, ...problem })), ...torn(file, part, report));
    state = report.end;
    reports.push(report);
  }
  const total = (field: 'lines' | 'unkeyed' | 'omitted'): number => reports.reduce((sum, report) => sum + report[field], 0);
  const last = { file: snapshot.parts.at(-1)?.path ?? file, line: (reports.at(-1)?.lines ?? 0) + 1 };
  return { entries: total('lines'), unkeyed: total('unkeyed'), problems: [...problems, ...besides(file, snapshot, state), ...cutEnd(snapshot, state, last)], omitted: total('omitted') };
}

function missingBefore(file: string, part: number, before = 0): readonly JournalProblem[] {
  const missing = part - before - 1;
  if (missing === 0) return [];
  return [{ file: rotatedPath(file, before + 1), line: 1, message: missing === 1 ? 'this file is gone' : `this file and the ${missing - 1} behind it are gone` }];
}

/** A border between two files that was moved changes no entry, and is told all the same. */
function misplaced({ fd, size, part, path }: SnapshotPart): readonly JournalProblem[] {
  if (part === 1 || size === 0) return [];
  const first = firstEvent(fd, size);
  return first?.['type'] === 'journal.rotated' && first['part'] === part ? [] : [{ file: path, line: 1, message: `this file does not begin as file ${part} of the journal does` }];
}

function torn(file: string, { path }: SnapshotPart, { lines, isTorn }: LinesReport): readonly JournalProblem[] {
  if (!isTorn) return [];
  const message = path === file ? 'this line is cut short: writing it was interrupted, and the next event replaces it' : 'this line is cut short: the end of this file is gone';
  return [{ file: path, line: lines + 1, message }];
}

function besides(file: string, { key, head, problems }: Snapshot, { v }: ChainState): readonly JournalProblem[] {
  if (problems.length > 0) return [];
  if (key === undefined) return v === 2 ? [{ file: keyPath(file), line: 1, message: 'the key is gone: nobody can tell whether entries were changed' }] : [];
  return head === undefined ? [{ file: headPath(file), line: 1, message: 'this file is gone: nobody can tell whether the end of the journal is still there' }] : [];
}

function cutEnd({ head }: Snapshot, state: ChainState, last: Pick<JournalProblem, 'file' | 'line'>): readonly JournalProblem[] {
  if (head === undefined || state.seq > head.seq) return [];
  if (state.seq === head.seq) return state.mac === head.mac ? [] : [{ ...last, line: Math.max(1, last.line - 1), message: 'the last entry is not the one that was written' }];
  const gone = `entries ${state.seq + 1} to ${head.seq} are gone from the end`;
  return [{ ...last, message: mayBeLost(head, state.seq, thisMoment()) ? `${gone}: the machine stopped before they were on the disk, or somebody removed them` : gone }];
}
