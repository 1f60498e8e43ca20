import { readdirSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';

/** One of the files that a journal consists of. */
export interface JournalPart {
  /** 1 for the oldest. A file keeps its number when it is rotated away. */
  readonly part: number;
  /** Where it is now. */
  readonly path: string;
}

/** Where a file of the journal goes when it is full: `journal-000001.jsonl` for `journal.jsonl`. */
export function rotatedPath(file: string, part: number): string {
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}-${String(part).padStart(6, '0')}${ext}`);
}

/** The files that were rotated away, oldest first. What is missing between them is for `verifyJournal` to say. */
export function rotatedParts(file: string): readonly JournalPart[] {
  return namesBeside(file)
    .flatMap((name) => {
      const part = partOf(file, name);
      return part === undefined ? [] : [{ part, path: join(dirname(file), name) }];
    })
    .toSorted((a, b) => a.part - b.part);
}

/** Number of the file that grows. */
export function activePart(rotated: readonly JournalPart[]): number {
  return (rotated.at(-1)?.part ?? 0) + 1;
}

function partOf(file: string, name: string): number | undefined {
  const digits = /-(\d{6,15})(?:\.[^.]*)?$/u.exec(name)?.[1];
  const part = Number(digits);
  return digits !== undefined && part > 0 && basename(rotatedPath(file, part)) === name ? part : undefined;
}

function namesBeside(file: string): readonly string[] {
  try {
    return readdirSync(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
