/** An entry of a workspace, as it left this machine. */
export type SentEntry =
  | { readonly type: 'file'; readonly mode: number; readonly size: number; readonly digest: string }
  | { readonly type: 'directory'; readonly mode: number }
  | { readonly type: 'symlink'; readonly target: string };

/**
 * A workspace, as it left this machine. Paths are relative, and bytes as latin1: they may hold anything but `/` and
 * NUL.
 */
export interface SentWorkspace {
  /** Real path. */
  readonly workspace: string;
  /** Milliseconds since 1970, before the first entry was read. */
  readonly taken: number;
  readonly entries: ReadonlyMap<string, SentEntry>;
  /** Entries that stayed here: hidden by the policy, unreadable, or not a file. */
  readonly leftOut: readonly string[];
}
