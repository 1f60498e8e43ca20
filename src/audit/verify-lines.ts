import { hash } from 'node:crypto';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type EntryLine, genesis, newerVersion, parseBody, signedText, splitLine } from './chain.ts';
import { type Chunk, chunksOf, type ByteRange } from './chunks.ts';
import type { Mac } from './mac.ts';

/** A problem and its line. */
export interface LineProblem {
  /** 1-based. */
  readonly line: number;
  readonly message: string;
}

/** The state that the next entry must continue. */
export interface ChainState {
  /** Version of the entry before. Undefined at the beginning. */
  readonly v: 1 | 2 | undefined;
  readonly seq: number;
  readonly mac: string;
}

export const chainStart: ChainState = { v: undefined, seq: 0, mac: genesis };

export interface LinesReport {
  readonly lines: number;
  /** Number of entries from before the key. */
  readonly unkeyed: number;
  /** At most a thousand. */
  readonly problems: readonly LineProblem[];
  /** Number of further problems. */
  readonly omitted: number;
  readonly end: ChainState;
  /** Whether a partial line follows the last newline. */
  readonly isTorn: boolean;
}

export interface LinesOptions extends ByteRange {
  readonly after: ChainState;
  /** Undefined without the key. Then only the links between entries are checked. */
  readonly mac: Mac | undefined;
}

const mostProblems = 1000;
const macTitle = '","mac":"';
const macSize = 64;
/** Length of the unsigned end of a line, which is the same in every line. */
const unsigned = `,"mac":"`.length + macSize + `"}`.length;
const tail = `,"prev":"`.length + macSize + `"`.length + unsigned;

/** Walks the lines of an open file, and locates every line that does not follow from the one before it. */
export function verifyLines(fd: number, { from, to, after, mac }: LinesOptions): LinesReport {
  const walk = new Walk(after, mac);
  for (const chunk of chunksOf(fd, { from, to })) walk.take(chunk);
  return walk.report();
}

class Walk {
  readonly #mac: Mac | undefined;
  readonly #problems: LineProblem[] = [];
  #state: ChainState;
  #lines = 0;
  #unkeyed = 0;
  #omitted = 0;
  #isTorn = false;

  constructor(after: ChainState, mac: Mac | undefined) {
    this.#state = after;
    this.#mac = mac;
  }

  take({ kind, bytes }: Chunk): void {
    if (kind === 'lines') this.#takeLines(bytes);
    else if (kind === 'torn') this.#isTorn = true;
    else this.#tell(++this.#lines, ['this line is longer than any entry']);
  }

  report(): LinesReport {
    return {
      lines: this.#lines,
      unkeyed: this.#unkeyed,
      problems: this.#problems,
      omitted: this.#omitted,
      end: this.#state,
      isTorn: this.#isTorn,
    };
  }

  #takeLines(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) {
      const end = bytes.indexOf(0x0a, at);
      this.#lines += 1;
      const next = this.#follow(bytes, at, end);
      if (next === undefined) this.#look(bytes.toString('utf8', at, end));
      else this.#state = next;
      at = end + 1;
    }
  }

  /**
   * Returns the state after a line that is exactly as expected. Undefined for any other line. Authenticated bytes are
   * not parsed.
   */
  #follow(bytes: Buffer, at: number, end: number): ChainState | undefined {
    const { v, seq, mac: prev } = this.#state;
    const head = `{"v":2,"seq":${seq + 1},"time":"`;
    if (
      this.#mac === undefined ||
      v === 1 ||
      end - at < head.length + tail ||
      bytes.toString('latin1', at, at + head.length) !== head
    )
      return undefined;
    const found = bytes.toString('latin1', end - tail, end);
    if (!found.startsWith(`,"prev":"${prev}${macTitle}`) || !found.endsWith('"}')) return undefined;
    const own = found.slice(-macSize - 2, -2);
    return own === this.#mac(bytes, at, end - unsigned) ? { v: 2, seq: seq + 1, mac: own } : undefined;
  }

  /** The slow check, which can name the damage. */
  #look(line: string): void {
    const parts = splitLine(line);
    const entry = parts === undefined ? undefined : parseBody(parts.body);
    if (parts === undefined || entry === undefined) {
      this.#tell(this.#lines, [noEntry(line)]);
      return;
    }
    this.#tell(this.#lines, problemsOf(parts, entry, { after: this.#state, mac: this.#mac }));
    if (parts.v === 1) this.#unkeyed += 1;
    const { seq } = entry;
    this.#state = {
      v: this.#state.v === 2 ? 2 : parts.v,
      seq: typeof seq === 'number' ? seq : this.#state.seq,
      mac: parts.mac,
    };
  }

  #tell(line: number, messages: readonly string[]): void {
    for (const message of messages) {
      if (this.#problems.length < mostProblems) this.#problems.push({ line, message });
      else this.#omitted += 1;
    }
  }
}

