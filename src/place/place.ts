/**
 * The room between a machine and a plan: a directory, policy texts and facts of the host become a plan that can be
 * remembered.
 *
 * It starts nothing, and knows no session, command or box.
 */
import { existsSync } from 'node:fs';
import { homedir, release, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import type { BackendName } from '../backends/backend.ts';
import type { CgroupFacts, WorkspaceFacts } from '../plan/facts.ts';
import { absoluteGrants, type Grants } from './grants.ts';
import { type SecondPath, bindMounts } from './host/bind-mounts.ts';
import { cgroupFacts } from './host/cgroups.ts';
import { findInstallation, type Installation } from './host/installation.ts';
import { statePaths, type StatePaths } from './host/state-paths.ts';
import { findWorkspace } from './host/workspace.ts';
import { type PolicyText, readPolicyTexts, strictRequest, withoutForwards } from './policy-texts.ts';

/** The start of a session, and the sources of its policy. */
export interface PlaceOptions {
  /** Start directory of commands. */
  readonly cwd: string;
  /** Relative to `cwd`. Default: the top of the git work tree around `cwd`, or `cwd`. */
  readonly workspace?: string;
  readonly backend?: BackendName | 'auto';
  /** Grants by the person who starts the session, in addition to their policy file. */
  readonly grants?: Grants;
  /** Variables that the policy's allow-list filters. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Policies of this session only, which can only restrict. */
  readonly layers?: readonly PolicyText[];
  /** `true` adds the strict policy. Default: as the policy files say. */
  readonly strict?: boolean;
  /** `/proc/PID/cgroup` of the process in whose control group boxes are made. Default: this process's. */
  readonly membership?: string;
}

/** Everything that can be known before a policy is parsed: texts, not decisions. */
export interface Place {
  readonly home: string;
  readonly uid: number;
  readonly workspace: WorkspaceFacts;
  readonly installation: Installation;
  readonly paths: StatePaths;
  /** Holdfast's own directories, which no box sees. */
  readonly ownDirectories: readonly string[];
  readonly sources: readonly PolicyText[];
  /** Second paths of trees. The decisions about their first paths apply to them. */
  readonly bindMounts: readonly SecondPath[];
  readonly grants: Grants;
  readonly backend: BackendName | 'auto';
  /** Bytes of main memory. */
  readonly memory: number;
  readonly cgroups: CgroupFacts;
  readonly overlay: 'available' | 'unavailable';
  readonly ipv6: 'available' | 'unavailable';
}

/** Reads the policy files and the facts of the host. Starts nothing and writes nothing. */
export function readPlace(options: PlaceOptions): Place {
  const home = homedir();
  const paths = statePaths(home, options.environment);
  const workspace = findWorkspace({
    cwd: options.cwd,
    home,
    ...(options.workspace === undefined ? {} : { root: resolve(options.cwd, options.workspace) }),
  });
  return {
    home,
    uid: process.getuid?.() ?? -1,
    workspace,
    installation: findInstallation(),
    paths,
    ownDirectories: [dirname(paths.userPolicy), paths.state, dirname(paths.managedPolicy), paths.runtime],
    sources: [
      ...readPolicyTexts(paths, workspace.root),
      ...(options.layers ?? []),
      ...(options.strict === true ? [strictRequest] : []),
      ...(options.grants?.forward?.includes('none') === true ? [withoutForwards] : []),
    ],
    bindMounts: bindMounts(),
    grants: absoluteGrants(options.grants ?? {}, { cwd: options.cwd, home }),
    backend: options.backend ?? 'auto',
    memory: totalmem(),
    cgroups: cgroupFacts(undefined, options.membership),
    overlay: kernelAtLeast(5, 11) ? 'available' : 'unavailable',
    ipv6: existsSync('/proc/net/if_inet6') ? 'available' : 'unavailable',
  };
}

/** Compares the version of the running kernel, or the given one, by its first two numbers. */
export function kernelAtLeast(major: number, minor: number, version = release()): boolean {
  const [have = 0, haveMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return have > major || (have === major && haveMinor >= minor);
}
