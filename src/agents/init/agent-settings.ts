import { join } from 'node:path';
import { shellQuote } from '../hooks/quote.ts';
import { isObject } from '../hooks/json.ts';
import type { AgentName, JsonObject } from '../hooks/types.ts';
import { type HookEntry, withEntries, withoutEntries } from './hook-entries.ts';

export interface SettingsPlaces {
  readonly home: string;
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export type SettingsScope = 'workspace' | 'user';

/** Reads and changes one agent's settings. Texts are undefined if there is no file. */
export interface AgentSettings {
  /** Default scope: the one that the agent reads without further steps. */
  readonly scope: SettingsScope;
  /** Returns an absolute path. */
  readonly file: (scope: SettingsScope, places: SettingsPlaces) => string;
  readonly install: (text: string | undefined, program: readonly string[]) => string;
  /** Returns the settings without our part. Undefined if nothing is left. */
  readonly remove: (text: string) => string | undefined;
}

/** Settings that turn hooks off, by the agents' documentation. Ours would then never be called. */
const offSwitches = {
  claude: (settings) => (settings['disableAllHooks'] === true ? 'disableAllHooks' : undefined),
  codex: () => undefined,
  gemini: (settings) => {
    const hooksConfig = settings['hooksConfig'];
    if (!isObject(hooksConfig)) return undefined;
    if (hooksConfig['enabled'] === false) return 'hooksConfig.enabled';
    return Array.isArray(hooksConfig['disabled']) && hooksConfig['disabled'].includes('holdfast')
      ? 'hooksConfig.disabled'
      : undefined;
  },
} as const satisfies Readonly<Partial<Record<AgentName, (settings: JsonObject) => string | undefined>>>;

export const agentSettings: Readonly<Record<AgentName, AgentSettings>> = {
  claude: {
    scope: 'workspace',
    file: (scope, { home, workspace, environment }) =>
      scope === 'workspace'
        ? join(workspace, '.claude/settings.local.json')
        : join(environment['CLAUDE_CONFIG_DIR'] || join(home, '.claude'), 'settings.json'),
    ...hooks('claude', ['PreToolUse', 'PermissionRequest', 'PostToolUse'], { timeout: 60, onFailure: 'block' }),
  },
  codex: {
    scope: 'user',
    file: (scope, { home, workspace, environment }) =>
      join(
        scope === 'workspace' ? join(workspace, '.codex') : environment['CODEX_HOME'] || join(home, '.codex'),
        'hooks.json',
      ),
    ...hooks('codex', ['PreToolUse', 'PermissionRequest', 'PostToolUse'], { timeout: 60 }),
  },
  gemini: {
    scope: 'user',
    file: (scope, { home, workspace, environment }) =>
      join(scope === 'workspace' ? workspace : environment['GEMINI_CLI_HOME'] || home, '.gemini/settings.json'),
    ...hooks('gemini', ['BeforeTool', 'AfterTool'], { name: 'holdfast', timeout: 60_000 }),
  },
  opencode: {
    scope: 'workspace',
    file: (scope, { home, workspace, environment }) =>
      join(
        scope === 'workspace'
          ? join(workspace, '.opencode')
          : join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'opencode'),
        'plugin/holdfast.js',
      ),
    install: (_text, program) => pluginText(program),
    remove: () => undefined,
  },
};

/** Any exit status but 2 lets the tool run, also that of a missing Node. See `HookReply`. */
function hooks(
  agent: keyof typeof offSwitches,
  events: readonly string[],
  more: Omit<HookEntry, 'type' | 'command'>,
): Pick<AgentSettings, 'install' | 'remove'> {
  const own = new RegExp(`^'.*' hook ${agent} \\|\\| exit 2$`, 'su');
  return {
    install: (text, program) =>
      withEntries(text, {
        events,
        own,
        off: offSwitches[agent],
        entry: { type: 'command', command: `${program.map(shellQuote).join(' ')} hook ${agent} || exit 2`, ...more },
      }),
    remove: (text) => withoutEntries(text, own),
  };
}

/**
 * Returns the plug-in, because OpenCode has functions instead of hooks. It holds no logic: it passes each call to
 * `holdfast hook opencode`, and takes anything but an answer as a refusal.
 */
export function pluginText(program: readonly string[]): string {
  return `// Written by \`holdfast init opencode\`; \`holdfast init opencode --undo\` takes it out again.
import { spawn } from 'node:child_process';

const [command, ...words] = ${JSON.stringify([...program, 'hook', 'opencode'])};

export const Holdfast = async ({ directory }) => ({
  'tool.execute.before': async ({ tool }, output) => {
    const answer = await ask({ event: 'tool.execute.before', tool, args: output.args, directory });
    if (answer.args !== undefined) Object.assign(output.args, answer.args);
  },
  'tool.execute.after': async ({ tool, args }, output) => {
    if (typeof output.output !== 'string') return;
    const answer = await ask({ event: 'tool.execute.after', tool, args: args ?? {}, output: output.output, directory });
    if (answer.output !== undefined) output.output = answer.output;
  },
});

async function ask(call) {
  const { status, stdout } = await run(JSON.stringify(call));
  const answer = parse(stdout);
  if (status === 0 && answer?.decision === 'allow') return answer;
  throw new Error(answer?.reason ?? 'Holdfast refuses: its hook does not answer');
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function run(input) {
  return new Promise((resolve) => {
    const hook = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    const chunks = [];
    hook.on('error', () => resolve({ status: undefined, stdout: '' }));
    hook.stdin.on('error', () => undefined);
    hook.stdout.on('data', (chunk) => chunks.push(chunk));
    hook.on('close', (status) => resolve({ status, stdout: Buffer.concat(chunks).toString() }));
    hook.stdin.end(input);
  });
}
`;
}
