/** What a file of a repository can do to anyone who opens it. */
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
 * What a field does: runs a program, opens a connection, sends someone elsewhere, speaks to a model, or widens what is
 * permitted.
 */
export type FieldEffect = 'runs' | 'connects' | 'redirects' | 'instructs' | 'permits';

/** One row of the table of surfaces. */
export interface Surface {
  /** Unique and stable: `claude-settings`, `vscode-tasks`. */
  readonly name: string;
  /**
   * Components below any directory of the repository; `*` and `?` within one, and `**` as the last for a whole tree.
   * Compared without regard to ASCII case.
   */
  readonly components: readonly string[];
  readonly kind: SurfaceKind;
  readonly clients: readonly ClientName[];
  readonly format: FileFormat;
  /**
   * `hidden`: a program loads it by itself when it starts, so that the box does not have it before it is approved.
   * `listed`: it takes
   * effect only when someone runs something that uses it, inside of the box, as `package.json` does; it is shown and
   * compared.
   */
  readonly gate: 'hidden' | 'listed';
  /** Where the executable fields are: `mcpServers.*.command`, `hooks.**.command`; empty where the whole file is one. */
  readonly fields: readonly SurfaceField[];
  /** Vendor document or CVE that says so. */
  readonly source: string;
  /** Secrets may lie beside its fields: of such a file only fields are shown or kept, never the whole. */
  readonly secrets?: 'beside-fields';
  /** `with-fields`: a file of that name is one of them only if it has a field. */
  readonly counts?: 'with-fields';
  /** Why a box may write it although it is hidden until approved; absent where it is protected from writing, too. */
  readonly writable?: string;
}

export interface SurfaceField {
  /** Keys by dots; `*` is any one key or index, `**` any number of them. */
  readonly path: string;
  readonly effect: FieldEffect;
  /** `script`: words of it may name files of the repository, which are hashed too. */
  readonly names?: 'script';
}

/** A field as it is in a file now. Texts are filtered. */
export interface ExecutableField {
  /** `mcpServers.docs.command`; empty for a whole file. */
  readonly path: string;
  readonly effect: FieldEffect;
  readonly value: string;
}

/** One file that was found, read once: `sha256` is of `bytes`, and `bytes` are what the box gets. */
export interface FoundFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** Where it really is in the root, if it or a directory above it is a symlink. */
  readonly target?: string;
  readonly surface: Surface;
  /** Lower-case hexadecimal; empty where nothing could be read, which nobody can approve. */
  readonly sha256: string;
  readonly size: number;
  readonly fields: readonly ExecutableField[];
  /**
   * Files of the repository that it names and that would run, with their hashes; `sha256` is absent where it names one
   * that is not there.
   */
  readonly scripts: readonly { readonly path: string; readonly sha256?: string }[];
  /** Why its fields are not known: broken syntax, too large, no regular file. It is then as a whole executable. */
  readonly problem?: string;
}

export interface Discovery {
  /** Real path. */
  readonly root: string;
  /** By path. */
  readonly files: readonly FoundFile[];
  /** Directories that could not be read, and limits that were reached: anyone who relies on the list has to say so. */
  readonly problems: readonly string[];
  /** Entries that were looked at. */
  readonly looked: number;
}

export type TrustLevel = 'session' | 'always';

/** What someone said yes to. */
export interface TrustEntry {
  readonly path: string;
  readonly sha256: string;
  readonly surface: string;
  readonly level: TrustLevel;
  /** ISO 8601, UTC. */
  readonly approvedAt: string;
  /** Name of the trusted signer whose signature approved it; absent where a person did. */
  readonly signer?: string;
  /** As they were approved, for a diff without the old file. */
  readonly fields: readonly ExecutableField[];
  readonly scripts: readonly { readonly path: string; readonly sha256?: string }[];
  /** The approved bytes lie under this name in the store, which is their SHA-256. */
}

/** Of one workspace. */
export interface TrustRecord {
  readonly version: 1;
  /** Real path. */
  readonly workspace: string;
  readonly entries: readonly TrustEntry[];
}

/** What changed since it was approved. `prose`: no executable field and no script is another. */
export type TrustState = 'approved' | 'new' | 'changed' | 'prose' | 'gone';

export interface TrustStatus {
  readonly path: string;
  readonly state: TrustState;
  readonly found?: FoundFile;
  readonly entry?: TrustEntry;
}
