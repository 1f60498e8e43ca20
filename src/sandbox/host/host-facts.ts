import { availableParallelism, homedir, release, totalmem } from 'node:os';
import process from 'node:process';
import { wantedPaths, type HostFacts, type PathFact, type WorkspaceFacts } from '../../plan/index.ts';
import type { Policy } from '../../policy/index.ts';
import { cgroupFacts } from './cgroups.ts';
import { pathFact } from './path-facts.ts';

export interface FactOptions {
  readonly workspace: WorkspaceFacts;
  readonly installation: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Everything the planner needs to know of this machine for one policy. Reads the file system; changes nothing. */
export function collectFacts(policy: Policy, options: FactOptions): HostFacts {
  const wanted = wantedPaths(policy, options.workspace, options.installation);
  return {
    user: { uid: process.getuid?.() ?? -1, home: homeDirectory() },
    workspace: options.workspace,
    paths: new Map(wanted.map((path): [string, PathFact] => [path, pathFact(path)])),
    memory: totalmem(),
    processors: availableParallelism(),
    cgroups: cgroupFacts(),
    installation: options.installation,
    overlay: kernelAtLeast(5, 11) ? 'available' : 'unavailable',
    environment: options.environment,
  };
}

export function homeDirectory(): string {
  return homedir();
}

export function kernelAtLeast(major: number, minor: number, version = release()): boolean {
  const [have = 0, haveMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return have > major || (have === major && haveMinor >= minor);
}
