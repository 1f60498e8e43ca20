import { readdirSync, type Dirent } from 'node:fs';
import { KernelError } from '../../kernel/index.ts';
import { isWithin } from '../../plan/is-within.ts';
import type { Protection } from '../../plan/index.ts';
import type { Held } from '../law/held-paths.ts';
import { lookUp, type Side } from '../perform/side.ts';
import type { HeldPath } from '../supervise/context.ts';
import type { BoxView } from '../view/box-view.ts';
import { readable, toBytes } from '../view/byte-text.ts';
import { eacces } from '../supervise/answer-call.ts';

/**
 * What is read or written by one name of a file is by all: the box can make no second name of what is held, but there
 * may be some.
 */
export interface OtherNames {
  refuses(device: bigint, inode: bigint): Held | undefined;
}

export function otherNames(found: readonly HeldPath[]): OtherNames {
  const held = new Map<string, Held>();
  for (const { identity, how } of found) if (held.get(identity) !== 'hidden') held.set(identity, how);
  return { refuses: (device, inode) => held.get(`${device}:${inode}`) };
}

interface Sight {
  readonly view: BoxView;
  readonly box: Side;
}

/** What was found, with what symlinks among it lead to, as far as that lies where names count. */
export function withTargets(
  found: readonly HeldPath[],
  { roots, shownRoots }: Protection,
  { view, box }: Sight,
): readonly HeldPath[] {
  return found.flatMap((each): readonly HeldPath[] => {
    const target = each.symlink === 'symlink' ? view.locate(each.path, 'follow') : undefined;
    if (
      target === undefined ||
      target === each.path ||
      ![...roots, ...shownRoots].some((root) => readable(target) !== root && isWithin(readable(target), root))
    )
      return [each];
    const there = lookUp(box, target);
    return there === undefined
      ? [each]
      : [each, { path: target, identity: `${there.dev}:${there.ino}`, how: each.how, symlink: 'none' }];
  });
}

/** Nothing of what is gone, or is no directory. Throws `KernelError` for one that is closed to the user too. */
export function entriesOf(directory: string): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(toBytes(directory), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new KernelError('getdents64', eacces);
  }
}
