import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { JournalEvent } from '../../audit/index.ts';
// Not imported through their indexes: this is all that a remembered decision loads.
import { appendEvents } from '../../audit/journal.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import { journalledVerdict } from '../../policy/verdict.ts';
import { isInsideBox } from '../../place/host/inside-box.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { findWorkspace } from '../../place/host/workspace.ts';
import { type Place, readPlace } from '../../place/place.ts';
import type { HookHost } from './answer-hook.ts';
import type { Fresh } from './fresh-decisions.ts';
import type { AgentName, HookAnswer, HookCall, HookDecision, JudgedRequest, ToolAction } from './types.ts';

export interface HostOptions {
  readonly agent: AgentName;
  /** `PWD` is the directory that the hook was started in. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Arguments that start Holdfast: Node, and the file that it runs. Absolute paths. */
  readonly program: readonly string[];
  /**
   * Makes a fresh decision. Default: loads the code for the first decision that is not remembered, and remembers new
   * ones.
   */
  readonly fresh?: Fresh;
}

/**
 * Reads the policy texts for each call, and keeps decisions in the user's journal. Inside a box it does neither: the
 * session keeps a journal.
 */
export function openHookHost({ agent, environment, program, fresh }: HostOptions): HookHost {
  const decide: HookHost['decide'] = async (action, call) => {
    const decideFresh = async (at: Parameters<Fresh>[0]): ReturnType<HookHost['decide']> =>
      (fresh ?? (await import('./fresh-decisions.ts')).freshDecisions())(at, action, call);
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
 * The variables in which agents name their project. Codex has none: it starts its hooks in the project, and passes the
 * directory that the model has chosen for the command.
 */
const projectVariables: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['CLAUDE_PROJECT_DIR'],
  codex: ['PWD'],
  gemini: ['GEMINI_PROJECT_DIR'],
  opencode: [],
};

/** The workspace is the project, even if the agent has changed its directory since. Commands get no other workspace. */
function projectOf(agent: AgentName, environment: HostOptions['environment']): string | undefined {
  return projectVariables[agent].map((name) => environment[name]).find((path) => path?.startsWith('/') === true);
}

/** If there can be no workspace, a refusal is recorded under the named directory. */
function workspaceOf(cwd: string | undefined): string {
  if (cwd === undefined) return '';
  try {
    return findWorkspace({ cwd, home: homedir() }).root;
  } catch {
    return cwd.slice(0, 4096);
  }
}

interface DecidedIn {
  readonly agent: AgentName;
  /** Real path, if known. */
  readonly workspace: string;
}

/**
 * Returns the journal events of a decision: refusals in a form that `holdfast why` finds, and everything else as an
 * enforcement.
 */
export function decisionEvents(
  { answer, judged }: Pick<HookDecision, 'answer' | 'judged'>,
  { agent, workspace }: DecidedIn,
): readonly JournalEvent[] {
  const where = { session: `hook-${agent}`, workspace };
  return judged.map(short).map(({ request, verdict }) => {
    const named = request.kind === 'tool' && request.server === '' ? { ...request, server: agent } : request;
    const facts = { ...where, request: named, verdict: journalledVerdict(verdict) };
    return answer.kind === 'deny'
      ? { type: 'refusal', ...facts, observed: 'enforcement' }
      : { type: 'enforcement', ...facts, outcome: 'audited' };
  });
}

/** Characters. */
const longest = 4096;

/** Attack: one call with megabytes of text rotates the journal, and earlier events are lost. */
function short({ request, verdict }: JudgedRequest): JudgedRequest {
  return {
    request: shortRequest(request),
    verdict: { ...journalledVerdict(verdict), message: cut(verdict.message), remedy: cut(verdict.remedy) },
  };
}

function shortRequest(request: PolicyRequest): PolicyRequest {
  switch (request.kind) {
    case 'file':
      return { ...request, path: cut(request.path) };
    case 'exec':
      return { ...request, program: cut(request.program), argv: request.argv.slice(0, 8).map(cut) };
    case 'connect':
      return { ...request, host: cut(request.host) };
    case 'tool':
      return { ...request, server: cut(request.server), tool: cut(request.tool), arguments: '{}' };
    case 'socket':
      return { ...request, address: cut(request.address) };
    default:
      return request;
  }
}

function cut(text: string): string {
  return text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`;
}

interface DecisionMemory {
  recall(action: ToolAction, call: HookCall): HookDecision | undefined;
  /** Remembers a decision only if it depends on texts alone. */
  remember(action: ToolAction, call: HookCall, decision: HookDecision): void;
}

/** Files per user. A later decision with the same slot overwrites an earlier one. */
const slots = 1024;
/** Bytes of a file. Larger calls and policies are decided again. */
const largest = 65_536;

interface Remembered {
  /** The inputs themselves, not a hash: `node:crypto` takes a fifth of the process's time to load. */
  readonly inputs: string;
  readonly decision: HookDecision;
}

/**
 * Remembers decisions of earlier hooks. A decision is reused only if all its inputs are the same, to the byte. These
 * are the policy texts, the host, the workspace, the program, the code of Holdfast, the action with its links followed,
 * and the directory. A decision that depends on anything else is never kept, so no entry can be stale. A file that is
 * not this user's alone is ignored.
 */
export function decisionMemory(place: Place, program: readonly string[]): DecisionMemory {
  const directory = join(place.paths.state, 'hooks');
  const at = JSON.stringify([process.versions.node, codeOf(place), place, program]);
  const inputsOf = (action: ToolAction, { tool, cwd }: HookCall): string => JSON.stringify([at, action, tool, cwd]);
  const fileOf = (inputs: string): string => join(directory, `${slotOf(inputs)}.json`);
  return {
    recall: (action, call) => {
      const inputs = inputsOf(action, call);
      const found = readRemembered(fileOf(inputs));
      return found?.inputs === inputs
        ? { ...found.decision, answer: withInput(found.decision.answer, call) }
        : undefined;
    },
    remember: (action, call, decision) => {
      if (decision.follows !== 'texts') return;
      const inputs = inputsOf(action, call);
      const text = JSON.stringify({
        inputs,
        decision: { ...decision, answer: changesOf(decision.answer, call) },
      } satisfies Remembered);
      if (Buffer.byteLength(text) <= largest) keep(fileOf(inputs), text);
    },
  };
}

/** FNV-1a. */
function slotOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % slots;
}

/** Identifies the code: files of a build are replaced together. */
function codeOf({ installation: { code, launcher } }: Place): readonly unknown[] {
  return [code, join(dirname(code), 'fresh-decisions.cjs'), launcher]
    .filter((file) => existsSync(file))
    .map((file) => {
      const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
      return [file, dev, ino, size, mtimeMs, ctimeMs];
    });
}

/** Keeps only the changed member of a changed input. The others come from the next caller. */
function changesOf(answer: HookAnswer, { input }: HookCall): HookAnswer {
  if (answer.kind !== 'rewrite') return answer;
  return {
    ...answer,
    input: Object.fromEntries(Object.entries(answer.input).filter(([member, value]) => input[member] !== value)),
  };
}

function withInput(answer: HookAnswer, { input }: HookCall): HookAnswer {
  return answer.kind === 'rewrite' ? { ...answer, input: { ...input, ...answer.input } } : answer;
}

/** Attack: a file of someone else, or a link to one, that says everything is allowed. */
function readRemembered(file: string): Remembered | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      const own =
        stats.isFile() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0 && stats.size <= largest;
      return own ? (JSON.parse(readFileSync(descriptor, 'utf8')) as Remembered) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** A lost decision only costs time, so an unwritable directory is not a failure. */
function keep(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}
