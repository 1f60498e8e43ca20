import { HoldfastError } from '../../errors/index.ts';
import { decide } from '../../policy/decide.ts';
import { parsePolicy } from '../../policy/document/parse.ts';
import type { RuleTable } from '../../policy/document/rule-schema.ts';
import { lineOf, type PolicyDocument } from '../../policy/document/types.ts';
import type { Policy } from '../../policy/policy.ts';
import type { PolicyRequest } from '../../policy/request.ts';
import type { AlwaysRules } from '../queue/options.ts';
import type { ApprovalSubject } from '../types.ts';
import { type AlwaysRule, ruleFor } from './rule-for.ts';

/** A user's policy, and the function that makes a session's policy from it. */
export interface UserPolicy {
  /** The file name that verdicts show. */
  readonly file: string;
  /** Empty if there is no file. */
  readonly text: string;
  /** Returns the session's policy with another text of this user. Throws if the text is invalid. */
  readonly policyWith: (text: string) => Policy;
}

export interface WithRule {
  /** Text of the new rule. */
  readonly rule: string;
  /** Text of the whole policy. */
  readonly text: string;
}

/**
 * Returns the user's policy with the smallest rule that allows this request from now on. Undefined if no rule of the
 * user can. Another policy or a deny list may refuse it. The request may not fit into a pattern, or the rule would
 * cover more than the request.
 */
export function withRule(
  { request, verdict }: Pick<ApprovalSubject, 'request' | 'verdict'>,
  user: UserPolicy,
): WithRule | undefined {
  if (verdict.decision !== 'ask' || verdict.layer !== 'user') return undefined;
  const rule = ruleFor(request, verdict.rule);
  const before = documentOf(user.text, user.file);
  if (rule === undefined || before === 'unreadable') return undefined;
  // No rule about a single tool answers a flow between tools.
  if (
    request.kind === 'tool' &&
    before !== undefined &&
    decide(user.policyWith(user.text), request).rule !== verdict.rule
  )
    return undefined;
  const text = insertRule(user.text, before, { ...rule, asked: verdict.rule });
  return isJust({ before, text, rule }, user.file) && allows(user, text, request)
    ? { rule: rule.text, text }
    : undefined;
}

function documentOf(text: string, file: string): PolicyDocument | undefined | 'unreadable' {
  if (text.trim() === '') return undefined;
  const parsed = parsePolicy(text, { file, kind: 'user' });
  return parsed.kind === 'document' ? parsed.document : 'unreadable';
}

/** Checks that the added text is exactly this rule, wherever it is inserted. */
function isJust(
  {
    before,
    text,
    rule,
  }: { readonly before: PolicyDocument | undefined; readonly text: string; readonly rule: AlwaysRule },
  file: string,
): boolean {
  const after = documentOf(text, file);
  if (after === undefined || after === 'unreadable') return false;
  const rules: readonly { readonly name: string }[] = after.value[rule.table] ?? [];
  const others = rules.filter(({ name }) => !rule.names.includes(name));
  const rest = {
    ...after.value,
    [rule.table]: others.length === 0 && before?.value[rule.table] === undefined ? undefined : others,
  };
  return rules.length === others.length + rule.names.length && sameKeys(rest, before?.value ?? { version: 1 });
}

function sameKeys(a: object, b: object): boolean {
  const text = (value: object): string =>
    JSON.stringify(
      Object.entries(value)
        .filter(([, inner]) => inner !== undefined)
        .toSorted(([one], [other]) => (one < other ? -1 : 1)),
    );
  return text(a) === text(b);
}

/** Checks that the policy allows this request, and no similar one. */
function allows({ text: now, policyWith }: UserPolicy, text: string, request: ApprovalSubject['request']): boolean {
  try {
    const [before, after] = [policyWith(now), policyWith(text)];
    const isChanged = decide(before, request).decision === 'ask' && decide(after, request).decision === 'allow';
    return (
      isChanged &&
      !liesInClosed(before, request) &&
      neighboursOf(request).every((other) => decide(before, other).decision === decide(after, other).decision)
    );
  } catch {
    // An invalid policy has other problems, which are reported when it is loaded.
    return false;
  }
}

/**
 * A directory that a rule asks about as a whole is not in the box, so nothing can be mounted in it. A grant of a part
 * would keep every box from starting.
 */
function liesInClosed(policy: Policy, request: ApprovalSubject['request']): boolean {
  if (request.kind !== 'file') return false;
  const beside = `${request.path.slice(0, request.path.lastIndexOf('/'))}/any-name-beside-it`;
  const { decision } = decide(policy, { kind: 'file', operation: 'read', path: beside });
  return decision === 'ask' || decision === 'deny';
}

/**
 * Returns the policy with one more rule. The first match decides, so the new rule comes before the asking rule and its
 * comments. If the asking rule is in another file, the new rule comes last. All other lines stay unchanged.
 */
