import { applyPatch, parsePatch as unifiedParsePatch, type StructuredPatch } from 'diff';
import { doesNotFit, type FileChange, invalidPatch, quotedLine, latin1Text } from './problems.ts';

/**
 * Parses a patch in either form: a unified diff, or `*** Begin Patch`.
 *
 * @throws HoldfastError `HF_USAGE` for one that is neither, or that changes a file twice.
 */
export function parsePatch(text: string): readonly FileChange[] {
  const bytes = Buffer.from(text.replaceAll('\r\n', '\n')).toString('latin1');
  const changes = /^\s*\*\*\* Begin Patch/u.test(bytes) ? parseEnvelope(bytes) : parseUnified(bytes);
  if (changes.length === 0) throw invalidPatch('it changes nothing');
  const names = changes.flatMap((change) => [
    change.path,
    ...(change.kind === 'update' && change.moveTo !== undefined ? [change.moveTo] : []),
  ]);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalidPatch(`it names ${latin1Text(twice)} twice`);
  return changes;
}

const nowhere = '/dev/null';

function parseUnified(text: string): readonly FileChange[] {
  return parsed(text).map(changeOf);
}

function parsed(text: string): readonly StructuredPatch[] {
  try {
    return unifiedParsePatch(text);
  } catch (error) {
    throw invalidPatch(error instanceof Error ? error.message : 'it is not a unified diff');
  }
}

function changeOf(patch: StructuredPatch): FileChange {
  if (patch.isBinary === true) throw invalidPatch('it contains a binary file');
  const from = nameOf(patch.oldFileName);
  const to = nameOf(patch.newFileName);
  if (from === undefined && to === undefined) throw invalidPatch('a part of it names no file: write --- and +++ lines');
  if (from === undefined) return { kind: 'add', path: to as string, content: applied('', patch) };
  if (to === undefined) return { kind: 'delete', path: from };
  return {
    kind: 'update',
    path: from,
    ...(from === to ? {} : { moveTo: to }),
    apply: (before) => applied(before, patch),
  };
}

