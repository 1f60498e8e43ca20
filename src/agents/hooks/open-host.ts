import { homedir } from 'node:os';
import { appendEvents } from '../../audit/index.ts';
import { statePaths } from '../../sandbox/host/state-paths.ts';
import { findWorkspace } from '../../sandbox/host/workspace.ts';
import { isInsideBox, openWhy, type PolicyOfPlace } from '../../sandbox/why.ts';
import type { HookHost } from './answer-hook.ts';
import type { HookWorld } from './decide-action.ts';
import { decisionEvents } from './journal/decision-events.ts';
import type { AgentName } from './types.ts';

export interface HostOptions {
  readonly agent: AgentName;
  /** `PWD` is where the hook was started. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What starts Holdfast: Node, and the file that it runs. Absolute. */
  readonly program: readonly string[];
  /** Default: it is made anew for each call. */
  readonly policyOf?: PolicyOfPlace;
}

/** Reads the policy for each call, and keeps what was decided in this user's journal: within a box there is none, and its session keeps one. */
export function openHookHost({ agent, environment, program, policyOf }: HostOptions): HookHost {
  const open = (cwd: string): HookWorld => {
    const why = openWhy({ cwd: projectOf(agent, environment) ?? cwd, environment }, policyOf);
    return { why, box: [...program, 'run', '--no-prompt', '--workspace', why.workspace, '--'] };
  };
  const record: HookHost['record'] = (decision, cwd) => {
    if (isInsideBox()) return;
    const workspace = workspaceOf(projectOf(agent, environment) ?? cwd);
    appendEvents(statePaths(homedir(), environment).journal, decisionEvents(decision, { agent, workspace }));
  };
  return { open, record };
}

/**
 * The variables in which agents name the project that they were started in. Codex names none: it starts its hooks there, and tells them the
 * directory that the model has chosen for the command.
 */
const projectVariables: Readonly<Record<AgentName, readonly string[]>> = { claude: ['CLAUDE_PROJECT_DIR'], codex: ['PWD'], gemini: ['GEMINI_PROJECT_DIR'], opencode: [] };

/** The workspace is that of the project, wherever the agent has gone since, and commands get no other. */
function projectOf(agent: AgentName, environment: HostOptions['environment']): string | undefined {
  return projectVariables[agent].map((name) => environment[name]).find((path) => path?.startsWith('/') === true);
}

/** Where there can be none, a refusal is kept under the directory that was named. */
function workspaceOf(cwd: string | undefined): string {
  if (cwd === undefined) return '';
  try {
    return findWorkspace({ cwd, home: homedir() }).root;
  } catch {
    return cwd.slice(0, 4096);
  }
}
