import { readSync } from 'node:fs';
import { parseBody, splitLine } from './chain.ts';
import type { Range } from './chunks.ts';
import { macFor } from './mac.ts';
import type { SnapshotPart } from './snapshot.ts';
import { type ChainState, type LinesReport, verifyLines } from './verify-lines.ts';
import type { PieceRequest, VerifyThreads } from './verify-threads.ts';

export interface PartOptions {
  readonly after: ChainState;
  /** Absent: without it, only that one entry names the other is checked. */
  readonly key: Buffer | undefined;
  readonly threads: VerifyThreads;
}

/** Bytes that a thread verifies at once. A file of less than two such pieces is not worth starting threads for. */
const pieceSize = 8_000_000;
/** A border is looked for in so many bytes; where there is none, the file is not divided. */
const borderWindow = 65_536;

/** Verifies one file of a journal: in pieces side by side, and once more in order when there is anything wrong with it. */
export async function verifyPart(part: SnapshotPart, { after, key, threads }: PartOptions): Promise<LinesReport> {
  const requests = key === undefined ? [] : piecesOf(part, after, key);
  const reports = requests.length < 2 ? [] : await threads.verify(requests);
  const joined = join(requests, reports);
  return joined ?? verifyLines(part.fd, { from: 0, to: part.size, after, mac: key === undefined ? undefined : macFor(key, Number.POSITIVE_INFINITY) });
}

/** Each piece but the first believes the line before it, which the piece before has to confirm. */
function piecesOf({ fd, size }: SnapshotPart, after: ChainState, key: Buffer): readonly PieceRequest[] {
  const count = Math.floor(size / pieceSize);
  const borders = Array.from({ length: Math.max(0, count - 1) }, (_, index) => borderNear(fd, Math.floor(((index + 1) * size) / count)));
  if (!borders.every((border) => border !== undefined)) return [];
  const begins = [{ at: 0, after }, ...borders];
  return begins.map((begin, index) => ({ fd, key, after: begin.after, range: { from: begin.at, to: begins[index + 1]?.at ?? size } satisfies Range }));
}

interface Border {
  readonly at: number;
  /** What the line before says of itself. */
  readonly after: ChainState;
}

function borderNear(fd: number, near: number): Border | undefined {
  const bytes = Buffer.alloc(borderWindow);
  const text = bytes.subarray(0, readSync(fd, bytes, 0, borderWindow, near));
  const start = text.indexOf(0x0a) + 1;
  const end = text.indexOf(0x0a, start);
  const parts = start > 0 && end > 0 ? splitLine(text.toString('utf8', start, end)) : undefined;
  const seq = parts === undefined ? undefined : parseBody(parts.body)?.['seq'];
  return parts === undefined || typeof seq !== 'number' ? undefined : { at: near + end + 1, after: { v: parts.v, seq, mac: parts.mac } };
}

/** Undefined unless every piece is whole, and ends where the next one said that it begins. */
function join(requests: readonly PieceRequest[], reports: readonly LinesReport[]): LinesReport | undefined {
  const fits = reports.every(({ problems, end, isTorn }, index) => {
    const next = requests[index + 1]?.after;
    return problems.length === 0 && (next === undefined || (!isTorn && end.v === next.v && end.seq === next.seq && end.mac === next.mac));
  });
  const last = reports.at(-1);
  if (!fits || last === undefined) return undefined;
  const total = (field: 'lines' | 'unkeyed'): number => reports.reduce((sum, report) => sum + report[field], 0);
  return { lines: total('lines'), unkeyed: total('unkeyed'), omitted: 0, problems: [], end: last.end, isTorn: last.isTorn };
}
