import type { Answer } from '../answer.ts';
import { answerOfLayer } from '../decide.ts';
import type { Layer } from '../layers/layer.ts';
import type { Policy } from '../policy.ts';
import type { EnvRequest } from '../request.ts';

export interface BoxEnvironment {
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the host's variables that stay outside, sorted. */
  readonly dropped: readonly string[];
}

/** The host's environment as the box gets it: what every layer lets pass, and what layers set. */
export function environmentOf(policy: Policy, host: Readonly<Record<string, string | undefined>>): BoxEnvironment {
  const present = Object.entries(host).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]));
  const passed = present.filter(([name]) => policy.layers.every((layer) => goesAhead(ask(layer, name))));
  const kept = new Set(passed.map(([name]) => name));
  return {
    // A prototype-less record: a variable may be called `__proto__`.
    environment: Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries([...passed, ...setVariables(policy)])),
    dropped: present.flatMap(([name]) => (kept.has(name) ? [] : [name])).sort(),
  };
}

/** The layer with more authority wins; a layer may refuse a variable that another one sets, but need not have granted it. */
function setVariables(policy: Policy): readonly [string, string][] {
  return policy.layers.toReversed().flatMap(({ settings }) =>
    settings.variables.flatMap(({ name, value }): [string, string][] => (policy.layers.some((layer) => isRuledOut(ask(layer, name))) ? [] : [[name, value]])),
  );
}

function ask(layer: Layer, name: string): Answer | undefined {
  const request: EnvRequest = { kind: 'env', name };
  return answerOfLayer(layer, request);
}

function goesAhead(answer: Answer | undefined): boolean {
  return answer === undefined || answer.decision === 'allow' || answer.decision === 'audit';
}

function isRuledOut(answer: Answer | undefined): boolean {
  return answer !== undefined && !goesAhead(answer) && answer.code !== 'not-granted';
}
