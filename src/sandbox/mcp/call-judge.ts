import { journalledRequest } from '../../approvals/queue/journalled.ts';
import { appendEvents, type RefusalEvent } from '../../audit/index.ts';
import { decide, type PlacedFlow, type ToolRequest, type Verdict } from '../../policy/index.ts';
import { toolPattern } from '../../policy/kinds/tool.ts';
import { matchesWildcard } from '../../policy/patterns/wildcard.ts';
import type { ServerBox } from './server-box.ts';
import { SessionCalls } from './session-calls.ts';

export type CallAnswer = { readonly kind: 'allowed' } | { readonly kind: 'refused'; readonly message: string; readonly remedy: string; readonly rule: string };

type Told = RefusalEvent['verdict'];
type Outcome = 'audited' | 'approved';

/** Decides each call of a tool: by the rules about tools, and by what was called before in the agent's session. */
export class CallJudge {
  readonly #server: ServerBox;
  /** Absent where no flow asks for them. */
  readonly #calls: SessionCalls | undefined;

  /** Throws `HF_STATE_UNWRITABLE`. */
  constructor(server: ServerBox) {
    this.#server = server;
    this.#calls = server.settings.flows.length === 0 ? undefined : new SessionCalls(server.session.place);
  }

  /** Waits where somebody has to be asked. The journal has the call before it is made, with a hash of its arguments. Throws `HF_JOURNAL_FAILED` and `HF_STATE_UNWRITABLE`. */
  async judge(tool: string, given: unknown, signal: AbortSignal): Promise<CallAnswer> {
    const request: ToolRequest = { kind: 'tool', server: this.#server.name, tool, arguments: JSON.stringify(given) };
    const verdicts = [told(decide(this.#server.policy, request)), ...this.#flowVerdicts(request)];
    const denied = verdicts.find(({ decision }) => decision !== 'allow' && decision !== 'audit' && decision !== 'ask');
    if (denied !== undefined) return this.#refuse(request, denied, denied.message);
    let outcome: Outcome = 'audited';
    for (const verdict of verdicts.filter(({ decision }) => decision === 'ask')) {
      const answer = await this.#server.session.approvals.ask({ request, verdict, signal });
      if (answer.kind === 'denied') return this.#refuse(request, verdict, `${verdict.message}: ${answer.message}`);
      outcome = 'approved';
    }
    const [first] = verdicts as [Told, ...Told[]];
    this.#journal({ type: 'enforcement', request, verdict: verdicts.find(({ decision }) => decision === 'ask') ?? first, outcome });
    this.#note(request);
    return { kind: 'allowed' };
  }

  /** Throws `HF_STATE_UNWRITABLE`. */
  close(): void {
    this.#calls?.close();
  }

  /** Before it is made: progress, messages of a log and questions to the agent come while it still runs. */
  #note({ server, tool }: ToolRequest): void {
    const call = `${server}/${tool}`;
    if (this.#server.settings.flows.some(({ from }) => matchesAny(from, call))) this.#calls?.note(call);
  }

  #flowVerdicts({ server, tool }: ToolRequest): readonly Told[] {
    const call = `${server}/${tool}`;
    const flows = this.#server.settings.flows.filter(({ to }) => matchesAny(to, call));
    if (flows.length === 0) return [];
    const before = this.#calls?.all() ?? [];
    return flows.flatMap((flow) => {
      const earlier = before.find((each) => matchesAny(flow.from, each));
      return earlier === undefined ? [] : [flowVerdict(flow, call, earlier)];
    });
  }

  #refuse(request: ToolRequest, verdict: Told, message: string): CallAnswer {
    this.#journal({ type: 'refusal', request, verdict, observed: 'enforcement' });
    return { kind: 'refused', message, remedy: verdict.remedy, rule: `${verdict.rule}, ${verdict.line > 0 ? `${verdict.file}:${verdict.line}` : verdict.file}` };
  }

  #journal(event: { readonly type: 'refusal'; readonly request: ToolRequest; readonly verdict: Told; readonly observed: 'enforcement' } | { readonly type: 'enforcement'; readonly request: ToolRequest; readonly verdict: Told; readonly outcome: Outcome }): void {
    const { id, place } = this.#server.session;
    appendEvents(place.paths.journal, [{ ...event, request: journalledRequest(event.request), session: id, workspace: place.workspace.root }]);
  }
}

function matchesAny(patterns: readonly string[], call: string): boolean {
  return patterns.some((pattern) => matchesWildcard(toolPattern(pattern), call));
}

/** Its message and remedy may be made only when somebody asks for them. */
function told({ decision, code, rule, layer, file, line, message, remedy }: Verdict): Told {
  return { decision, code, rule, layer, file, line, message, remedy };
}

function flowVerdict({ name, decision, reason, origin }: PlacedFlow, call: string, earlier: string): Told {
  return {
    decision,
    code: 'rule',
    rule: name,
    layer: origin.layer,
    file: origin.file,
    line: origin.line,
    message: `calling ${call} ${decision === 'ask' ? 'has to be asked about' : 'is refused'} once ${earlier} was called${reason === undefined ? '' : `: ${reason}`}`,
    remedy: `begin another session of the agent, or change the flow "${name}" in ${origin.file}`,
  };
}
