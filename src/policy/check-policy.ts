import { loadsCode } from '../shell/loads-code.ts';
import { backendWishes, contradiction } from './backend-wish.ts';
import { credentialProblems } from './credentials/credential-problems.ts';
import { fileProblems } from './check-files.ts';
import type { Decision } from './verdict.ts';
import { codeMessage, codeRemedy } from './document/entry-findings.ts';
import { type Problem, problemAt } from './document/problem.ts';
import { nearest } from './document/suggest.ts';
import { lineOf } from './document/types.ts';
import type {
  Layer,
  NetworkFeature,
  PlacedForward,
  PlacedHttpRule,
  PlacedPattern,
  FeatureUse,
} from './layers/layer.ts';
import { knownServers } from './llm/known-servers.ts';
import { llmOf } from './llm/llm-of.ts';
import { hostCovers } from './patterns/covers.ts';
import { hostsOverlap } from './patterns/hosts-overlap.ts';
import { portCount } from './patterns/port-set.ts';
import type { Policy } from './policy.ts';
import type { RequestKind } from './request.ts';
import { mostLoopbackPorts } from './settings/network-plan.ts';
import { originText } from './words/message.ts';

/**
 * A mechanism that carries out one decision on one kind of request, such as `file.deny` or `exec.ask`. Features of the
 * network, such as `forward.allow`, are mechanisms too.
 */
export type Mechanism = `${RequestKind | NetworkFeature}.${Decision}`;

export interface CheckContext {
  /** Whether someone can answer questions during the session. */
  readonly approver: 'present' | 'absent';
  /** Mechanisms that this installation supports. */
  readonly mechanisms: ReadonlySet<Mechanism>;
}

/**
 * Returns the problems of a policy as a whole on this machine: contradictions, and rules that nothing here can carry
 * out.
 */
export function checkPolicy(policy: Policy, context: CheckContext): readonly Problem[] {
  const uses = policy.layers.flatMap((layer) => layer.uses());
  return [
    ...uses.flatMap((use) => useProblems(use, context)),
    ...fileProblems(policy),
    ...backendProblems(policy),
    ...environmentProblems(policy),
    ...networkProblems(policy),
    ...credentialProblems(policy),
    ...totpProblems(policy),
    ...providerProblems(policy),
  ];
}

function useProblems(use: FeatureUse, { approver, mechanisms }: CheckContext): readonly Problem[] {
  const { kind, decision, origin } = use;
  if (decision === 'ask' && approver === 'absent') {
    return [
      problem(
        use,
        `"${origin.rule}" asks, and nobody is there to answer`,
        'start with an approver, or decide "allow" or "deny"',
      ),
    ];
  }
  if (!mechanisms.has(`${kind}.${decision}`)) {
    return [
      problem(
        use,
        `"${origin.rule}" needs "${decision}" for ${subjects[kind] ?? `${kind} requests`}, which nothing here can carry out`,
        'use another decision, or a backend and version that can',
      ),
    ];
  }
  return [];
}

const subjects: Readonly<Partial<Record<FeatureUse['kind'], string>>> = {
  udp: 'UDP',
  forward: 'ports shown on the host',
  passthrough: 'TLS that passes through',
  ca: 'further certificate authorities',
  'real-dns': 'real addresses in the box',
  credential: 'credentials that stay outside',
};

function problem({ origin }: FeatureUse, message: string, remedy: string): Problem {
  return { code: 'HF_POLICY_INVALID', file: origin.file, line: origin.line, message, remedy };
}

/** Problems of grants other than files. File grants are checked when they are read. */
function environmentProblems(policy: Policy): readonly Problem[] {
  return policy.layers.flatMap((layer) =>
    layer.statements().flatMap(({ subject, value, origin }): readonly Problem[] =>
      subject === 'environment.pass' && loadsCode(value)
        ? [
            {
              code: 'HF_POLICY_INVALID',
              file: origin.file,
              line: origin.line,
              message: codeMessage(value),
              remedy: codeRemedy(value),
            },
          ]
        : [],
    ),
  );
}

function backendProblems(policy: Policy): readonly Problem[] {
  const [first, ...others] = backendWishes(policy);
  if (first === undefined) return [];
  return others.map((other) => ({
    code: 'HF_POLICY_INVALID',
    file: other.origin.file,
    line: other.origin.line,
    message: contradiction(first, other),
    remedy: 'set use = "auto" in one of them',
  }));
}

const knownProviders: readonly string[] = [...new Set(knownServers.map(({ provider }) => provider))];

/**
 * Reports misspelt names, which would have no effect. Checks only the user's policy: a project's and the machine's may
 * name servers that this user does not have.
 */
export function providerProblems(policy: Policy): readonly Problem[] {
  const names = [...knownProviders, ...llmOf(policy).servers.map(({ name }) => name)];
  return policy.layers.flatMap(({ kind, settings: { llm } }) => {
    if (kind !== 'user' || llm === undefined) return [];
    const asked = (['budgets', 'rates'] as const).flatMap((key) =>
      llm[key].flatMap(({ providers }, index) =>
        providers.map((name, at) => ({ name, at: `llm.${key}[${index}].providers[${at}]` })),
      ),
    );
    return asked
      .filter(({ name }) => !names.includes(name))
      .map(
        ({ name, at }): Problem => ({
          code: 'HF_POLICY_INVALID',
          file: llm.origin.file,
          line: lineOf(llm, at),
          message: `no server of models has the provider "${name}"`,
          remedy: remedyFor(name, names),
        }),
      );
  });
}

