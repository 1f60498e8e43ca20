import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { journalledRequest } from '../approvals/queue/queue-journal.ts';
import { appendEvents } from '../audit/index.ts';
import { HoldfastError, isHoldfastError } from '../errors/index.ts';
import { withDirectoryLock } from '../kernel/index.ts';
import type { Place } from '../place/place.ts';
import { decide } from '../policy/decide.ts';
import { toolPattern } from '../policy/kinds/tool.ts';
import type { PlacedFlow } from '../policy/mcp/types.ts';
import { matchesWildcard } from '../policy/patterns/wildcard.ts';
import type { ToolRequest } from '../policy/request.ts';
import { type JournalledVerdict, journalledVerdict } from '../policy/verdict.ts';
import { sha256Of } from '../trust/store/layout.ts';
import type { ServerBox } from './server-box.ts';
import { originPlace } from '../policy/origin.ts';

export type CallRuling =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly message: string; readonly remedy: string; readonly rule: string };

type Outcome = 'audited' | 'approved';

/** Decides about each call of a tool, by the rules about tools and by earlier calls in the agent's session. */
export class CallJudge {
  readonly #server: ServerBox;
  /** Undefined if no flow rule needs it. */
  readonly #calls: SessionCalls | undefined;

  /** Throws `HF_STATE_UNWRITABLE`. */
  constructor(server: ServerBox) {
    this.#server = server;
    this.#calls = server.settings.flows.length === 0 ? undefined : new SessionCalls(server.session.place);
  }

  /**
   * Waits for an approval if a rule requires one. Records the call in the journal before it is made, with a hash of its
   * arguments. Throws `HF_JOURNAL_FAILED` and `HF_STATE_UNWRITABLE`.
   */
  async judge(tool: string, given: unknown, signal: AbortSignal): Promise<CallRuling> {
    const request: ToolRequest = { kind: 'tool', server: this.#server.name, tool, arguments: JSON.stringify(given) };
    const verdicts = [journalledVerdict(decide(this.#server.policy, request)), ...this.#flowVerdicts(request)];
    const denied = verdicts.find(({ decision }) => decision !== 'allow' && decision !== 'audit' && decision !== 'ask');
    if (denied !== undefined) return this.#refuse(request, denied, denied.message);
    let outcome: Outcome = 'audited';
    for (const verdict of verdicts.filter(({ decision }) => decision === 'ask')) {
      const answer = await this.#server.session.approvals.ask({ request, verdict, signal });
      if (answer.kind === 'denied') return this.#refuse(request, verdict, `${verdict.message}: ${answer.message}`);
      outcome = 'approved';
    }
    const [first] = verdicts as [JournalledVerdict, ...JournalledVerdict[]];
    this.#journal({
      type: 'enforcement',
      request,
      verdict: verdicts.find(({ decision }) => decision === 'ask') ?? first,
      outcome,
    });
    this.#note(request);
    return { kind: 'allowed' };
  }

  /** Throws `HF_STATE_UNWRITABLE`. */
  close(): void {
    this.#calls?.close();
  }

  /**
   * Records the call before it is made, because progress, log messages and questions to the agent may arrive during it.
   */
  #note({ server, tool }: ToolRequest): void {
    const call = `${server}/${tool}`;
    if (this.#server.settings.flows.some(({ from }) => matchesAny(from, call))) this.#calls?.note(call);
  }

  #flowVerdicts({ server, tool }: ToolRequest): readonly JournalledVerdict[] {
    const call = `${server}/${tool}`;
    const flows = this.#server.settings.flows.filter(({ to }) => matchesAny(to, call));
    if (flows.length === 0) return [];
    const before = this.#calls?.all() ?? [];
    return flows.flatMap((flow) => {
      const earlier = before.find((each) => matchesAny(flow.from, each));
      return earlier === undefined ? [] : [flowVerdict(flow, call, earlier)];
    });
  }

  #refuse(request: ToolRequest, verdict: JournalledVerdict, message: string): CallRuling {
    this.#journal({ type: 'refusal', request, verdict, observed: 'enforcement' });
    return {
      kind: 'refused',
      message,
      remedy: verdict.remedy,
      rule: `${verdict.rule}, ${originPlace(verdict)}`,
    };
  }

