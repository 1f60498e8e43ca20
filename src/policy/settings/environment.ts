import { loadsCode } from '../../shell/loads-code.ts';
import type { Answer } from '../answer.ts';
import { isGuardedVariable } from '../builtin/guarded-variables.ts';
import { answerOfLayer } from '../decide.ts';
import type { Layer } from '../layers/layer.ts';
import { builtinFile } from '../origin.ts';
import type { Policy } from '../policy.ts';
import type { EnvRequest } from '../request.ts';
import {
  type BoxEnvironment,
  buildEnvironment,
  type DropReason,
  type EnvironmentRules,
  type NamedBy,
} from './build-environment.ts';

/** The host's environment as the box gets it: what every layer lets pass, and what layers set. */
export function environmentOf(policy: Policy, host: Readonly<Record<string, string | undefined>>): BoxEnvironment {
  return buildEnvironment(environmentRules(policy, Object.keys(host)), host);
}

/** What the policy says about variables of these names. */
export function environmentRules(policy: Policy, names: readonly string[]): EnvironmentRules {
  const refused: Record<string, DropReason> = record();
  const named: Record<string, EnvironmentRules['named'][string]> = record();
  for (const name of names.toSorted()) {
    if (!passes(policy, { kind: 'env', name })) refused[name] = reasonFor(name);
    else {
      const by = namedBy(policy, name);
      if (by !== undefined) named[name] = { ...by, secret: isGuardedVariable(name) ? 'name' : 'value' };
    }
  }
  return {
    known: names.toSorted(),
    refused,
    named,
    set: Object.assign(record<string>(), Object.fromEntries(setVariables(policy))),
  };
}

/** A variable may be called `__proto__`. */
function record<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>;
}

function passes(policy: Policy, request: EnvRequest): boolean {
  return policy.layers.every((layer) => goesAhead(answerOfLayer(layer, request)));
}

function reasonFor(name: string): DropReason {
  if (loadsCode(name)) return 'loads-code';
  return isGuardedVariable(name) ? 'secret-name' : 'not-passed';
}

/**
 * Who has written the name out, so that its value may be a secret. What is built in names variables for what they
 * usually hold.
 */
function namedBy(policy: Policy, name: string): NamedBy | undefined {
  const request: EnvRequest = { kind: 'env', name, looks: 'secret' };
  if (!passes(policy, request)) return undefined;
  const answer = policy.layers
    .map((layer) => answerOfLayer(layer, request))
    .find((each) => each !== undefined && each.file !== builtinFile);
  return answer === undefined ? undefined : { rule: answer.rule, file: answer.file, line: answer.line };
}

/**
 * The layer with more authority wins; a layer may refuse a variable that another one sets, but need not have granted
 * it.
 */
function setVariables(policy: Policy): readonly [string, string][] {
  return policy.layers
    .toReversed()
    .flatMap(({ settings }) =>
      settings.variables.flatMap(({ name, value }): [string, string][] =>
        policy.layers.some((layer) => isRuledOut(ask(layer, name))) ? [] : [[name, value]],
      ),
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
