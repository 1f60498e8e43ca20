import { type BigIntStats, type Dirent, readdirSync } from 'node:fs';
import { KernelError } from '../../kernel/index.ts';
import { isWithin } from '../../plan/anchors.ts';
import type { Protection } from '../../plan/types.ts';
import type { HostGround } from '../law/file-law.ts';
import type { HeldAs } from '../law/match-names.ts';
import { lookUpEntry, type PerformSide } from '../perform/side.ts';
import { eacces } from '../supervise/answer-call.ts';
import type { HeldPath } from '../supervise/context.ts';
import type { BoxView } from '../view/box-view.ts';
import { readable, toBytes } from '../view/byte-text.ts';

/**
 * Access by one name of a file is access by all of its names. The box cannot make a second name of a protected file,
 * but other names may already exist.
 */
export interface OtherNames {
  refuses(device: bigint, inode: bigint): HeldAs | undefined;
}

export function otherNames(found: readonly HeldPath[]): OtherNames {
  const held = new Map<string, HeldAs>();
  for (const { identity, how } of found) if (held.get(identity) !== 'hidden') held.set(identity, how);
  return { refuses: (device, inode) => held.get(`${device}:${inode}`) };
}

interface Sight {
  readonly view: BoxView;
  readonly box: PerformSide;
}

/** The protected paths, with the targets of their symlinks where names count. */
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
    const there = lookUpEntry(box, target);
    return there === undefined
      ? [each]
      : [each, { path: target, identity: `${there.dev}:${there.ino}`, how: each.how, symlink: 'none' }];
  });
}

/** Empty if the path is missing or not a directory. Throws `KernelError` if the user may not read it either. */
export function directoryEntries(directory: string): readonly Dirent<Buffer>[] {
  try {
    return readdirSync(toBytes(directory), { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new KernelError('getdents64', eacces);
  }
}

/** The maker of a file whose name the plan protects. The box may change its own files. */
export interface MadeHere extends HostGround {
  /** Call after the box has made something there. */
  made(path: string): void;
}

/** More protected names than any program makes. Beyond it, new files count as the host's. */
const most = 100_000;

export function madeHere(side: PerformSide, roots: readonly string[]): MadeHere {
  const identities = new Set<string>();
  const repositories: string[] = [];
  const has = (path: string): boolean => lookUpEntry(side, path) !== undefined;
  return {
    origin: (path) => {
      const there = lookUpEntry(side, path);
      return there === undefined ? 'absent' : identities.has(identityOf(there)) ? 'box' : 'host';
    },
    // Recognises a repository as git does, under any name of its directory.
    isGitDirectory: (path) =>
      has(`${path}/HEAD`) && (has(`${path}/commondir`) || (has(`${path}/objects`) && has(`${path}/refs`))),
    isInNewRepository: (path) => repositories.some((repository) => path.startsWith(`${repository}/`)),
    made(path) {
      const there = lookUpEntry(side, path);
      const repository = path.endsWith('/.git') ? path.slice(0, -'/.git'.length) : undefined;
      if (
        repository !== undefined &&
        repositories.length < mostRepositories &&
        !roots.includes(repository) &&
        holdsOnlyGit(repository)
      )
        repositories.push(repository);
      if (there !== undefined && identities.size < most) identities.add(identityOf(there));
    },
  };
}

const mostRepositories = 64;

function holdsOnlyGit(directory: string): boolean {
  try {
    return readdirSync(toBytes(directory)).length === 1;
  } catch {
    return false;
  }
}

/** Inode numbers are reused, but birth times are not. */
function identityOf({ dev, ino, birthtimeNs }: Pick<BigIntStats, 'dev' | 'ino' | 'birthtimeNs'>): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}
