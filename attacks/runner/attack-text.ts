/** A file of an attack. */
export interface AttackFile {
  readonly name: string;
  readonly text: string;
  readonly mode: 'plain' | 'executable';
}

export type AttackText =
  | { readonly kind: 'whole'; readonly files: readonly AttackFile[] }
  | { readonly kind: 'broken'; readonly line: number; readonly what: string };

/** The name of an attack's prose among its files. */
export const proseFile = 'README.md';

/** `LANGUAGE NAME`, and `executable` for a program. */
const opening = /^(?<fence>`{3,})[\w+-]+ (?<name>\w[\w.-]*)(?<mark> executable)?$/u;

/**
 * The files in the Markdown of an attack: its prose, then each fenced block with the name of a file. The text between
 * the fences is the file, byte for byte. So every file ends with a line feed, and none has a NUL or a carriage return.
 */
export function parseAttackText(text: string): AttackText {
  if (/[\0\r]/u.test(text)) return broken(0, 'it has a NUL or a carriage return');
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith('```'));
  if (start < 2 || lines[start - 1] !== '') return broken(start, 'prose and an empty line come before the first file');
  const files: AttackFile[] = [{ name: proseFile, text: joined(lines.slice(0, start - 1)), mode: 'plain' }];
  for (let at = start; at < lines.length; ) {
    const block = readBlock(lines, at);
    if (block.kind === 'broken') return block;
    if (files.some(({ name }) => name === block.file.name)) return broken(at, `there are two files ${block.file.name}`);
    files.push(block.file);
    at = nextBlock(lines, block.end);
  }
  return { kind: 'whole', files };
}

type Block =
  | { readonly kind: 'block'; readonly file: AttackFile; readonly end: number }
  | Extract<AttackText, { kind: 'broken' }>;

function readBlock(lines: readonly string[], at: number): Block {
  const { fence, name, mark } = opening.exec(lines[at] ?? '')?.groups ?? {};
  if (fence === undefined || name === undefined)
    return broken(at, 'expected a fence with a language and the name of a file');
  const end = lines.indexOf(fence, at + 1);
  if (end === -1) return broken(at, `the file ${name} never ends`);
  const content = lines.slice(at + 1, end);
  // In Markdown, several kinds of line end a block, not only a copy of its fence.
  if (content.some((line) => line.includes(fence))) return broken(at, `the file ${name} needs a longer fence`);
  return {
    kind: 'block',
    file: { name, text: joined(content), mode: mark === undefined ? 'plain' : 'executable' },
    end,
  };
}

/** The first non-empty line after a block. */
function nextBlock(lines: readonly string[], end: number): number {
  const after = lines.slice(end + 1).findIndex((line) => line !== '');
  return after === -1 ? lines.length : end + 1 + after;
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Lines count from one. */
function broken(index: number, what: string): Extract<AttackText, { kind: 'broken' }> {
  return { kind: 'broken', line: index + 1, what };
}