function remedyFor(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === undefined
    ? `write one of ${names.join(', ')}, or the name of a server under [[llm.servers]]`
    : `did you mean "${meant}"?`;
}

/** Names of built-in rules that ask. */
const builtinQuestions: readonly string[] = [
  'commands.unknown',
  'commands.ask_above',
  'tools.default',
  'trust.default',
];

/**
 * Reports names below `approvals.totp` that match no question. Their author would wrongly expect a code to be required.
 */
function totpProblems({ layers }: Policy): readonly Problem[] {
  const wanted = layers.flatMap(({ settings: { approvals } }) => approvals?.totp ?? []);
  if (wanted.length === 0) return [];
  const uses = layers.flatMap((layer) => layer.uses());
  const asking = new Set([
    ...uses.flatMap(({ decision, origin: { rule } }) => (decision === 'ask' ? [rule, listOf(rule)] : [])),
    ...builtinQuestions,
  ]);
  const others = new Set(uses.map(({ origin: { rule } }) => rule));
  return wanted.flatMap(({ value: name, origin }): readonly Problem[] => {
    if (asking.has(name)) return [];
    if (others.has(name))
      return [
        problemAt(
          origin,
          `"${name}" never asks, so it never needs a code`,
          'let it decide "ask", or take it out of approvals.totp',
        ),
      ];
    const meant = nearest(name, [...asking]);
    return [
      problemAt(
        origin,
        `no rule that asks is called "${name}"`,
        meant === undefined
          ? 'write the name of a rule that decides "ask", or take it out of approvals.totp'
          : `did you mean "${meant}"?`,
      ),
    ];
  });
}

/** Returns `commands.ask` for `commands.ask[3]`. */
function listOf(rule: string): string {
  return rule.replace(/\[\d+\]$/u, '');
}

/** Statements about the network that contradict each other, or that nothing can carry out. */
function networkProblems({ layers }: Policy): readonly Problem[] {
  return [...layers.flatMap(loopbackProblems), ...passthroughProblems(layers), ...layers.flatMap(forwardProblems)];
}

/**
 * The box has its own loopback interface, so Holdfast must listen on every granted port of the host's. Only named ports
 * can have a listener.
 */
function loopbackProblems({ kind, network }: Layer): readonly Problem[] {
  if (kind !== 'user') return [];
  return network.facts().loopback.flatMap(({ pattern, origin }): readonly Problem[] => {
    if (pattern.ports !== undefined && portCount([pattern.ports]) <= mostLoopbackPorts) return [];
    const size = pattern.ports === undefined ? 'every port' : `${portCount([pattern.ports])} ports`;
    return [
      problemAt(
        origin,
        `"${pattern.source}" opens ${size} of the host's loopback, and the limit is ${mostLoopbackPorts}`,
        'name the ports that are needed: "localhost:3000", or "localhost:8000-8100"',
      ),
    ];
  });
}

/**
 * Rules about requests cannot be enforced on TLS that passes through. Only the author knows which of the two is
 * intended.
 */
function passthroughProblems(layers: readonly Layer[]): readonly Problem[] {
  const rules = layers.map(({ network }) => network.facts().httpRules);
  return layers
    .flatMap(({ network }) => network.facts().passthrough)
    .flatMap((passed) => rules.flatMap((list) => unenforced(passed, list)));
}

/** Passing TLS through loses nothing if the first rule about a host allows every request to it. */
function unenforced({ pattern, origin }: PlacedPattern, rules: readonly PlacedHttpRule[]): readonly Problem[] {
  const excused = rules.findIndex((rule) => rule.effect === 'unconditional' && hostCovers(rule.pattern, pattern));
  const lost = rules.find(
    (rule, index) =>
      (excused === -1 || index < excused) && rule.effect === 'conditional' && hostsOverlap(rule.pattern, pattern),
  );
  if (lost === undefined) return [];
  return [
    problemAt(
      origin,
      `"${pattern.source}" passes TLS through, so ${originText(lost.origin)} could never be enforced there`,
      'take it out of network.passthrough, or let an earlier [[http]] rule allow every request to that host',
    ),
  ];
}

function forwardProblems({ network }: Layer): readonly Problem[] {
  const seen = new Map<number, PlacedForward>();
  return (network.facts().forwards ?? []).flatMap((forward): readonly Problem[] => {
    const other = seen.get(forward.host);
    seen.set(forward.host, other ?? forward);
    if (other === undefined || other.box === forward.box) return [];
    return [
      problemAt(
        forward.origin,
        `port ${forward.host} of the host would show both port ${other.box} and port ${forward.box} of the box`,
        'show one of them on another port: "3001:3000"',
      ),
    ];
  });
}
