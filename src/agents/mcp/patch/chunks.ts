import { doesNotFit } from './problems.ts';

/** Lines that stand somewhere, and what stands there afterwards. */
export interface Chunk {
  /** A line that stands above them. */
  readonly after: string | undefined;
  readonly before: readonly string[];
  readonly now: readonly string[];
  readonly place: 'anywhere' | 'end';
}

/** How much of a line has to be the same: models get blanks wrong. The strictest that finds the lines counts. */
const sameness = [(line: string) => line, (line: string) => line.trimEnd(), (line: string) => line.trim()] as const;

/** Puts chunks into a text, in their order. Lines of it that no chunk names keep their bytes. */
export function applyChunks(path: string, text: string, chunks: readonly Chunk[]): string {
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

/** A line that a chunk leaves as it is stays as the file has it, also where the chunk has other blanks. */
function kept(found: readonly string[], { before, now }: Chunk, carriage: string): readonly string[] {
  const left = before.map((line, index) => ({ line, real: found[index] as string }));
  return now.map((line) => {
    const index = left.findIndex((each) => each.line === line);
    if (index === -1) return `${line}${carriage}`;
    const [{ real } = { real: line }] = left.splice(0, index + 1).slice(-1);
    return real;
  });
}
