import { readSync } from 'node:fs';
import { keyPath, parseBody, splitLine } from './chain.ts';
import type { ByteRange } from './chunks.ts';
import { journalFailed } from './failure.ts';
import { headPath, thisMoment } from './head.ts';
import { macFor } from './mac.ts';
import { rotatedPath } from './parts.ts';
import { firstEvent, type Snapshot, type SnapshotPart, takeSnapshot } from './snapshot.ts';
import { mayBeLost } from './trust-end.ts';
import {
  chainStart,
  type ChainState,
  type LinesReport,
  type PieceRequest,
  verifyLines,
  VerifyThreads,
} from './verify-lines.ts';

export interface JournalReport {
  readonly entries: number;
  /** Number of entries from before the key, which any program of the user could have written. */
  readonly unkeyed: number;
  /** Empty if the chain is whole. At most a thousand for each file. */
  readonly problems: readonly JournalProblem[];
  /** Number of further problems. */
  readonly omitted: number;
}

export interface JournalProblem {
  /** Path of the journal's file, its key or its head. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/**
 * Walks the chain through all files of a journal. It locates edits, cuts, insertions, reordering, missing or exchanged
 * files, and a cut end. A holder of the key can rewrite the journal without a trace here. Throws `HF_JOURNAL_FAILED` or
 * `HF_STATE_UNWRITABLE` for an unreadable journal.
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
  const total = (field: 'lines' | 'unkeyed' | 'omitted'): number =>
    reports.reduce((sum, report) => sum + report[field], 0);
  const last = { file: snapshot.parts.at(-1)?.path ?? file, line: (reports.at(-1)?.lines ?? 0) + 1 };
  return {
    entries: total('lines'),
    unkeyed: total('unkeyed'),
    problems: [...problems, ...besides(file, snapshot, state), ...cutEnd(snapshot, state, last)],
    omitted: total('omitted'),
  };
}

function missingBefore(file: string, part: number, before = 0): readonly JournalProblem[] {
  const missing = part - before - 1;
  if (missing === 0) return [];
  return [
    {
      file: rotatedPath(file, before + 1),
      line: 1,
      message: missing === 1 ? 'this file is gone' : `this file and the ${missing - 1} behind it are gone`,
    },
  ];
}

/** Moving a border between two files changes no entry, but is reported. */
function misplaced({ fd, size, part, path }: SnapshotPart): readonly JournalProblem[] {
  if (part === 1 || size === 0) return [];
  const first = firstEvent(fd, size);
  return first?.['type'] === 'journal.rotated' && first['part'] === part
    ? []
    : [{ file: path, line: 1, message: `this file does not begin as file ${part} of the journal does` }];
}

function torn(file: string, { path }: SnapshotPart, { lines, isTorn }: LinesReport): readonly JournalProblem[] {
  if (!isTorn) return [];
  const message =
    path === file
      ? 'this line is cut short: writing it was interrupted, and the next event replaces it'
      : 'this line is cut short: the end of this file is gone';
  return [{ file: path, line: lines + 1, message }];
}

function besides(file: string, { key, head, problems }: Snapshot, { v }: ChainState): readonly JournalProblem[] {
  if (problems.length > 0) return [];
  if (key === undefined)
    return v === 2
      ? [{ file: keyPath(file), line: 1, message: 'the key is gone: nobody can tell whether entries were changed' }]
      : [];
  return head === undefined
    ? [
        {
          file: headPath(file),
          line: 1,
          message: 'this file is gone: nobody can tell whether the end of the journal is still there',
        },
      ]
    : [];
}

function cutEnd(
  { head }: Snapshot,
  state: ChainState,
  last: Pick<JournalProblem, 'file' | 'line'>,
): readonly JournalProblem[] {
  if (head === undefined || state.seq > head.seq) return [];
  if (state.seq === head.seq)
    return state.mac === head.mac
      ? []
      : [{ ...last, line: Math.max(1, last.line - 1), message: 'the last entry is not the one that was written' }];
  const gone = `entries ${state.seq + 1} to ${head.seq} are gone from the end`;
  return [
    {
      ...last,
      message: mayBeLost(head, state.seq, thisMoment())
        ? `${gone}: the machine stopped before they were on the disk, or someone removed them`
        : gone,
    },
  ];
}

interface PartOptions {
  readonly after: ChainState;
  /** Undefined without the key. Then only the links between entries are checked. */
  readonly key: Buffer | undefined;
  readonly threads: VerifyThreads;
}

/** Bytes that a thread verifies at once. For a file of less than two such pieces, threads do not pay off. */
const pieceSize = 8_000_000;
/** Bytes that are searched for a border. Without one, the file is not divided. */
const borderWindow = 65_536;

/** Verifies one file of a journal: in parallel pieces, and once more in order if anything is wrong. */
async function verifyPart(part: SnapshotPart, { after, key, threads }: PartOptions): Promise<LinesReport> {
  const requests = key === undefined ? [] : piecesOf(part, after, key);
  const reports = requests.length < 2 ? [] : await threads.verify(requests);
  const joined = join(requests, reports);
  return (
    joined ??
    verifyLines(part.fd, {
      from: 0,
      to: part.size,
      after,
      mac: key === undefined ? undefined : macFor(key, Number.POSITIVE_INFINITY),
    })
  );
}

/** Each piece except the first trusts the line before it. The previous piece must confirm that line. */
function piecesOf({ fd, size }: SnapshotPart, after: ChainState, key: Buffer): readonly PieceRequest[] {
  const count = Math.floor(size / pieceSize);
  const borders = Array.from({ length: Math.max(0, count - 1) }, (_, index) =>
    borderNear(fd, Math.floor(((index + 1) * size) / count)),
  );
  if (!borders.every((border) => border !== undefined)) return [];
  const begins = [{ at: 0, after }, ...borders];
  return begins.map((begin, index) => ({
    fd,
    key,
    after: begin.after,
    range: { from: begin.at, to: begins[index + 1]?.at ?? size } satisfies ByteRange,
  }));
}

interface Border {
  readonly at: number;
  /** The state that the line before claims. */
  readonly after: ChainState;
}

function borderNear(fd: number, near: number): Border | undefined {
  const bytes = Buffer.alloc(borderWindow);
  const text = bytes.subarray(0, readSync(fd, bytes, 0, borderWindow, near));
  const start = text.indexOf(0x0a) + 1;
  const end = text.indexOf(0x0a, start);
  const parts = start > 0 && end > 0 ? splitLine(text.toString('utf8', start, end)) : undefined;
  const seq = parts === undefined ? undefined : parseBody(parts.body)?.['seq'];
  return parts === undefined || typeof seq !== 'number'
    ? undefined
    : { at: near + end + 1, after: { v: parts.v, seq, mac: parts.mac } };
}

/** Undefined unless every piece is intact and ends where the next one claims to begin. */
function join(requests: readonly PieceRequest[], reports: readonly LinesReport[]): LinesReport | undefined {
  const fits = reports.every(({ problems, end, isTorn }, index) => {
    const next = requests[index + 1]?.after;
    return (
      problems.length === 0 &&
      (next === undefined || (!isTorn && end.v === next.v && end.seq === next.seq && end.mac === next.mac))
    );
  });
  const last = reports.at(-1);
  if (!fits || last === undefined) return undefined;
  const total = (field: 'lines' | 'unkeyed'): number => reports.reduce((sum, report) => sum + report[field], 0);
  return {
    lines: total('lines'),
    unkeyed: total('unkeyed'),
    omitted: 0,
    problems: [],
    end: last.end,
    isTorn: last.isTorn,
  };
}
