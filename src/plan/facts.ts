import type { FileIdentity } from './types.ts';

/** What the planner must know of the machine. Collected once, by the room `place`, and never looked up again. */
export interface HostFacts {
  readonly user: UserFacts;
  readonly workspace: WorkspaceFacts;
  /** Facts for every path that `wantedPaths` names. */
  readonly paths: ReadonlyMap<string, PathFact>;
  /** Absolute paths that git would run or obey, by its configuration. */
  readonly gitPrograms: readonly string[];
  /** Where the programs lie that the policy refuses as a whole. */
  readonly programs: readonly ProgramFact[];
  /** Where the programs lie that alone may run; none where others may, or where none of them is there. */
  readonly executables: readonly ExecutableFact[];
  /** Bytes of main memory. */
  readonly memory: number;
  readonly cgroups: CgroupFacts;
  /** Files of Holdfast's own installation and its Node, so that `holdfast why` works inside. */
  readonly installation: readonly string[];
  /** Whether an overlay can be mounted in a user namespace (kernel 5.11). */
  readonly overlay: 'available' | 'unavailable';
  /** Whether the kernel speaks IPv6. */
  readonly ipv6: 'available' | 'unavailable';
  readonly environment: Readonly<Record<string, string | undefined>>;
  /**
   * Names of files in the workspace that a program loads by itself, and that nobody may have approved. Default: none.
   */
  readonly withheld?: readonly (readonly string[])[];
}

/** One file that a program's name leads to. */
export interface ProgramFact {
  /** As the policy has it: a bare name or an absolute path. */
  readonly program: string;
  /** Of the file, without symlinks. */
  readonly real: string;
  readonly identity: FileIdentity;
  /** Everything in the directories of programs that leads to the same inode, `real` included. Absolute. */
  readonly names: readonly string[];
  /** Those of `names` that are names of the inode itself, without `real`. */
  readonly hardLinks: readonly string[];
}

/** One file that may be executed, with what the kernel executes together with it. */
export interface ExecutableFact {
  /** As the policy has it: a bare name or an absolute path. */
  readonly program: string;
  /** Of the file, without symlinks. */
  readonly real: string;
  /** Interpreters and loaders, without symlinks. */
  readonly needs: readonly string[];
}

export interface UserFacts {
  readonly uid: number;
  readonly home: string;
}

export interface WorkspaceFacts {
  /** Top of the git work tree, or the working directory outside git. */
  readonly root: string;
  /** Git directories that lie outside `root`: of a linked worktree's main repository, of a submodule's parent. */
  readonly gitDirectories: readonly string[];
  readonly cwd: string;
}

export type PathFact = MissingPath | PresentPath;

export interface MissingPath {
  readonly kind: 'missing';
}

export interface PresentPath {
  readonly kind: 'present';
  /** Where the path leads when every symlink is followed. */
  readonly real: string;
  readonly identity: FileIdentity;
  /** Every symlink on the way, as absolute paths; the box may have planted those that lie in a writable root. */
  readonly symlinks: readonly string[];
  /** Text of the last component when that itself is a symlink. */
  readonly linkText?: string;
}

/** Control groups that this process may make, by controller, or none. */
export type CgroupFacts =
  | { readonly kind: 'none'; readonly reason: string }
  | { readonly kind: 'v2'; readonly directory: string; readonly controllers: readonly string[] }
  | { readonly kind: 'v1'; readonly directories: Readonly<Partial<Record<'memory' | 'pids' | 'cpu', string>>> };
