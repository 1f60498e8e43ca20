import type { JournalEvent } from '../../../audit/index.ts';
import type { PolicyRequest } from '../../../policy/index.ts';
import type { AgentName, HookDecision, Judged } from '../types.ts';

export interface DecidedIn {
  readonly agent: AgentName;
  /** Real path, where one is known. */
  readonly workspace: string;
}

/** A decision as the journal has it: each refusal as `holdfast why` finds it, and whatever goes on as an enforcement. */
export function decisionEvents({ answer, judged }: Pick<HookDecision, 'answer' | 'judged'>, { agent, workspace }: DecidedIn): readonly JournalEvent[] {
  const where = { session: `hook-${agent}`, workspace };
  return judged.map(short).map(({ request, verdict }) => {
    const named = request.kind === 'tool' && request.server === '' ? { ...request, server: agent } : request;
    const facts = { ...where, request: named, verdict: plain(verdict) };
    return answer.kind === 'deny' ? { type: 'refusal', ...facts, observed: 'enforcement' } : { type: 'enforcement', ...facts, outcome: 'audited' };
  });
}

/** Verdicts say some of this when they are asked, and hold more than the journal does. */
function plain({ decision, code, rule, layer, file, line, message, remedy }: Judged['verdict']): Judged['verdict'] {
  return { decision, code, rule, layer, file, line, message, remedy };
}

/** Characters. */
const longest = 4096;

/** Attack: one call with a text of megabytes, so that the journal is rotated and what was in it is forgotten. */
function short({ request, verdict }: Judged): Judged {
  return { request: shortRequest(request), verdict: { ...plain(verdict), message: cut(verdict.message), remedy: cut(verdict.remedy) } };
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