  #journal(
    event:
      | {
          readonly type: 'refusal';
          readonly request: ToolRequest;
          readonly verdict: JournalledVerdict;
          readonly observed: 'enforcement';
        }
      | {
          readonly type: 'enforcement';
          readonly request: ToolRequest;
          readonly verdict: JournalledVerdict;
          readonly outcome: Outcome;
        },
  ): void {
    const { id, place } = this.#server.session;
    appendEvents(place.paths.journal, [
      { ...event, request: journalledRequest(event.request), session: id, workspace: place.workspace.root },
    ]);
  }
}

function matchesAny(patterns: readonly string[], call: string): boolean {
  return patterns.some((pattern) => matchesWildcard(toolPattern(pattern), call));
}

function flowVerdict({ name, decision, reason, origin }: PlacedFlow, call: string, earlier: string): JournalledVerdict {
  return {
    decision,
    code: 'rule',
    rule: name,
    layer: origin.layer,
    file: origin.file,
    line: origin.line,
    message: `calling ${call} ${decision === 'ask' ? 'needs an approval' : 'is refused'} once ${earlier} was called${reason === undefined ? '' : `: ${reason}`}`,
    remedy: `begin another session of the agent, or change the flow "${name}" in ${origin.file}`,
  };
}

/**
 * The tools that were called in one session of an agent, on all its servers. The session lasts as long as at least one
 * server is wrapped for this workspace. An agent starts its servers when it begins, and ends them when it ends. Each
 * process appends to its own file, so that no process waits for another.
 */
export class SessionCalls {
  readonly #runtime: string;
  readonly #directory: string;
  readonly #own: string;
  readonly #told = new Set<string>();

  /** Throws `HF_STATE_UNWRITABLE`, because a call that is not recorded would bypass every flow rule. */
  constructor({ paths, workspace }: Pick<Place, 'paths' | 'workspace'>) {
    this.#runtime = paths.runtime;
    this.#directory = join(paths.runtime, `mcp-${sha256Of(workspace.root).slice(0, 32)}`);
    this.#own = join(this.#directory, `${process.pid}-${startOf(process.pid) ?? '0'}`);
    this.#alone(() => {
      if (!this.#files().some(isAlive)) rmSync(this.#directory, { recursive: true, force: true });
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      appendFileSync(this.#own, '', { mode: 0o600 });
    });
  }

  /** Records a call before it is made. From then on the agent may know its data. Throws `HF_STATE_UNWRITABLE`. */
  note(call: string): void {
    if (this.#told.has(call)) return;
    writing(this.#own, () => appendFileSync(this.#own, `${JSON.stringify(call)}\n`, { mode: 0o600 }));
    this.#told.add(call);
  }

  /**
   * Returns the calls as `server/tool`, each once. Throws `HF_STATE_UNWRITABLE` if the files of other processes are
   * unreadable.
   */
  all(): readonly string[] {
    // The process's own file must be among them. If it was removed, other files may be missing too.
    return writing(this.#directory, () => [
      ...new Set([this.#own, ...this.#files().map((name) => join(this.#directory, name))].flatMap(linesOf)),
    ]);
  }

  /** Only the last process removes the files, because the agent still knows the earlier calls. */
  close(): void {
    this.#alone(() => {
      if (!this.#files().some((name) => join(this.#directory, name) !== this.#own && isAlive(name)))
        rmSync(this.#directory, { recursive: true, force: true });
    });
  }

  /** Runs `work` while no other process starts or ends. */
  #alone(work: () => void): void {
    writing(this.#directory, () => {
      mkdirSync(this.#runtime, { recursive: true, mode: 0o700 });
      withDirectoryLock(
        this.#runtime,
        work,
        () =>
          new HoldfastError('HF_STATE_UNWRITABLE', `${this.#runtime} is locked by another process`, {
            remedy: 'end it, or wait for it',
          }),
      );
    });
  }

  #files(): readonly string[] {
    return existsSync(this.#directory) ? readdirSync(this.#directory) : [];
  }
}

function linesOf(path: string): readonly string[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  // If the last line has no line end, it is still being written, and its call has not been made yet.
  return lines.slice(0, -1).map((line) => JSON.parse(line) as string);
}

function isAlive(name: string): boolean {
  const [pid = '', start] = name.split('-');
  return startOf(Number(pid)) === start;
}

/**
 * Returns the time at which a process started, in clock ticks. It distinguishes the process from a later one with the
 * same PID. Field 22 of proc_pid_stat(5).
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
}

function writing<Value>(path: string, work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    throw new HoldfastError(
      'HF_STATE_UNWRITABLE',
      `the call cannot be recorded in ${path}: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`,
      { remedy: 'make it and its directory writable only for you', cause },
    );
  }
}
