import type { CallJudge } from '../../sandbox/mcp/call-judge.ts';
import { failureText } from '../mcp/failures.ts';
import { passedMeta, shownAnswer } from './calls.ts';
import type { Outgoing } from './outgoing.ts';
import { type Answer, codes, failed, type Params, type Request } from './rpc.ts';

/** Requests of an agent that go to the server; what comes back is filtered. Everything else is not known here, and is refused. */
const passedOn: ReadonlySet<string> = new Set(['prompts/list', 'resources/list', 'resources/templates/list', 'logging/setLevel', 'ping']);
/**
 * Those that bring the agent what a server has, or bring a server what the agent says. Attack: `resources/read` reads what no tool may, and its address is a letter.
 * Rules and flows take each for a call of a tool that no server can have: `files/(resources/read)`.
 */
const judgedAsCalls: ReadonlySet<string> = new Set(['prompts/get', 'resources/read', 'resources/subscribe', 'resources/unsubscribe', 'completion/complete']);

export interface RequestParts {
  readonly judge: CallJudge;
  readonly server: Outgoing;
}

/** Every request that is not about tools. */
export async function passOn({ judge, server }: RequestParts, { method, params }: Pick<Request, 'method' | 'params'>, signal: AbortSignal): Promise<Answer> {
  const { _meta: meta, ...given } = params;
  if (judgedAsCalls.has(method)) {
    const refused = await refusal(judge, { method, given, signal });
    if (refused !== undefined) return refused;
  } else if (!passedOn.has(method)) return failed(codes.methodNotFound, 'Holdfast passes on no such request');
  return server.ask(method, { ...given, ...passedMeta(meta) }, { signal });
}

interface Asked {
  readonly method: string;
  readonly given: Params;
  readonly signal: AbortSignal;
}

async function refusal(judge: CallJudge, { method, given, signal }: Asked): Promise<Answer | undefined> {
  const answer = await judge.judge(`(${method})`, given, signal);
  return answer.kind === 'allowed' ? undefined : shownAnswer(failed(codes.refused, failureText({ ...answer, code: 'HF_MCP_REFUSED' })));
}
