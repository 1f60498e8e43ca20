import { decide, parsePolicy, type Policy, type PolicyDocument } from '../../policy/index.ts';
import type { Subject } from '../types.ts';
import { insertRule } from './insert-rule.ts';
import { neighboursOf } from './neighbours.ts';
import { type AlwaysRule, ruleFor } from './rule-for.ts';

/** A user policy and how it becomes the policy of a session. */
export interface UserPolicy {
  /** As verdicts name it. */
  readonly file: string;
  /** Empty where there is none. */
  readonly text: string;
  /** The policy that would hold with another text in its place. Throws where none would. */
  readonly policyWith: (text: string) => Policy;
}

export interface WithRule {
  /** What is added. */
  readonly rule: string;
  /** The whole policy. */
  readonly text: string;
}

/**
 * The user's policy with the smallest rule that allows this request from now on. Undefined where no rule of the user can: another
 * policy or a deny set says no as well, the request cannot be written as a pattern, or a rule would decide about more than it.
 */
export function withRule({ request, verdict }: Pick<Subject, 'request' | 'verdict'>, user: UserPolicy): WithRule | undefined {
  if (verdict.decision !== 'ask' || verdict.layer !== 'user') return undefined;
  const rule = ruleFor(request, verdict.rule);
  const before = documentOf(user.text, user.file);
  if (rule === undefined || before === 'unreadable') return undefined;
  // A flow between tools asks: no rule about one of them would answer that.
  if (request.kind === 'tool' && before !== undefined && decide(user.policyWith(user.text), request).rule !== verdict.rule) return undefined;
  const text = insertRule(user.text, before, { ...rule, asked: verdict.rule });
  return isJust({ before, text, rule }, user.file) && allows(user, text, request) ? { rule: rule.text, text } : undefined;
}

function documentOf(text: string, file: string): PolicyDocument | undefined | 'unreadable' {
  if (text.trim() === '') return undefined;
  const parsed = parsePolicy(text, { file, kind: 'user' });
  return parsed.kind === 'document' ? parsed.document : 'unreadable';
}

/** What was put in has to be this rule and nothing else, whatever the lines around it look like. */
function isJust({ before, text, rule }: { readonly before: PolicyDocument | undefined; readonly text: string; readonly rule: AlwaysRule }, file: string): boolean {
  const after = documentOf(text, file);
  if (after === undefined || after === 'unreadable') return false;
  const rules: readonly { readonly name: string }[] = after.value[rule.table] ?? [];
  const others = rules.filter(({ name }) => !rule.names.includes(name));
  const rest = { ...after.value, [rule.table]: others.length === 0 && before?.value[rule.table] === undefined ? undefined : others };
  return rules.length === others.length + rule.names.length && sameKeys(rest, before?.value ?? { version: 1 });
}

function sameKeys(a: object, b: object): boolean {
  const text = (value: object): string => JSON.stringify(Object.entries(value).filter(([, inner]) => inner !== undefined).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return text(a) === text(b);
}

/** Exactly this request, and no neighbour of it. */
function allows({ text: now, policyWith }: UserPolicy, text: string, request: Subject['request']): boolean {
  try {
    const [before, after] = [policyWith(now), policyWith(text)];
    const isChanged = decide(before, request).decision === 'ask' && decide(after, request).decision === 'allow';
    return isChanged && !liesInClosed(before, request) && neighboursOf(request).every((other) => decide(before, other).decision === decide(after, other).decision);
  } catch {
    // A policy that would not hold with it has other problems, which are told where it is loaded.
    return false;
  }
}

/** What is asked about as a whole is not in the box, and nothing can be mounted in it: a grant of a part would keep every box from starting. */
function liesInClosed(policy: Policy, request: Subject['request']): boolean {
  if (request.kind !== 'file') return false;
  const beside = `${request.path.slice(0, request.path.lastIndexOf('/'))}/any-name-beside-it`;
  const { decision } = decide(policy, { kind: 'file', operation: 'read', path: beside });
  return decision === 'ask' || decision === 'deny';
}
