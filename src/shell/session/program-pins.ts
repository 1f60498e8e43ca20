import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { HoldfastError } from '../../errors/index.ts';
import type { PinnedProgram } from '../../notify/types.ts';
import { type ProgramPlace, resolveProgram } from './resolve-program.ts';

/** Remembers the identity of a session's programs from their first use. */
export interface ProgramPins {
  /** Throws `HF_PROGRAM_UNTRUSTED` if the program was replaced, or its content has changed. */
  check(path: string): void;
}

/**
 * Returns the system's programs with these names, and their files. For programs that the box starts, so their content
 * is not read.
 */
export function pinnedPrograms(
  names: Iterable<string>,
  { path, mounts }: Pick<ProgramPlace, 'path' | 'mounts'>,
): readonly PinnedProgram[] {
  return [...names].flatMap((name) => {
    const found = resolveProgram(name, { path, cwd: '/', mounts });
    const identity = found.kind === 'found' ? identityOf(found.path) : undefined;
    return found.kind === 'found' && identity !== undefined ? [{ path: found.path, identity }] : [];
  });
}

function identityOf(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

interface Pin {
  readonly file: string;
  readonly stamp: string;
  readonly identity: string;
  readonly content: Content;
}

/** An unreadable executable (mode 0111) is identified only by its size and times. */
type Content = { readonly kind: 'read'; readonly sha256: string } | { readonly kind: 'unreadable' };

/** A program is read once. After that, its size and times decide whether it is read again. */
export function programPins(): ProgramPins {
  const pins = new Map<string, Pin>();
  return {
    check(path) {
      const known = pins.get(path);
      const now = pinOf(path, known);
      if (now === undefined) {
        if (known === undefined) return;
        throw changed(path, 'it no longer exists');
      }
      if (known !== undefined && known.identity !== now.identity) throw changed(path, 'another file has replaced it');
      if (known !== undefined && known !== now) checkContent(path, known.content, now.content);
      pins.set(path, now);
    },
  };
}

function pinOf(path: string, known: Pin | undefined): Pin | undefined {
  try {
    const file = realpathSync(path);
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true });
    const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(' ');
    if (known !== undefined && known.file === file && known.stamp === stamp) return known;
    return { file, stamp, identity: `${file} ${dev} ${ino}`, content: contentOf(file) };
  } catch {
    return undefined;
  }
}

function contentOf(file: string): Content {
  try {
    return { kind: 'read', sha256: createHash('sha256').update(readFileSync(file)).digest('hex') };
  } catch {
    return { kind: 'unreadable' };
  }
}

/** Checks a file whose size or times have changed. */
function checkContent(path: string, before: Content, now: Content): void {
  if (before.kind === 'unreadable' || now.kind === 'unreadable')
    throw changed(path, 'its size, its times or its mode have changed, and its content cannot be compared');
  if (before.sha256 !== now.sha256) throw changed(path, 'its content has changed');
}

function changed(path: string, why: string): HoldfastError {
  return new HoldfastError('HF_PROGRAM_UNTRUSTED', `${path} has changed since this session first used it: ${why}`, {
    remedy: 'if you changed it yourself, start a new session',
    details: { path },
  });
}
