import { readdirSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';

/** One of the files of a journal. */
export interface JournalPart {
  /** 1 for the oldest. A file keeps its number when it is rotated. */
  readonly part: number;
  /** Current path. */
  readonly path: string;
}

/** Returns the new path of a full file: `journal-000001.jsonl` for `journal.jsonl`. */
export function rotatedPath(file: string, part: number): string {
  const { dir, name, ext } = parse(file);
  return join(dir, `${name}-${String(part).padStart(6, '0')}${ext}`);
}

/** Lists the rotated files, oldest first. `verifyJournal` reports gaps between them. */
export function rotatedParts(file: string): readonly JournalPart[] {
  return namesBeside(file)
    .flatMap((name) => {
      const part = partOf(file, name);
      return part === undefined ? [] : [{ part, path: join(dirname(file), name) }];
    })
    .toSorted((a, b) => a.part - b.part);
}

/** Returns the number of the growing file. */
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
