import { readlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';

/** Access of a box to a path without grants. `writable`: a box may have put anything there. */
export type BoxAccess = 'shown' | 'hidden' | 'writable' | 'refused';

export interface AgentProgramPlace {
  readonly home: string;
  /** The person's `PATH`. */
  readonly path: string;
  readonly access: (path: string) => BoxAccess;
}

/**
 * Attack: a repository holds `node_modules/.bin/claude`, a link to another project of the user. Following it would
 * grant that project to the repository's box. Throws `HF_COMMAND_NOT_FOUND`.
 */
export function refuseLed(name: string, found: string, access: AgentProgramPlace['access']): void {
  const step = linksOf(found).find((each) => access(each) === 'writable');
  if (step === undefined) return;
  throw new HoldfastError(
    'HF_COMMAND_NOT_FOUND',
    `${name} is found through ${step}, which boxes can write, and leads out of there: it may have been planted`,
    { remedy: 'install the agent outside of the workspace, or look at it and grant its directory: --read DIRECTORY' },
  );
}

/** Returns every link on the way from a path to its file, including links of directories. */
function linksOf(path: string): readonly string[] {
  const seen: string[] = [];
  const waiting = path.split('/').filter((part) => part !== '');
  for (let at = '/'; waiting.length > 0 && seen.length < mostLinks; ) {
    const next = resolve(at, waiting.shift() ?? '');
    const target = linkTarget(next);
    if (target === undefined) at = next;
    else {
      seen.push(next);
      waiting.unshift(...target.split('/').filter((part) => part !== ''));
      if (target.startsWith('/')) at = '/';
    }
  }
  return seen;
}

/** The kernel's limit. */
const mostLinks = 40;

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
