import { existsSync } from 'node:fs';
import { homedir, release, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import type { BackendName } from '../backends/index.ts';
import { HoldfastError } from '../errors/index.ts';
import type { CgroupFacts, WorkspaceFacts } from '../plan/index.ts';
import type { Approve } from './notify/approve.ts';
import { absoluteGrants } from './absolute-grants.ts';
import { cgroupFacts } from './host/cgroups.ts';
import { findInstallation, type Installation } from './host/installation.ts';
import { statePaths, type StatePaths } from './host/state-paths.ts';
import { findWorkspace } from './host/workspace.ts';
import type { StagedBoxes, StagedChoice } from './staged/staging.ts';
import { readPolicyTexts, type PolicyText } from './policy-texts.ts';
import type { SpareParts } from './spare-parts.ts';

/** What the person who starts a session grants on the command line or through the library. It counts as their policy. */
export interface Grants {
  /** Paths, not patterns; relative ones start at `cwd`. */
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  /** May be written; what is written is thrown away with the box. Absolute. */
  readonly ephemeral?: readonly string[];
  /** Protected or hidden paths that are neither in this session. Absolute. */
  readonly release?: readonly string[];
  /** `HOST` or `HOST:PORT`. */
  readonly hosts?: readonly string[];
  /** Names of presets: `npm`, `pypi`, `github` … */
  readonly presets?: readonly string[];
  /** Ports of the box to show on the host's loopback: `8080`, or `3000:8080` as host and box. */
  readonly forward?: readonly string[];
  readonly environment?: readonly string[];
  /** Paths, or `@NAME` of an abstract socket. */
  readonly sockets?: readonly string[];
  /** Variables with fixed values. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Rows of the table of providers, and the variable that holds the secret outside of the box. One that a policy has is left to it. */
  readonly credentials?: readonly GrantedCredential[];
}

export interface GrantedCredential {
  readonly provider: string;
  readonly environment: string;
}

export interface SessionOptions {
  /** Where commands start. */
  readonly cwd: string;
  /** Relative to `cwd`. Default: the top of the git work tree around `cwd`, or `cwd`. */
  readonly workspace?: string;
  readonly backend?: BackendName | 'auto';
  /** What the person who starts the session grants in addition to their policy file. */
  readonly grants?: Grants;
  /** Keeps every write aside. Default: writes go to the host. */
  readonly staged?: StagedChoice;
  /** How many boxes may use the staged layer at a time. Default: `one`. */
  readonly stagedBoxes?: StagedBoxes;
  /** `many`: what is approved or revoked while the session lives counts for the commands after it. Default: `one`. */
  readonly commands?: 'one' | 'many';
  /** What the policy's allow-list is applied to. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Policies of this session alone, which can only take away. */
  readonly layers?: readonly PolicyText[];
  /** Names of the credentials that boxes get. Default: all that the policy has. */
  readonly credentials?: readonly string[];
  /** Labels, for the journal. */
  readonly metadata?: Metadata;
  /** Decides what rules ask about. Default: other channels do, and where nobody is there it is denied. */
  readonly approve?: Approve;
  /** `/proc/PID/cgroup` of the process whose control group boxes are made in. Default: this one's. */
  readonly membership?: string;
  /** Parts that were made ahead. Default: each is made when it is needed. */
  readonly spares?: SpareParts;
  /** `ours`: a person started this process at its terminal, and may be asked there until a command has it. Default: `none`. */
  readonly terminal?: 'ours' | 'none';
}

/** Everything that can be known before a policy is understood: texts, not decisions. */
export interface Place {
  readonly home: string;
  readonly uid: number;
  readonly workspace: WorkspaceFacts;
  readonly installation: Installation;
  readonly paths: StatePaths;
  /** Holdfast's own directories, which no box sees. */
  readonly ownDirectories: readonly string[];
  readonly sources: readonly PolicyText[];
  readonly grants: Grants;
  readonly backend: BackendName | 'auto';
  /** Bytes of main memory. */
  readonly memory: number;
  readonly cgroups: CgroupFacts;
  readonly overlay: 'available' | 'unavailable';
  readonly ipv6: 'available' | 'unavailable';
}

/** Reads the policy files and looks at the host. Starts nothing and writes nothing. */
export function readPlace(options: SessionOptions): Place {
  const home = homedir();
  const paths = statePaths(home, options.environment);
  const workspace = findWorkspace({ cwd: options.cwd, home, ...(options.workspace === undefined ? {} : { root: resolve(options.cwd, options.workspace) }) });
  return {
    home,
    uid: process.getuid?.() ?? -1,
    workspace,
    installation: findInstallation(),
    paths,
    ownDirectories: [dirname(paths.userPolicy), paths.state, dirname(paths.managedPolicy), paths.runtime],
    sources: [...readPolicyTexts(paths, workspace.root), ...(options.layers ?? [])],
    grants: absoluteGrants(options.grants ?? {}, { cwd: options.cwd, home }),
    backend: options.backend ?? 'auto',
    memory: totalmem(),
    cgroups: cgroupFacts(undefined, options.membership),
    overlay: kernelAtLeast(5, 11) ? 'available' : 'unavailable',
    ipv6: existsSync('/proc/net/if_inet6') ? 'available' : 'unavailable',
  };
}

/** Compares the running kernel's version, or the one given, by its first two numbers. */
export function kernelAtLeast(major: number, minor: number, version = release()): boolean {
  const [have = 0, haveMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return have > major || (have === major && haveMinor >= minor);
}

/** Labels of a sandbox, for whoever has many. They are no secrets: the journal has them. */
export type Metadata = Readonly<Record<string, string>>;

const most = 32;
const longest = 256;

/** Throws `HF_USAGE` for more than 32 labels, for a name that is not of letters, digits, `.`, `_` and `-`, and for a text of more than 256 characters or with control characters. */
export function checkedMetadata(metadata: Metadata): Metadata {
  const labels = Object.entries(metadata);
  const wrong = labels.find(([name, text]) => !/^[\w.-]{1,64}$/u.test(name) || typeof text !== 'string' || text.length > longest || /\p{Cc}/u.test(text));
  if (wrong === undefined && labels.length <= most) return Object.freeze({ ...metadata });
  throw new HoldfastError('HF_USAGE', wrong === undefined ? `${labels.length} labels of a sandbox` : `the label ${JSON.stringify(wrong[0])} of a sandbox`, {
    remedy: `give at most ${most}, with names of letters, digits, ".", "_" and "-", and one line of at most ${longest} characters each`,
  });
}
