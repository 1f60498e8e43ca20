import type { FileIdentity } from './mount.ts';

/**
 * Facts about the machine for the planner. The room `place` collects them once, and no other code looks them up again.
 */
export interface HostFacts {
  readonly user: UserFacts;
  readonly workspace: WorkspaceFacts;
  /** Facts for every path that `wantedPaths` names. */
  readonly paths: ReadonlyMap<string, PathFact>;
  /** Absolute paths that git's configuration would have it run or obey. */
  readonly gitPrograms: readonly string[];
  /** Files of programs that the policy denies as a whole. */
  readonly programs: readonly ProgramFact[];
  /** Files of the only programs that may run. Empty if others may run too, or if none of them exists. */
  readonly executables: readonly ExecutableFact[];
  /** Bytes of main memory. */
  readonly memory: number;
  readonly cgroups: CgroupFacts;
  /** Files of Holdfast's own installation and its Node, so that `holdfast why` works inside. */
  readonly installation: readonly string[];
  /** Whether an overlay can be mounted in a user namespace (kernel 5.11). */
  readonly overlay: 'available' | 'unavailable';
  /** Whether the kernel supports IPv6. */
  readonly ipv6: 'available' | 'unavailable';
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of workspace files that a program loads by itself and that may not be approved. Default: none. */
  readonly withheld?: readonly (readonly string[])[];
}

/** One file that a program's name resolves to. */
export interface ProgramFact {
  /** Name in the policy: a bare name or an absolute path. */
  readonly program: string;
  /** Path of the file, without symlinks. */
  readonly real: string;
  readonly identity: FileIdentity;
  /** All absolute paths in the programs' directories that lead to the same inode, including `real`. */
  readonly names: readonly string[];
  /** Hard links among `names`, without `real`. */
  readonly hardLinks: readonly string[];
}

/** One file that may be executed, with the files that the kernel executes together with it. */
export interface ExecutableFact {
  /** Name in the policy: a bare name or an absolute path. */
  readonly program: string;
  /** Path of the file, without symlinks. */
  readonly real: string;
  /** Interpreters and loaders, without symlinks. */
  readonly needs: readonly string[];
}

export interface UserFacts {
  readonly uid: number;
  readonly home: string;
}

export interface WorkspaceFacts {
  /** Top of the git work tree, or the working directory outside of git. */
  readonly root: string;
  /** Git directories outside of `root`: of a linked worktree's main repository, or of a submodule's parent. */
  readonly gitDirectories: readonly string[];
  readonly cwd: string;
}

export type PathFact = MissingPath | PresentPath;

export interface MissingPath {
  readonly kind: 'missing';
}

export interface PresentPath {
  readonly kind: 'present';
  /** The path with every symlink followed. */
  readonly real: string;
  readonly identity: FileIdentity;
  /** Every symlink on the way, as absolute paths. An earlier box may have planted those in a writable root. */
  readonly symlinks: readonly string[];
  /** Text of the last component, if that is itself a symlink. */
  readonly linkText?: string;
}

/** Control groups that this process may make, by controller, or none. */
export type CgroupFacts =
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'v2'; readonly directory: string; readonly controllers: readonly string[] }
  | { readonly kind: 'v1'; readonly directories: Readonly<Partial<Record<'memory' | 'pids' | 'cpu', string>>> };

/** Linux 5.19: earlier kernels restart a call that is interrupted while it is judged. */
export function canHoldExecutions(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 5 || (major === 5 && minor >= 19);
}
