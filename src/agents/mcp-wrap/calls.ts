import type { CallJudge } from '../../sandbox/mcp/call-judge.ts';
import type { SettledTool } from '../../sandbox/mcp/tool-pins.ts';
import type { Catalogue } from './catalogue.ts';
import { failedCall } from './failures.ts';
import { failureOf } from '../mcp/failures.ts';
import { filterResult } from './filter-result.ts';
import type { Outgoing } from './outgoing.ts';
import { type Answer, codes, failed, type Params } from './rpc.ts';

export interface CallParts {
  readonly catalogue: Catalogue;
  readonly judge: CallJudge;
  readonly server: Outgoing;
}

/** One call of a tool: the tool has to be one that was approved, the rules have to let the call through, and what it gives is filtered. */
export async function callTool(parts: CallParts, params: Params, signal: AbortSignal): Promise<Answer> {
  const { name, arguments: given = {}, _meta: meta } = params;
  if (typeof name !== 'string') return failed(codes.invalidParams, 'a call names its tool');
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return failed(codes.invalidParams, 'the arguments of a call are an object');
  try {
    const refused = await admission(parts, { name, given, signal });
    if (refused !== undefined) return refused;
    return shownAnswer(await parts.server.ask('tools/call', { name, arguments: given, ...passedMeta(meta) }, { signal }));
  } catch (error) {
    return { result: failedCall(failureOf(error)) };
  }
}

interface Call {
  readonly name: string;
  readonly given: object;
  readonly signal: AbortSignal;
}

/** The answer to a call that is not made. */
async function admission({ catalogue, judge }: CallParts, { name, given, signal }: Call): Promise<Answer | undefined> {
  const found = await catalogue.find(name);
  if (found.kind === 'failed') return found.answer;
  if (found.kind === 'unknown' || found.settled.state === 'undeclared') return failed(codes.invalidParams, 'there is no tool of this name');
  if (found.settled.state !== 'admitted') {
    const refused = await approval(catalogue, found.settled, signal);
    if (refused !== undefined) return { result: failedCall({ code: 'HF_MCP_UNAPPROVED', message: `the tool ${name} is withheld (${found.settled.why}): ${refused}`, remedy: 'a person can look at it and approve it with `holdfast approvals`; go on without it' }) };
  }
  const answer = await judge.judge(name, given, signal);
  return answer.kind === 'allowed' ? undefined : { result: failedCall({ code: 'HF_MCP_REFUSED', message: answer.message, remedy: answer.remedy, rule: answer.rule }) };
}

/** Of what somebody has seen: while they looked, the server may have said something else again. */
async function approval(catalogue: Catalogue, settled: SettledTool, signal: AbortSignal): Promise<string | undefined> {
  const refused = await catalogue.approve(settled, signal);
  if (refused !== undefined) return refused;
  const now = await catalogue.find(settled.tool.name);
  return now.kind === 'tool' && now.settled.state === 'admitted' ? undefined : 'the server says something else again';
}

export function shownAnswer(answer: Answer): Answer {
  if ('result' in answer) return { result: filterResult('tool-result', answer.result) };
  const { code, message } = answer.error;
  return { error: { code, message: String(filterResult('tool-result', { message })['message']) } };
}

/** Anything else in it no rule has seen. */
export function passedMeta(meta: unknown): Params {
  const token = progressToken(meta);
  return token === undefined ? {} : { _meta: { progressToken: token } };
}

export function progressToken(meta: unknown): string | number | undefined {
  if (typeof meta !== 'object' || meta === null || !('progressToken' in meta)) return undefined;
  const { progressToken: token } = meta;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}
