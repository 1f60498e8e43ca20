import type { CallJudge } from '../../mcp/call-judge.ts';
import { type CallFailure, failureOf, failureText, shownToModel } from '../mcp/failures.ts';
import type { Catalogue } from './catalogue.ts';
import { shownAnswer } from './filter-result.ts';
import { type RpcOutcome, codes, rpcError, type Outgoing, type Params } from './rpc.ts';

export interface CallParts {
  readonly catalogue: Catalogue;
  readonly judge: CallJudge;
  readonly server: Outgoing;
}

/** Makes one call of a tool. The tool must be approved and the rules must allow the call. The result is filtered. */
export async function passCall(parts: CallParts, params: Params, signal: AbortSignal): Promise<RpcOutcome> {
  const { name, arguments: given = {}, _meta: meta } = params;
  if (typeof name !== 'string') return rpcError(codes.invalidParams, 'a call names its tool');
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return rpcError(codes.invalidParams, 'the arguments of a call are an object');
  try {
    const refused = await admission(parts, { name, given, signal });
    if (refused !== undefined) return refused;
    return shownAnswer(
      await parts.server.ask('tools/call', { name, arguments: given, ...passedMeta(meta) }, { signal }),
    );
  } catch (error) {
    return { result: failedCall(failureOf(error)) };
  }
}

interface Call {
  readonly name: string;
  readonly given: object;
  readonly signal: AbortSignal;
}

/** Returns the answer to a call that is not made. */
async function admission(
  { catalogue, judge }: CallParts,
  { name, given, signal }: Call,
): Promise<RpcOutcome | undefined> {
  const held = await whyWithheld(catalogue, name, signal);
  if (held.kind === 'failed') return held.answer;
  if (held.kind === 'unknown') return rpcError(codes.invalidParams, 'there is no tool of this name');
  if (held.kind === 'withheld') return { result: failedCall(unapproved(`the tool ${name}`, held.why)) };
  const answer = await judge.judge(name, given, signal);
  return answer.kind === 'allowed'
    ? undefined
    : {
        result: failedCall({
          code: 'HF_MCP_REFUSED',
          message: answer.message,
          remedy: answer.remedy,
          rule: answer.rule,
        }),
      };
}

export type HeldCall =
  | { readonly kind: 'admitted' | 'unknown' }
  | { readonly kind: 'withheld'; readonly why: string }
  | { readonly kind: 'failed'; readonly answer: RpcOutcome };

/** Returns why a named item does not exist for the agent, after a person has answered if one has to. */
export async function whyWithheld(catalogue: Catalogue, name: string, signal: AbortSignal): Promise<HeldCall> {
  const found = await catalogue.find(name);
  if (found.kind !== 'found') return found;
  const { state, why } = found.settled;
  if (state === 'admitted') return { kind: 'admitted' };
  if (state === 'undeclared') return { kind: 'unknown' };
  const refused = await catalogue.approve(found.settled, signal);
  return refused === undefined ? { kind: 'admitted' } : { kind: 'withheld', why: `(${why}): ${refused}` };
}

export function unapproved(what: string, why: string): CallFailure {
  return {
    code: 'HF_MCP_UNAPPROVED',
    message: `${what} is withheld ${why}`,
    remedy: 'a person can look at it and approve it with `holdfast approvals`; go on without it',
  };
}

/** Passes only known metadata. No rule has judged the rest. */
export function passedMeta(meta: unknown): Params {
  const token = progressToken(meta);
  return token === undefined ? {} : { _meta: { progressToken: token } };
}

export function progressToken(meta: unknown): string | number | undefined {
  if (typeof meta !== 'object' || meta === null || !('progressToken' in meta)) return undefined;
  const { progressToken: token } = meta;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

/** Returns a call that was not made as a result: the model reads it, and can do something else. */
function failedCall(failure: CallFailure): Params {
  const bounded = shownToModel('tool-result', { ...failure, message: failure.message.slice(0, longest) });
  return {
    isError: true,
    content: [{ type: 'text', text: failureText(bounded) }],
    _meta: { 'holdfast/failure': bounded },
  };
}

const longest = 4000;
