import { cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { judgeAppeared } from './judge.ts';

export interface QuarantineOptions {
  /** Directory of this session below the state directory. */
  readonly directory: string;
  readonly roots: readonly string[];
}

export interface Quarantined {
  readonly path: string;
  readonly movedTo: string;
  readonly reason: string;
}

/** Moves away what appeared under a protected name and is not harmless. Nothing is deleted. */
export function quarantineAppeared(appeared: readonly string[], options: QuarantineOptions): readonly Quarantined[] {
  return appeared.flatMap((path) => {
    const judgement = judgeAppeared(path, options.roots);
    if (judgement.kind === 'harmless') return [];
    const movedTo = join(options.directory, path);
    mkdirSync(dirname(movedTo), { recursive: true, mode: 0o700 });
    return move(path, movedTo) === 'moved' ? [{ path, movedTo, reason: judgement.reason }] : [];
  });
}

/** `gone` when a parent was moved before. */
function move(from: string, to: string): 'moved' | 'gone' {
  try {
    renameSync(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return 'gone';
    if (code !== 'EXDEV') throw error;
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
    rmSync(from, { recursive: true, force: true });
  }
  return 'moved';
}
