import { homedir } from 'node:os';
// Not through their indexes: these are all that a remembered decision loads.
import { appendEvents } from '../../audit/journal.ts';
import { isInsideBox } from '../../sandbox/host/inside-box.ts';
import { statePaths } from '../../sandbox/host/state-paths.ts';
import { findWorkspace } from '../../sandbox/host/workspace.ts';
import { readPlace } from '../../sandbox/place.ts';
import type { HookHost } from './answer-hook.ts';
import { decisionMemory } from './decision-memory.ts';
import type { Fresh } from './fresh-decisions.ts';
import { decisionEvents } from './journal/decision-events.ts';
import type { AgentName } from './types.ts';

export interface HostOptions {
  readonly agent: AgentName;
  /** `PWD` is where the hook was started. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What starts Holdfast: Node, and the file that it runs. Absolute. */
  readonly program: readonly string[];
  /** Decides anew. Default: the code for it is loaded for the first decision that is not remembered, and what it decides is. */
  readonly fresh?: Fresh;
}

/**
 * Reads the policy's texts for each call, and keeps what was decided in this user's journal: within a box there is none, and its session
 * keeps one.
 */
export function openHookHost({ agent, environment, program, fresh }: HostOptions): HookHost {
  const decide: HookHost['decide'] = async (action, call) => {
    const decideFresh = async (at: Parameters<Fresh>[0]): ReturnType<HookHost['decide']> => (fresh ?? (await import('./fresh-decisions.ts')).freshDecisions())(at, action, call);
    if (isInsideBox()) return decideFresh({ place: undefined, environment, program });
    const place = readPlace({ cwd: projectOf(agent, environment) ?? call.cwd, environment });
    const memory = fresh === undefined ? decisionMemory(place, program) : undefined;
    const remembered = memory?.recall(action, call);
    if (remembered !== undefined) return remembered;
    const decision = await decideFresh({ place, environment, program });
    memory?.remember(action, call, decision);
    return decision;
  };
  const record: HookHost['record'] = (decision, cwd) => {
    if (isInsideBox()) return;
    const workspace = workspaceOf(projectOf(agent, environment) ?? cwd);
    appendEvents(statePaths(homedir(), environment).journal, decisionEvents(decision, { agent, workspace }));
  };
  return { decide, record };
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
