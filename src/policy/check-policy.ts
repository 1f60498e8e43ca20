import { loadsCode } from '../shell/loads-code.ts';
import { totpProblems } from './approvals/totp-problems.ts';
import { credentialProblems } from './credentials/credential-problems.ts';
import { fileProblems } from './check-files.ts';
import type { Decision } from './decision.ts';
import { codeMessage, codeRemedy } from './document/environment-findings.ts';
import type { Problem } from './document/problem.ts';
import type { NetworkFeature, Use } from './layers/layer.ts';
import { providerProblems } from './llm/provider-problems.ts';
import { networkProblems } from './network-problems.ts';
import type { Policy } from './policy.ts';
import type { RequestKind } from './request.ts';
import { backendWishes, contradiction } from './settings/backend.ts';

/** Something that can carry out one decision on one kind of request, e.g. `file.deny` or `exec.ask`; or a feature of the network, e.g. `forward.allow`. */
export type Mechanism = `${RequestKind | NetworkFeature}.${Decision}`;

export interface CheckContext {
  /** Whether somebody can be asked during the session. */
  readonly approver: 'present' | 'absent';
  /** What this installation can carry out. */
  readonly mechanisms: ReadonlySet<Mechanism>;
}

/** What is wrong with a policy as a whole, on this machine: rules that nothing here could carry out, and contradictions. */
export function checkPolicy(policy: Policy, context: CheckContext): readonly Problem[] {
  const uses = policy.layers.flatMap((layer) => layer.uses());
  return [...uses.flatMap((use) => useProblems(use, context)), ...fileProblems(policy), ...backendProblems(policy), ...environmentProblems(policy), ...networkProblems(policy), ...credentialProblems(policy), ...totpProblems(policy), ...providerProblems(policy)];
}

function useProblems(use: Use, { approver, mechanisms }: CheckContext): readonly Problem[] {
  const { kind, decision, origin } = use;
  if (decision === 'ask' && approver === 'absent') {
    return [problem(use, `"${origin.rule}" asks, and nobody is there to answer`, 'start with an approver, or decide "allow" or "deny"')];
  }
  if (!mechanisms.has(`${kind}.${decision}`)) {
    return [problem(use, `"${origin.rule}" needs "${decision}" for ${subjects[kind] ?? `${kind} requests`}, which nothing here can carry out`, 'use another decision, or a backend and version that can')];
  }
  return [];
}

const subjects: Readonly<Partial<Record<Use['kind'], string>>> = {
  udp: 'UDP',
  forward: 'ports shown on the host',
  passthrough: 'TLS that passes unseen',
  ca: 'further certificate authorities',
  'real-dns': 'real addresses in the box',
  credential: 'credentials that stay outside',
};

function problem({ origin }: Use, message: string, remedy: string): Problem {
  return { code: 'HF_POLICY_INVALID', file: origin.file, line: origin.line, message, remedy };
}

/** Of grants beside the files: those are checked when they are read. */
function environmentProblems(policy: Policy): readonly Problem[] {
  return policy.layers.flatMap((layer) =>
    layer.statements().flatMap(({ subject, value, origin }): readonly Problem[] =>
      subject === 'environment.pass' && loadsCode(value) ? [{ code: 'HF_POLICY_INVALID', file: origin.file, line: origin.line, message: codeMessage(value), remedy: codeRemedy(value) }] : [],
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
    remedy: 'let one of them say use = "auto"',
  }));
}
