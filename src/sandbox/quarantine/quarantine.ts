import { judgeAppeared } from './judge.ts';
import { pathText } from '../../kernel/tree/path-text.ts';
import { throughParent } from './pinned.ts';
import { putAside } from './put-aside.ts';

export interface QuarantineOptions {
  /** Directory of this session below the state directory. */
  readonly directory: string;
  readonly roots: readonly string[];
  readonly gitDirectories: readonly string[];
}

export interface Quarantined {
  /** With bytes that are no UTF-8 written as `%FF`. */
  readonly path: string;
  /** Where it is now: below the state directory, or beside its old name when that could not take it. */
  readonly movedTo: string;
  readonly reason: string;
}

/** What was refused and could be neither moved nor renamed. */
export interface LeftBehind {
  readonly path: string;
  readonly reason: string;
  readonly cause: unknown;
}

export interface Quarantine {
  readonly moved: readonly Quarantined[];
  readonly left: readonly LeftBehind[];
}

const longestName = 255;

/**
 * Moves away what appeared under a protected name and is not harmless. Nothing is deleted, and what goes wrong with one does
 * not keep the others where they are. Paths are bytes: one that is no UTF-8 would name another file as text.
 */
export function quarantineAppeared(appeared: readonly Buffer[], options: QuarantineOptions): Quarantine {
  const [moved, left]: [Quarantined[], LeftBehind[]] = [[], []];
  for (const path of appeared) {
    const text = pathText(path);
    try {
      const item = quarantineOne(path, text, options);
      if (item !== undefined) moved.push(item);
    } catch (cause) {
      left.push({ path: text, reason: 'it could be neither judged nor moved away', cause });
    }
  }
  return { moved, left };
}

function quarantineOne(path: Buffer, text: string, { directory, roots, gitDirectories }: QuarantineOptions): Quarantined | undefined {
  return throughParent(path, (pinned) => {
    const judgement = judgeAppeared({ path, pinned, roots, gitDirectories });
    if (judgement.kind === 'harmless') return undefined;
    const done = putAside(pinned, directory, nameIn(text));
    if (done.kind === 'gone') return undefined;
    return { path: text, movedTo: done.kind === 'moved' ? done.to : `${text}${done.suffix}`, reason: judgement.reason };
  });
}

/** Written as `%FF`, bytes that are no UTF-8 can make a name longer than file systems take. */
function nameIn(text: string): string {
  const name = text.slice(text.lastIndexOf('/') + 1);
  return Buffer.byteLength(name) > longestName ? 'item' : name;
}
