import { applyChunks, type Chunk } from './chunks.ts';
import { invalid, quoted, textOf } from './problems.ts';
import type { FileChange } from './types.ts';

const [begin, end] = ['*** Begin Patch', '*** End Patch'];
const headers = [
  ['*** Add File: ', readAdd],
  ['*** Delete File: ', readDelete],
  ['*** Update File: ', readUpdate],
] as const;

/** The form that Codex's models write: `*** Begin Patch`, files with their changes, `*** End Patch`. */
export function parseEnvelope(text: string): readonly FileChange[] {
  const lines = text.trim().split('\n');
  if (lines[0]?.trim() !== begin || lines.at(-1)?.trim() !== end) throw invalid(`it starts with ${begin} and does not end with ${end}`);
  const reader = new LineReader(lines.slice(1, -1));
  const changes: FileChange[] = [];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const header = headers.find(([prefix]) => line?.startsWith(prefix));
    if (header === undefined) throw invalid(`expected *** Add File:, *** Delete File: or *** Update File:, got ${quoted(line)}`);
    const [prefix, read] = header;
    changes.push(read(named(line, prefix), reader));
  }
  return changes;
}

/** Blanks are those of the text: a byte of a letter looks like one in Latin-1. */
function named(line: string, prefix: string): string {
  return Buffer.from(textOf(line.slice(prefix.length)).trim()).toString('latin1');
}

function readAdd(path: string, reader: LineReader): FileChange {
  const lines = reader.while((line) => !line.startsWith('*** '));
  const other = lines.find((line) => !line.startsWith('+'));
  if (other !== undefined) throw invalid(`a line of an added file does not start with +: ${quoted(other)}`);
  return { kind: 'add', path, content: lines.map((line) => `${line.slice(1)}\n`).join('') };
}

function readDelete(path: string): FileChange {
  return { kind: 'delete', path };
}

const [move, endOfFile] = ['*** Move to: ', '*** End of File'];

function readUpdate(path: string, reader: LineReader): FileChange {
  const moving = reader.while((line) => line.startsWith(move))[0];
  const chunks = readChunks(reader.while((line) => !line.startsWith('*** ') || line === endOfFile));
  if (chunks.length === 0 && moving === undefined) throw invalid(`it changes nothing in ${textOf(path)}`);
  return { kind: 'update', path, ...(moving === undefined ? {} : { moveTo: named(moving, move) }), apply: (before) => applyChunks(path, before, chunks) };
}

interface OpenChunk {
  readonly after: string | undefined;
  readonly before: string[];
  readonly now: string[];
  place: Chunk['place'];
}

/** `@@` starts a chunk and may name a line that stands above it; a first chunk needs none. */
function readChunks(lines: readonly string[]): readonly Chunk[] {
  const chunks: OpenChunk[] = [];
  const start = (after?: string): OpenChunk => {
    const chunk: OpenChunk = { after, before: [], now: [], place: 'anywhere' };
    chunks.push(chunk);
    return chunk;
  };
  for (const line of lines) {
    if (line.startsWith('@@')) start(line.slice(2).trim() === '' ? undefined : line.slice(3));
    else addLine(chunks.at(-1) ?? start(), line);
  }
  return chunks.filter(({ before, now }) => before.length + now.length > 0);
}

function addLine(chunk: OpenChunk, line: string): void {
  if (line === endOfFile) {
    chunk.place = 'end';
    return;
  }
  const [sign, rest] = [line[0] ?? ' ', line.slice(1)];
  if (sign !== ' ' && sign !== '-' && sign !== '+') throw invalid(`a line starts with none of +, - and a blank: ${quoted(line)}`);
  if (sign !== '+') chunk.before.push(rest);
  if (sign !== '-') chunk.now.push(rest);
}

class LineReader {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  next(): string | undefined {
    const line = this.#lines[this.#at];
    this.#at += 1;
    return line;
  }

  /** The lines up to the first one that is not wanted. */
  while(isWanted: (line: string) => boolean): readonly string[] {
    const start = this.#at;
    for (let line = this.#lines[this.#at]; line !== undefined && isWanted(line); line = this.#lines[this.#at]) this.#at += 1;
    return this.#lines.slice(start, this.#at);
  }
}
