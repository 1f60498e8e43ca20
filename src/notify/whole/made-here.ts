import type { BigIntStats } from 'node:fs';
import { readdirSync } from 'node:fs';
import { lookUp, type Side } from '../perform/side.ts';
import { toBytes } from '../view/byte-text.ts';
import type { Ground } from '../law/file-law.ts';

/** Who made what lies at a path that names of the plan are about: what the box has made is its own. */
export interface MadeHere extends Ground {
  /** After the box has made something there. */
  made(path: string): void;
}

/** More than any program makes of such names; beyond, what is made counts as the host's. */
const most = 100_000;

export function madeHere(side: Side, roots: readonly string[]): MadeHere {
  const identities = new Set<string>();
  const repositories: string[] = [];
  const has = (path: string): boolean => lookUp(side, path) !== undefined;
  return {
    origin: (path) => {
      const there = lookUp(side, path);
      return there === undefined ? 'absent' : identities.has(identityOf(there)) ? 'box' : 'host';
    },
    // As git knows a repository, whatever its directory is called.
    isGitDirectory: (path) =>
      has(`${path}/HEAD`) && (has(`${path}/commondir`) || (has(`${path}/objects`) && has(`${path}/refs`))),
    isInNewRepository: (path) => repositories.some((repository) => path.startsWith(`${repository}/`)),
    made(path) {
      const there = lookUp(side, path);
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

/** Numbers of inodes are used again, the moment of birth is not. */
function identityOf({ dev, ino, birthtimeNs }: Pick<BigIntStats, 'dev' | 'ino' | 'birthtimeNs'>): string {
  return `${dev}:${ino}:${birthtimeNs}`;
}