function insertRule(
  policy: string,
  document: Pick<PolicyDocument, 'value' | 'lines'> | undefined,
  rule: AlwaysRule & { readonly asked: string },
): string {
  if (policy.trim() === '') return `version = 1\n\n${rule.text}`;
  const line = document === undefined ? 0 : lineOfRule(document, rule.table, rule.asked);
  if (line === 0) return `${policy}${policy.endsWith('\n') ? '' : '\n'}\n${rule.text}`;
  const lines = policy.split('\n');
  let at = line - 1;
  while (at > 0 && /^\s*#/u.test(lines[at - 1] ?? '')) at -= 1;
  return [...lines.slice(0, at), ...rule.text.split('\n'), ...lines.slice(at)].join('\n');
}

/** Returns the line of a rule's header, or 0 if the rule has no table of its own. */
function lineOfRule({ value, lines }: Pick<PolicyDocument, 'value' | 'lines'>, table: RuleTable, name: string): number {
  const rules: readonly { readonly name: string }[] = value[table] ?? [];
  const index = rules.findIndex((rule) => rule.name === name);
  return index === -1 ? 0 : lineOf({ lines }, `${table}[${index}]`);
}

/** Returns requests that are similar. A rule for one request must not change the decisions about them. */
export function neighboursOf(request: PolicyRequest): readonly PolicyRequest[] {
  switch (request.kind) {
    case 'file':
      return [
        ...[`${request.path}x`, parentOf(request.path), `${parentOf(request.path)}/neighbour`].map((path) => ({
          ...request,
          path,
        })),
        ...others(['read', 'write', 'create', 'delete', 'execute'] as const, request.operation).map((operation) => ({
          ...request,
          operation,
        })),
      ];
    case 'exec':
      return [
        ...[['x'], ['-x'], ['--force'], ['x', 'y'], ['']].map((more) => ({
          ...request,
          argv: [...request.argv, ...more],
        })),
        ...(request.argv.length > 1
          ? [
              { ...request, argv: request.argv.slice(0, -1) },
              { ...request, argv: [...request.argv.slice(0, -1), `${request.argv.at(-1)}x`] },
            ]
          : []),
        {
          ...request,
          program: `${parentOf(request.program)}x/${request.program.slice(request.program.lastIndexOf('/') + 1)}`,
        },
        { ...request, context: request.context === 'direct' ? 'nested' : 'direct' },
      ];
    case 'connect':
      return [
        ...hosts(request.host).map((host) => ({ ...request, host })),
        { ...request, port: otherPort(request.port) },
        { ...request, protocol: request.protocol === 'tcp' ? 'udp' : 'tcp' },
      ];
    case 'http':
      return [
        ...hosts(request.host).map((host) => ({ ...request, host })),
        ...[`${request.path}x`, `${request.path}/x`, '/']
          .filter((path) => path !== request.path)
          .map((path) => ({ ...request, path })),
        ...others(['GET', 'HEAD', 'POST', 'DELETE'], request.method).map((method) => ({ ...request, method })),
        ...others(['http', 'https', 'ws', 'wss'] as const, request.scheme).map((scheme) => ({ ...request, scheme })),
        { ...request, port: otherPort(request.port) },
      ];
    case 'dns':
      return [
        ...hosts(request.name).map((name) => ({ ...request, name })),
        ...others(['A', 'TXT'], request.recordType).map((recordType) => ({ ...request, recordType })),
      ];
    case 'socket':
      return [
        ...[`${request.address}x`, `${request.address}/neighbour`, `${request.address}/.neighbour/x`].map(
          (address) => ({ ...request, address }),
        ),
        ...others(['connect', 'bind', 'send'] as const, request.operation).map((operation) => ({
          ...request,
          operation,
        })),
      ];
    case 'signal':
      return [
        ...others(['SIGKILL', 'SIGTERM'], request.signal).map((signal) => ({ ...request, signal })),
        ...others(['child', 'box'] as const, request.target).map((target) => ({ ...request, target })),
      ];
    case 'env':
      return [
        { ...request, name: `${request.name}X` },
        { ...request, name: `X${request.name}` },
      ];
    case 'tool':
      return [
        { ...request, tool: `${request.tool}x` },
        { ...request, server: `${request.server}x` },
      ];
    case 'trust':
      return [
        { ...request, sha256: request.sha256.replace(/^./u, (digit) => (digit === '0' ? '1' : '0')) },
        { ...request, path: `${request.path}x` },
      ];
    case 'registry':
      return [
        ...[`${request.key}x`, String.raw`${request.key}\x`].map((key) => ({ ...request, key })),
        ...others(['read', 'write', 'delete'] as const, request.operation).map((operation) => ({
          ...request,
          operation,
        })),
      ];
  }
}

function others<Value>(all: readonly Value[], own: Value): readonly Value[] {
  return all.filter((value) => value !== own);
}

/** `localhost` in a rule means every loopback address. */
function hosts(host: string): readonly string[] {
  return [`neighbour.${host}`, `x${host}`, '192.0.2.1', '127.0.0.99'].filter((other) => other !== host);
}

function otherPort(port: number): number {
  return port === 1 ? 2 : port - 1;
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

interface AlwaysOptions {
  /** Reads the user's policy as it is now. */
  readonly read: () => UserPolicy;
  /**
   * Replaces the policy with the result of `change`, under a lock. The file is written completely or not at all, and
   * symbolic links are not followed.
   */
  readonly replace: (change: (user: UserPolicy) => string) => void;
}

/** Writes the answer `always`. The question shows the new text, and it is written only if it is still the same. */
export function alwaysRules({ read, replace }: AlwaysOptions): AlwaysRules {
  return {
    propose(subject) {
      try {
        const user = read();
        const changed = withRule(subject, user);
        return changed === undefined ? undefined : { file: user.file, text: changed.rule };
      } catch {
        // A policy that cannot be read cannot be changed, so the question does not offer this answer.
        return undefined;
      }
    },
    write(subject, shown) {
      replace((user) => {
        const changed = withRule(subject, user);
        if (changed?.rule !== shown.text)
          throw new HoldfastError('HF_POLICY_INVALID', `${user.file} has changed since the rule was shown`, {
            remedy: 'answer "once", and "always" when it asks again',
          });
        return changed.text;
      });
    },
  };
}
