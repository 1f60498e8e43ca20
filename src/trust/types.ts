/**
 * The trust room: the parts of a repository that could execute, redirect or speak to an agent, their approvals, and
 * their changes since.
 *
 * Approvals are of bytes: a box gets the bytes that were hashed. Nothing of a repository is run or loaded here: it is
 * read once, as hostile data. A missing approval never keeps a box from starting.
 */

/** Kinds of effects that a repository's file can have on someone who opens it. */
export const surfaceKinds = [
  'mcp',
  'hook',
  'task',
  'lsp',
  'skill',
  'plugin',
  'instructions',
  'prompt',
  'script',
  'git',
  'devcontainer',
  'editor',
  'environment',
  'agent-settings',
  'registry',
  'schema',
  'policy',
] as const;
export type SurfaceKind = (typeof surfaceKinds)[number];

export const clientNames = [
  'claude',
  'codex',
  'gemini',
  'cursor',
  'copilot',
  'windsurf',
  'zed',
  'kiro',
  'cline',
  'roo',
  'opencode',
  'kilo',
  'vscode',
  'jetbrains',
  'amp',
  'vibe',
  'pi',
  'any',
] as const;
export type ClientName = (typeof clientNames)[number];

export type FileFormat =
  | 'json'
  | 'jsonc'
  | 'toml'
  | 'yaml'
  | 'ini'
  | 'git-config'
  | 'git-attributes'
  | 'dotenv'
  | 'xml'
  | 'markdown'
  | 'source';

/**
 * Effect of a field: runs a program, opens a connection, redirects a client, speaks to a model, or widens permissions.
 */
export type FieldEffect = 'runs' | 'connects' | 'redirects' | 'instructs' | 'permits';

/** One row of the table of surfaces. */
export interface Surface {
  /** Unique and stable: `claude-settings`, `vscode-tasks`. */
  readonly name: string;
  /**
   * Components below any directory of the repository. `*` and `?` match within one component; `**` as the last one
   * matches a whole tree. Compared without ASCII case.
   */
  readonly components: readonly string[];
  readonly kind: SurfaceKind;
  readonly clients: readonly ClientName[];
  readonly format: FileFormat;
  /**
   * `hidden`: a program loads the file by itself when it starts, so boxes do not get it before an approval. `listed`:
   * the file takes effect only if someone runs a program that uses it, inside the box, like `package.json`. It is shown
   * and compared.
   */
  readonly gate: 'hidden' | 'listed';
  /**
   * Paths of the executable fields, such as `mcpServers.*.command`, `hooks.**.command`. Empty if the whole file is one.
   */
  readonly fields: readonly SurfaceField[];
  /** Vendor document or CVE for this row. */
  readonly source: string;
  /** The file may hold secrets in addition to its fields. Only fields are shown or kept, never the whole file. */
  readonly secrets?: 'beside-fields';
  /** `with-fields`: a file of this name counts only if it has a field. */
  readonly counts?: 'with-fields';
  /**
   * Reason why a box may write the file although it is hidden until approved. Undefined if it is also write-protected.
   */
  readonly writable?: string;
}

export interface SurfaceField {
  /** Keys joined with dots. `*` is any one key or index, `**` any number of them. */
  readonly path: string;
  readonly effect: FieldEffect;
  /** `script`: arguments in the field may name files of the repository, which are hashed too. */
  readonly names?: 'script';
}

/** A field of a file as it is now. Texts are filtered. */
export interface ExecutableField {
  /** `mcpServers.docs.command`, for example. Empty for a whole file. */
  readonly path: string;
  readonly effect: FieldEffect;
  readonly value: string;
}

/** A found file, read once. `sha256` is of `bytes`, and the box gets these `bytes`. */
export interface FoundFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Real path in the root, if the file or a directory above it is a symlink. */
  readonly target?: string;
  readonly surface: Surface;
  /** Lower-case hexadecimal. Empty if the file could not be read, and then nobody can approve it. */
  readonly sha256: string;
  readonly size: number;
  readonly fields: readonly ExecutableField[];
  /**
   * Files of the repository that it names and that would run, with their hashes. `sha256` is undefined for a missing
   * file.
   */
  readonly scripts: readonly { readonly path: string; readonly sha256?: string }[];
  /** Why its fields are unknown: broken syntax, too large, special file. The whole file then counts as executable. */
  readonly problem?: string;
}

export interface Discovery {
  /** Real path. */
  readonly root: string;
  /** Sorted by path. */
  readonly files: readonly FoundFile[];
  /**
   * Directories that could not be read, and limits that were reached. A caller that relies on the list must report
   * them.
   */
  readonly problems: readonly string[];
  /** Number of names that were examined. */
  readonly looked: number;
}

export type TrustLevel = 'session' | 'always';

/** One approval. */
export interface TrustEntry {
  readonly path: string;
  readonly sha256: string;
  readonly surface: string;
  readonly level: TrustLevel;
  /** ISO 8601, UTC. */
  readonly approvedAt: string;
  /** Name of the trusted signer whose signature approved it. Undefined if a person did. */
  readonly signer?: string;
  /** The approved fields, for a diff without the old file. */
  readonly fields: readonly ExecutableField[];
  readonly scripts: readonly { readonly path: string; readonly sha256?: string }[];
  /** The store holds the approved bytes under their SHA-256. */
}

/** The approvals of one workspace. */
export interface TrustRecord {
  readonly version: 1;
  /** Real path. */
  readonly workspace: string;
  readonly entries: readonly TrustEntry[];
}

/** Change since the approval. `prose`: no executable field and no script differs. */
export type TrustState = 'approved' | 'new' | 'changed' | 'prose' | 'gone';

export interface TrustStatus {
  readonly path: string;
  readonly state: TrustState;
  readonly found?: FoundFile;
  readonly entry?: TrustEntry;
}