interface Context {
  readonly after: ChainState;
  readonly mac: Mac | undefined;
}

function problemsOf(
  parts: EntryLine,
  entry: Readonly<Record<string, unknown>>,
  { after, mac }: Context,
): readonly string[] {
  return [
    ...(entry['seq'] === after.seq + 1
      ? []
      : [`expected entry ${after.seq + 1}, found ${String(entry['seq'])}: entries were removed, added or moved`]),
    ...(entry['prev'] === after.mac ? [] : ['the entry does not follow the one before it']),
    ...(isGenuine(parts, entry, mac) ? [] : ['the entry was changed after it was written']),
    ...(after.v === 2 && parts.v === 1 ? ['an entry without a key follows entries with one'] : []),
    ...(after.v === 1 && parts.v === 2 && entry['type'] !== 'journal.keyed'
      ? ['the entry that marks the start of keyed entries is missing']
      : []),
  ];
}

/** Without the key, an entry of version 2 cannot be checked. */
function isGenuine(parts: EntryLine, entry: Readonly<Record<string, unknown>>, mac: Mac | undefined): boolean {
  const text = signedText(parts, String(entry['prev']));
  if (entry['v'] !== parts.v) return false;
  if (parts.v === 1) return hash('sha256', text) === parts.mac;
  const bytes = Buffer.from(text);
  return mac === undefined || mac(bytes, 0, bytes.length) === parts.mac;
}

function noEntry(line: string): string {
  const version = newerVersion(line);
  if (version !== undefined)
    return `a newer Holdfast wrote this line (version ${version} of the format): update this one to verify it`;
  return splitLine(line) === undefined ? 'this line is not a journal entry' : 'this line is not JSON';
}

/** A piece for a thread to verify. The file is open in this process. */
export interface PieceRequest {
  readonly fd: number;
  readonly range: ByteRange;
  readonly after: ChainState;
  readonly key: Uint8Array;
}

const mostThreads = 4;

/** Threads that verify pieces in parallel. They start with the first piece, and end with `close`. */
export class VerifyThreads {
  #workers: readonly Worker[] = [];

  /** Returns reports in the order of the requests. Rejects if a thread fails. */
  async verify(requests: readonly PieceRequest[]): Promise<readonly LinesReport[]> {
    if (this.#workers.length === 0)
      this.#workers = Array.from(
        { length: Math.min(mostThreads, availableParallelism()) },
        () => new Worker(threadFile()),
      );
    const reports: LinesReport[] = [];
    const left = requests.map((request, index) => ({ request, index })).toReversed();
    const work = async (worker: Worker): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        worker.postMessage(next.request, []);
        const [report] = (await once(worker, 'message')) as [LinesReport];
        reports[next.index] = report;
      }
    };
    await Promise.all(this.#workers.map(work));
    return reports;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }
}

/**
 * In the sources and in the folder of the commands, the thread's file is next to this one. Otherwise it is below the
 * library's folder.
 */
function threadFile(): string {
  const url = import.meta.url as string | undefined;
  if (url === undefined) return join(dirname(__filename), 'verify-thread.cjs');
  const here = fileURLToPath(url);
  return join(dirname(here), extname(here) === '.ts' ? 'verify-thread.ts' : 'cli/verify-thread.cjs');
}
