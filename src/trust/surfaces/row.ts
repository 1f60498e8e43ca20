import { providers } from '../../policy/builtin/providers/index.ts';
import type { ClientName, FieldEffect, SurfaceField, FileFormat, Surface, SurfaceKind } from '../types.ts';

/** Properties that the rows of one family share. A row may override them. */
export interface Family {
  readonly clients: readonly ClientName[];
  readonly source: string;
  readonly gate: Surface['gate'];
}

export interface Row extends Partial<Family>, Pick<Surface, 'secrets' | 'counts' | 'writable'> {
  /** `.claude/settings.json`, for example; ends with `/**` for a whole tree. */
  readonly path: string;
  readonly kind: SurfaceKind;
  /** Default: `source`. */
  readonly format?: FileFormat;
  /** Default: none, and the whole file is one field. */
  readonly fields?: readonly SurfaceField[];
}

/** Returns rows by their names. */
export function surfaceFamily(shared: Family, rows: Readonly<Record<string, Row>>): readonly Surface[] {
  return Object.entries(rows).map(
    ([
      name,
      {
        path,
        format = 'source',
        fields = [],
        clients = shared.clients,
        source = shared.source,
        gate = shared.gate,
        ...row
      },
    ]) => ({ ...row, name, components: path.split('/'), clients, format, gate, fields, source }),
  );
}

/** A command whose arguments may be files of the repository. */
export const runsCommand = (...paths: readonly string[]): readonly SurfaceField[] =>
  paths.map((path) => ({ path, effect: 'runs', names: 'script' }));
export const runs = (...paths: readonly string[]): readonly SurfaceField[] => effect('runs', paths);
export const connects = (...paths: readonly string[]): readonly SurfaceField[] => effect('connects', paths);
export const redirects = (...paths: readonly string[]): readonly SurfaceField[] => effect('redirects', paths);
const instructs = (...paths: readonly string[]): readonly SurfaceField[] => effect('instructs', paths);
export const permits = (...paths: readonly string[]): readonly SurfaceField[] => effect('permits', paths);

function effect(kind: FieldEffect, paths: readonly string[]): readonly SurfaceField[] {
  return paths.map((path) => ({ path, effect: kind }));
}

/** Variables that redirect a client, or make programs load code. Trust does not cover other variables. */
export const environmentFields: readonly SurfaceField[] = [
  ...redirects(
    ...baseUrlNames(),
    '*_BASE_URL',
    '*_API_BASE',
    '*_API_URL',
    '*_API_HOST',
    '*_ENDPOINT',
    '*_ENDPOINT_URL*',
    '*_PROXY',
    '*_REGISTRY',
    '*_INDEX_URL',
    'OLLAMA_HOST',
    'CLAUDE_CODE_USE_*',
    'GOOGLE_GENAI_USE_*',
  ),
  ...runs(
    'LD_*',
    'DYLD_*',
    'GCONV_PATH',
    'GLIBC_TUNABLES',
    'NODE_*',
    'NPM_CONFIG_*',
    'YARN_*',
    'PNPM_*',
    'PYTHON*',
    'PIP_*',
    'UV_*',
    'PERL*',
    'RUBY*',
    'GEM_*',
    'BUNDLE_*',
    'LUA_*',
    'PHPRC',
    'PHP_INI_*',
    '*JAVA*_OPTIONS',
    'MAVEN_*',
    'GRADLE_*',
    'DOTNET_*',
    'CORECLR_*',
  ),
  ...runs(
    'PATH',
    'SHELL',
    'BASH_*',
    'ENV',
    'SHELLOPTS',
    'PROMPT_COMMAND',
    'PS?',
    'ZDOTDIR',
    'CDPATH',
    'IFS',
    'GIT_*',
    'SSH_ASKPASS',
    'LESSOPEN',
    'LESSCLOSE',
    '*PAGER',
    '*EDITOR',
    'VISUAL',
    'BROWSER',
    'RUST*',
    'CARGO_*',
    'CC',
    'CXX',
    'LD',
    'MAKEFLAGS',
    'HOME',
    'XDG_*',
    'TMPDIR',
    '*_CONFIG_FILE',
    '*_CONFIG_DIR',
  ),
];

function baseUrlNames(): readonly string[] {
  return [...new Set(Object.values(providers).flatMap(({ baseUrls }) => baseUrls.map(({ name }) => name)))];
}

/**
 * Fields of Model Context Protocol servers below a key. Each client has its own spelling. All further keys of a server
 * are shown too.
 */
export function mcpServers(key: string): readonly SurfaceField[] {
  return [
    ...runsCommand(`${key}.*.command`, `${key}.*.command.**`, `${key}.*.args.**`, `${key}.*.cwd`),
    ...runs(`${key}.*.env.*`, `${key}.*.environment.*`, `${key}.*.envFile`, `${key}.*.headersHelper`),
    ...connects(
      `${key}.*.url`,
      `${key}.*.httpUrl`,
      `${key}.*.serverUrl`,
      `${key}.*.headers.*`,
      `${key}.*.http_headers.*`,
    ),
    ...permits(
      `${key}.*.trust`,
      `${key}.*.alwaysAllow.**`,
      `${key}.*.autoApprove.**`,
      `${key}.*.enabled`,
      `${key}.*.disabled`,
    ),
    ...runs(`${key}.**`),
  ];
}

/** Handlers of an agent's events below a key. */
export function hooks(key: string): readonly SurfaceField[] {
  return [
    ...runsCommand(`${key}.**.command`, `${key}.**.bash`, `${key}.**.args.**`),
    ...connects(`${key}.**.url`),
    ...instructs(`${key}.**.prompt`),
    ...runs(`${key}.**`),
  ];
}

/** JSON editors fetch the schema as soon as the file is opened (Mindgard 3.3). */
export const schema: readonly SurfaceField[] = redirects('$schema');

/** All other keys of any agent: settings widen or narrow permissions. */
export const anyOther: readonly SurfaceField[] = permits('**');

/** Front matter of Markdown for agents, and its lines that run or load something. `extract/markdown.ts` names them. */
export const frontMatter: readonly SurfaceField[] = [
  ...hooks('front.hooks'),
  ...mcpServers('front.mcpServers'),
  ...mcpServers('front.mcp-servers'),
  ...runsCommand('front.command', 'command.*'),
  ...permits(
    'front.allowed-tools.**',
    'front.allowedTools.**',
    'front.tools.**',
    'front.permission.**',
    'front.permissionMode',
    'front.disable-model-invocation',
    'front.user-invocable',
  ),
  { path: 'import.*', effect: 'instructs', names: 'script' },
  ...instructs(
    'front.model',
    'front.agent',
    'front.alwaysApply',
    'front.applyTo',
    'front.globs.**',
    'front.paths.**',
    'front.inclusion',
    'front.trigger',
    'front.skills.**',
    'text',
  ),
];
