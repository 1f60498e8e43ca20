/**
 * The refusals of each source, by its own documentation, for commands of plain words. Small on purpose: the tests
 * compare the imports with them.
 */

type Rules<Rule> = readonly Rule[];

function claudeCommand(rules: readonly string[], argv: readonly string[]): boolean {
  const command = argv.join(' ');
  return rules.some((rule) => {
    const pattern = rule.slice('Bash('.length, -1);
    const prefix = pattern.replace(/(?::\*| \*)$/u, '');
    if (prefix === pattern) return wildcard(pattern).test(command);
    return wildcard(prefix).test(command) || wildcard(`${prefix} *`).test(command);
  });
}

/** A wildcard for one character also counts. */
function glob(text: string): RegExp {
  return new RegExp(wildcard(text).source.replaceAll(String.raw`\?`, '.'), 'su');
}

function wildcard(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.+?^$()|[\]{}\\]/gu, String.raw`\$&`).replaceAll('*', '.*')}$`, 'su');
}

/**
 * gitignore: `//` from the root, `/` and `./` from the project, a name without a slash at any depth. A directory
 * includes its contents.
 */
function claudePath(glob: string, path: string): boolean {
  const rooted = glob.replace(/^\/\/home\/dev\/app\//u, '/');
  const anchored = rooted.startsWith('/')
    ? rooted.slice(1)
    : rooted.startsWith('./')
      ? rooted.slice(2)
      : rooted.includes('/')
        ? rooted
        : `**/${rooted}`;
  const parts = path.split('/');
  return parts.some((_, index) => expression(anchored).test(parts.slice(0, index + 1).join('/')));
}

function expression(glob: string): RegExp {
  const components = glob
    .split('/')
    .map((component) =>
      component === '**' ? '**' : component.replaceAll(/\[[^\]]*\]|\*+|[?]|\{[^}]*\}|[.+^$()|\\]/gu, replacement),
    );
  return new RegExp(
    `^${components
      .join('/')
      .replaceAll('**/', '(?:.*/)?')
      .replaceAll(/\/\*\*$/gu, '/.*')
      .replaceAll('**', '.*')}$`,
    'u',
  );
}

function replacement(part: string): string {
  if (part.startsWith('[')) return part;
  if (part.startsWith('*')) return '[^/]*';
  if (part === '?') return '[^/]';
  if (part.startsWith('{')) return `(?:${part.slice(1, -1).replaceAll('.', String.raw`\.`).replaceAll(',', '|')})`;
  return `\\${part}`;
}

/** A deny rule precedes everything. */
export const claudeRefuses: {
  (rules: readonly string[], argv: readonly string[]): boolean;
  path(glob: string, path: string): boolean;
} = Object.assign(claudeCommand, { path: claudePath });

export interface CodexRule {
  readonly pattern: readonly (string | readonly string[])[];
  readonly decision: string;
}

/** The strictest of the rules whose words start the command. */
export function codexRefuses(rules: Rules<CodexRule>, argv: readonly string[]): boolean {
  return rules.some(
    ({ pattern, decision }) =>
      decision === 'forbidden' &&
      pattern.every((word, index) =>
        typeof word === 'string' ? word === argv[index] : word.includes(argv[index] ?? ''),
      ),
  );
}

export interface GeminiRule {
  readonly prefix: string;
  readonly decision: string;
  readonly priority: number;
}

/** The first rule of the highest priority with a prefix of the command that ends at a word boundary. */
export function geminiRefuses(rules: Rules<GeminiRule>, argv: readonly string[]): boolean {
  const command = argv.join(' ');
  const sorted = rules.toSorted((one, other) => other.priority - one.priority);
  return sorted.find(({ prefix }) => command === prefix || command.startsWith(`${prefix} `))?.decision === 'deny';
}

export interface AgentshRule {
  readonly commands: readonly string[];
  readonly args_patterns: readonly string[] | undefined;
  readonly decision: string;
}

/** The first rule whose name and arguments match. Without one, the call is refused. */
export function agentshRefuses(rules: Rules<AgentshRule>, [program = '', ...args]: readonly string[]): boolean {
  const first = rules.find(
    ({ commands, args_patterns: patterns }) =>
      commands.some((name) => glob(name).test(program)) &&
      (patterns === undefined || patterns.some((pattern) => new RegExp(pattern, 'u').test(args.join(' ')))),
  );
  return first === undefined || first.decision === 'deny';
}