/** Removes git's `a/` and `b/`. Undefined for a missing file. */
function nameOf(name: string | undefined): string | undefined {
  if (name === undefined || name === nowhere || name === '') return undefined;
  return name.replace(/^[ab]\//u, '');
}

function applied(before: string, patch: StructuredPatch): string {
  const after = applyPatch(before, patch, { fuzzFactor: 0, autoConvertLineEndings: true });
  if (after !== false) return after;
  const line = patch.hunks.flatMap(({ lines }) => lines).find((each) => /^[- ]/u.test(each)) ?? '';
  throw doesNotFit(nameOf(patch.oldFileName) ?? nameOf(patch.newFileName) ?? '', line.slice(1));
}

const [begin, end] = ['*** Begin Patch', '*** End Patch'];

const [move, endOfFile] = ['*** Move to: ', '*** End of File'];

/** Ways to compare lines, because models often get blanks wrong. The strictest one that finds the lines counts. */
const sameness = [(line: string) => line, (line: string) => line.trimEnd(), (line: string) => line.trim()] as const;

const headers = [
  ['*** Add File: ', readAdd],
  ['*** Delete File: ', readDelete],
  ['*** Update File: ', readUpdate],
] as const;

/** Parses the form of Codex's models: `*** Begin Patch`, files with their changes, `*** End Patch`. */
function parseEnvelope(text: string): readonly FileChange[] {
  const lines = text.trim().split('\n');
  if (lines[0]?.trim() !== begin || lines.at(-1)?.trim() !== end)
    throw invalidPatch(`it starts with ${begin} and does not end with ${end}`);
  const reader = new LineReader(lines.slice(1, -1));
  const changes: FileChange[] = [];
  for (let line = reader.next(); line !== undefined; line = reader.next()) {
    const header = headers.find(([prefix]) => line?.startsWith(prefix));
    if (header === undefined)
      throw invalidPatch(`expected *** Add File:, *** Delete File: or *** Update File:, got ${quotedLine(line)}`);
    const [prefix, read] = header;
    changes.push(read(named(line, prefix), reader));
  }
  return changes;
}

/** Trims only ASCII blanks: a byte of a letter looks like a blank in Latin-1. */
function named(line: string, prefix: string): string {
  return Buffer.from(latin1Text(line.slice(prefix.length)).trim()).toString('latin1');
}

function readAdd(path: string, reader: LineReader): FileChange {
  const lines = reader.while((line) => !line.startsWith('*** '));
  const other = lines.find((line) => !line.startsWith('+'));
  if (other !== undefined) throw invalidPatch(`a line of an added file does not start with +: ${quotedLine(other)}`);
  return { kind: 'add', path, content: lines.map((line) => `${line.slice(1)}\n`).join('') };
}

function readDelete(path: string): FileChange {
  return { kind: 'delete', path };
}

function readUpdate(path: string, reader: LineReader): FileChange {
  const moving = reader.while((line) => line.startsWith(move))[0];
  const chunks = readChunks(reader.while((line) => !line.startsWith('*** ') || line === endOfFile));
  if (chunks.length === 0 && moving === undefined) throw invalidPatch(`it changes nothing in ${latin1Text(path)}`);
  return {
    kind: 'update',
    path,
    ...(moving === undefined ? {} : { moveTo: named(moving, move) }),
    apply: (before) => applyChunks(path, before, chunks),
  };
}

interface OpenChunk {
  readonly after: string | undefined;
  readonly before: string[];
  readonly now: string[];
  place: Chunk['place'];
}

/** `@@` starts a chunk, and may name a line above it. The first chunk needs none. */
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
  if (sign !== ' ' && sign !== '-' && sign !== '+')
    throw invalidPatch(`a line starts with none of +, - and a blank: ${quotedLine(line)}`);
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

  /** Takes lines up to the first unwanted one. */
  while(isWanted: (line: string) => boolean): readonly string[] {
    const start = this.#at;
    for (let line = this.#lines[this.#at]; line !== undefined && isWanted(line); line = this.#lines[this.#at])
      this.#at += 1;
    return this.#lines.slice(start, this.#at);
  }
}

/** Lines of a file, and their replacement. */
interface Chunk {
  /** A line above them. */
  readonly after: string | undefined;
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly place: 'anywhere' | 'end';
}

/** Applies chunks to a text in order. Lines outside of the chunks keep their bytes. */
function applyChunks(path: string, text: string, chunks: readonly Chunk[]): string {
  const isClosed = text === '' || text.endsWith('\n');
  const lines = (isClosed ? text.slice(0, -1) : text).split('\n');
  const old = text === '' ? [] : lines;
  const carriage = old[0]?.endsWith('\r') === true ? '\r' : '';
  const result: string[] = [];
  let at = 0;
  for (const chunk of chunks) {
    const found = placeOf(old, chunk, at);
    if (found === undefined) throw doesNotFit(path, chunk.before[0] ?? chunk.after ?? '');
    result.push(...old.slice(at, found), ...kept(old.slice(found, found + chunk.before.length), chunk, carriage));
    at = found + chunk.before.length;
  }
  result.push(...old.slice(at));
  return result.length === 0 ? '' : `${result.join('\n')}${isClosed ? '\n' : ''}`;
}

function placeOf(lines: readonly string[], { after, before, place }: Chunk, from: number): number | undefined {
  const start = after === undefined ? from : (seek(lines, [after], from) ?? Number.NaN) + 1;
  if (Number.isNaN(start)) return undefined;
  if (before.length === 0) return after === undefined ? lines.length : start;
  const last = lines.length - before.length;
  if (place === 'end') return seek(lines, before, Math.max(start, last));
  return seek(lines, before, start);
}

function seek(lines: readonly string[], wanted: readonly string[], from: number): number | undefined {
  for (const same of sameness) {
    const whole = wanted.map(same);
    for (let at = from; at + whole.length <= lines.length; at += 1) {
      if (whole.every((line, index) => same(lines[at + index] as string) === line)) return at;
    }
  }
  return undefined;
}

/** Unchanged lines of a chunk keep the file's form, even if the chunk has other blanks. */
function kept(found: readonly string[], { before, now }: Chunk, carriage: string): readonly string[] {
  const left = before.map((line, index) => ({ line, real: found[index] as string }));
  return now.map((line) => {
    const index = left.findIndex((each) => each.line === line);
    if (index === -1) return `${line}${carriage}`;
    const [{ real } = { real: line }] = left.splice(0, index + 1).slice(-1);
    return real;
  });
}
