import { envQuery } from './kinds/env.ts';
import { deletionQuery, fileQuery } from './kinds/file.ts';
import { connectQuery, dnsQuery, httpQuery } from './kinds/host.ts';
import { registryQuery } from './kinds/registry.ts';
import { toolQuery } from './kinds/tool.ts';
import { socketQuery, trustQuery } from './kinds/trust.ts';
import type { Layer, QueryTable } from './layers/layer.ts';
import { type Answer, answerOf, defaultUserFile } from './origin.ts';
import type { Policy } from './policy.ts';
import type { ConnectRequest, FileRequest, PolicyRequest, RequestKind } from './request.ts';
import { type Decision, strictnessOf, type Verdict } from './verdict.ts';
import { verdictOf } from './words/verdict-of.ts';

/** Decides a request: the strictest answer of all layers. No other code decides grants. Pure, and never throws. */
export function decide(policy: Policy, request: PolicyRequest): Verdict {
  return verdictOf(strictestAnswer(policy.layers, request), request);
}

export interface AddressAndPort {
  /** An address in any spelling. A name is refused. */
  readonly address: string;
  /** 1 to 65535. */
  readonly port: number;
}

/**
 * Decides whether a special-purpose address may be dialled: only `allow` and `audit` permit it. Every layer that must
 * grant it has to spell it out as an address, a network or `localhost`. Names, presets and `any` open none. Pure, and
 * never throws.
 */
export function decideAddress(policy: Policy, { address, port }: AddressAndPort): Verdict {
  const request: ConnectRequest = { kind: 'connect', host: address, port, protocol: 'tcp' };
  const query = connectQuery(request);
  if (query?.host.address === undefined) return verdictOf(unrepresentable, request);
  const answers = policy.layers.flatMap(({ network }) => network.address(query) ?? []);
  return verdictOf(
    answers.reduce(
      (strictest, answer) => (isStricter(answer.decision, strictest.decision) ? answer : strictest),
      answers[0] ?? unrepresentable,
    ),
    request,
  );
}

/** Returns one layer's answer to a request. Undefined if it abstains. */
export function answerOfLayer(layer: Layer, request: PolicyRequest): Answer | undefined {
  return answerOfLayers([layer], request);
}

function strictestAnswer(layers: readonly Layer[], request: PolicyRequest): Answer {
  // A policy always has a base, and a base never abstains.
  return answerOfLayers(layers, request) ?? unrepresentable;
}

function answerOfLayers(layers: readonly Layer[], request: PolicyRequest): Answer | undefined {
  switch (request.kind) {
    case 'file':
      return fileAnswer(layers, request);
    case 'exec':
      return settle(layers, 'exec', request.program === '' ? undefined : request);
    case 'connect':
      return settle(layers, 'connect', connectQuery(request));
    case 'http':
      return settle(layers, 'http', httpQuery(request));
    case 'dns':
      return settle(layers, 'dns', dnsQuery(request));
    case 'socket':
      return settle(layers, 'socket', socketQuery(request));
    case 'signal':
      return settle(layers, 'signal', request);
    case 'env':
      return settle(layers, 'env', envQuery(request));
    case 'tool':
      return settle(layers, 'tool', toolQuery(request));
    case 'trust':
      return settle(layers, 'trust', trustQuery(request));
    case 'registry':
      return settle(layers, 'registry', registryQuery(request));
  }
}

/**
 * Explains why a directory cannot be deleted. The reason for its own path is more general, so it comes before reasons
 * for paths beneath. For `rm -rf /` a person expects "outside of the workspace", not one of the hundred credential
 * stores in it.
 */
function fileAnswer(layers: readonly Layer[], request: FileRequest): Answer | undefined {
  const answer = settle(layers, 'file', fileQuery(request));
  if (request.operation !== 'delete' || answer?.decision !== 'deny') return answer;
  const own = settle(layers, 'file', deletionQuery(request));
  if (own?.rule === answer.rule && own.layer === answer.layer) return answer;
  const beneath: Answer = { ...answer, held: 'beneath', memo: {} };
  return own?.decision === 'deny' ? { ...own, also: beneath, memo: {} } : beneath;
}

/** Of equally strict answers, the first in the order of layers counts: the one with the most authority. */
function settle<Kind extends RequestKind>(
  layers: readonly Layer[],
  kind: Kind,
  query: QueryTable[Kind] | undefined,
): Answer | undefined {
  if (query === undefined) return unrepresentable;
  let strictest: Answer | undefined;
  for (const layer of layers) {
    const answer = layer.answers[kind](query);
    if (answer !== undefined && (strictest === undefined || isStricter(answer.decision, strictest.decision)))
      strictest = answer;
  }
  return strictest;
}

function isStricter(a: Decision, b: Decision): boolean {
  return strictnessOf(a) > strictnessOf(b);
}

const unrepresentable: Answer = answerOf(
  { rule: 'request', layer: 'required', file: 'built-in', line: 0 },
  { decision: 'deny', code: 'unrepresentable', editFile: defaultUserFile },
);
