import { join } from 'node:path';
import { changedTraces, gitDirectoriesBelow, takeTraces, tracePaths } from '../../place/git-config/traces.ts';
import { linkedGitDirectories } from '../../place/host/workspace.ts';
import type { Mount } from '../../plan/mount.ts';
import type { Plan } from '../../plan/types.ts';
import { type Trace, mostNoted, newFile, tracesOf } from './traces.ts';

export interface AcceptPlace {
  /** Real path of the workspace. */
  readonly workspace: string;
  /** Real paths of the staged directories of the host. */
  readonly roots: readonly string[];
}

/**
 * Call before an accept: a staged run leaves nothing that acts later, and its accept may. The returned function takes
 * the accepted links and FIFOs, and returns the traces of them and of git.
 */
export function watchAccept({ workspace, roots }: AcceptPlace): (accepted: readonly string[]) => readonly Trace[] {
  const own = [join(workspace, '.git'), ...linkedGitDirectories(workspace)];
  const traces = takeTraces(tracePaths([...own, ...gitDirectoriesBelow(own)]));
  const plan = { mounts: ofPrograms, protection: { ...noProtection, roots } };
  return (accepted) => {
    const ofGit = tracesOf({ changed: changedTraces(traces), noted: [], plan, root: workspace }).told;
    const files = accepted.flatMap((path) => newFile(path, plan));
    const more: readonly Trace[] = files.length > mostNoted ? [{ path: workspace, what: 'more', detail: '' }] : [];
    return [...ofGit, ...files.slice(0, mostNoted), ...more];
  };
}

/** A link to a program there is usual: a virtual environment has one. */
const ofPrograms = ['/usr', '/opt', '/nix/store'].map(
  (path): Mount => ({
    kind: 'bind',
    source: path,
    target: path,
    access: 'read-only',
    ownership: 'as-is',
    identity: { device: '0', inode: '0', type: 'directory' },
    presence: 'optional',
  }),
);

const noProtection: Plan['protection'] = {
  roots: [],
  shownRoots: [],
  gitDirectories: [],
  names: [],
  guarded: [],
  released: [],
};
