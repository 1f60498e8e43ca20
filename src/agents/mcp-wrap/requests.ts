import type { CallJudge } from '../../sandbox/mcp/call-judge.ts';
import { failureText } from '../mcp/failures.ts';
import { passedMeta, shownAnswer, unapproved, whyWithheld } from './calls.ts';
import type { Catalogue } from './catalogue.ts';
import type { Outgoing } from './outgoing.ts';
import { type Answer, codes, failed, type Params, type Request } from './rpc.ts';

/** Requests of an agent that go to the server; what comes back is filtered. Everything else is not known here, and is refused. */
const passedOn: ReadonlySet<string> = new Set(['resources/list', 'logging/setLevel', 'ping']);
/**
 * Those that bring the agent what a server has, or bring a server what the agent says. Attack: `resources/read` reads what no tool may, and its address is a letter.
 * Rules and flows take each for a call of a tool that no server can have: `files/(resources/read)`.
 */
const judgedAsCalls: ReadonlySet<string> = new Set(['prompts/get', 'resources/read', 'resources/subscribe', 'resources/unsubscribe', 'completion/complete']);

export interface RequestParts {
  readonly prompts: Catalogue;
  readonly judge: CallJudge;
  readonly server: Outgoing;
}

/** Every request that is not about tools, and lists nothing that is pinned. */
export async function passOn({ prompts, judge, server }: RequestParts, { method, params }: Pick<Request, 'method' | 'params'>, signal: AbortSignal): Promise<Answer> {
  const { _meta: meta, ...given } = params;
  if (judgedAsCalls.has(method)) {
    const refused = (method === 'prompts/get' ? await unapprovedPrompt(prompts, params['name'], signal) : undefined) ?? (await refusal(judge, { method, given, signal }));
    if (refused !== undefined) return refused;
  } else if (!passedOn.has(method)) return failed(codes.methodNotFound, 'Holdfast passes on no such request');
  return server.ask(method, { ...given, ...passedMeta(meta) }, { signal });
}

async function unapprovedPrompt(prompts: Catalogue, name: unknown, signal: AbortSignal): Promise<Answer | undefined> {
  const held = typeof name === 'string' ? await whyWithheld(prompts, name, signal) : ({ kind: 'unknown' } as const);
  switch (held.kind) {
    case 'admitted':
      return undefined;
    case 'unknown':
      return failed(codes.invalidParams, 'there is no prompt of this name');
    case 'failed':
      return held.answer;
    case 'withheld':
      return shownAnswer(failed(codes.refused, failureText(unapproved(`the prompt ${String(name)}`, held.why))));
  }
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
