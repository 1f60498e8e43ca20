import type { CallJudge } from '../../mcp/call-judge.ts';
import type { ListedKind } from '../../mcp/said.ts';
import { failureText } from '../mcp/failures.ts';
import { passedMeta, unapproved, whyWithheld } from './calls.ts';
import type { Catalogue } from './catalogue.ts';
import { shownAnswer } from './filter-result.ts';
import { type RpcOutcome, codes, rpcError, type Outgoing, type Params, type RpcRequest } from './rpc.ts';

/**
 * Requests of an agent that go to the server, with filtered answers. All other requests are unknown, and are refused.
 */
const passedOn: ReadonlySet<string> = new Set(['resources/list', 'logging/setLevel', 'ping']);
/**
 * Requests that bring the agent a server's data, or the server the agent's words. Attack: `resources/read` reads files
 * that no tool may, and its address can carry data. Rules and flows judge each as a call of a tool that no server can
 * have: `files/(resources/read)`.
 */
const judgedAsCalls: ReadonlySet<string> = new Set([
  'prompts/get',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'completion/complete',
]);

export interface RequestParts {
  readonly catalogues: Pick<Readonly<Record<ListedKind, Catalogue>>, 'prompt' | 'template'>;
  readonly judge: CallJudge;
  readonly server: Outgoing;
}

/** Passes on all requests that are neither about tools nor list pinned items. */
export async function passRequest(
  { catalogues, judge, server }: RequestParts,
  { method, params }: Pick<RpcRequest, 'method' | 'params'>,
  signal: AbortSignal,
): Promise<RpcOutcome> {
  const { _meta: meta, ...given } = params;
  if (judgedAsCalls.has(method)) {
    const refused =
      (await unapprovedSubject(catalogues, { method, given, signal })) ??
      (await refusal(judge, { method, given, signal }));
    if (refused !== undefined) return refused;
  } else if (!passedOn.has(method)) return rpcError(codes.methodNotFound, 'Holdfast does not pass on this request');
  return server.ask(method, { ...given, ...passedMeta(meta) }, { signal });
}

interface Asked {
  readonly method: string;
  readonly given: Params;
  readonly signal: AbortSignal;
}

/**
 * Returns why the subject of a request does not exist for the agent. Attack: completions of a withheld prompt are still
 * words of its server.
 */
async function unapprovedSubject(
  catalogues: RequestParts['catalogues'],
  { method, given, signal }: Asked,
): Promise<RpcOutcome | undefined> {
  const subject = subjectOf(method, given);
  if (subject === undefined) return undefined;
  if (subject === 'none') return rpcError(codes.invalidParams, `${method} names nothing that a server lists`);
  const { kind, name } = subject;
  const held = await whyWithheld(catalogues[kind], name, signal);
  switch (held.kind) {
    case 'admitted':
      return undefined;
    case 'unknown':
      // A resource that is not a template is in no pinned list.
      return kind === 'template' ? undefined : rpcError(codes.invalidParams, 'there is no prompt of this name');
    case 'failed':
      return held.answer;
    case 'withheld':
      return shownAnswer(rpcError(codes.refused, failureText(unapproved(`the ${nouns[kind]} ${name}`, held.why))));
  }
}

interface Subject {
  readonly kind: 'prompt' | 'template';
  readonly name: string;
}

const nouns = { prompt: 'prompt', template: 'resource template' } as const;

function subjectOf(method: string, { name, ref }: Params): Subject | 'none' | undefined {
  if (method === 'prompts/get') return typeof name === 'string' ? { kind: 'prompt', name } : 'none';
  return method === 'completion/complete' ? referenceOf(ref) : undefined;
}

function referenceOf(ref: unknown): Subject | 'none' {
  if (typeof ref !== 'object' || ref === null) return 'none';
  const { type, name, uri } = ref as Readonly<Record<string, unknown>>;
  if (type === 'ref/prompt' && typeof name === 'string') return { kind: 'prompt', name };
  return type === 'ref/resource' && typeof uri === 'string' ? { kind: 'template', name: uri } : 'none';
}

async function refusal(judge: CallJudge, { method, given, signal }: Asked): Promise<RpcOutcome | undefined> {
  const answer = await judge.judge(`(${method})`, given, signal);
  return answer.kind === 'allowed'
    ? undefined
    : shownAnswer(rpcError(codes.refused, failureText({ ...answer, code: 'HF_MCP_REFUSED' })));
}
