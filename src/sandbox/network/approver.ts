import type { Approval, Authority } from '../../egress/index.ts';
import type { CredentialContext } from '../../credentials/index.ts';
import type { Credential, Verdict } from '../../policy/index.ts';
import type { Subject } from '../../approvals/types.ts';
import type { SessionApprovals } from '../approvals/session-approvals.ts';

type Asking = Pick<SessionApprovals, 'ask'>;

/** Takes what the policy holds back of a connection or request to the session's queue. Undefined where there is none. */
export function approverOf(approvals: Asking | undefined): NonNullable<Authority['approve']> | undefined {
  return approvals === undefined ? undefined : async (request, verdict, signal) => approvalOf(await approvals.ask({ request, verdict, ...until(signal) }));
}

/** The same for uses of credentials: the question names the credential, and the request that it would be put into. */
export function credentialApproverOf(approvals: Asking | undefined): NonNullable<CredentialContext['approve']> | undefined {
  return approvals === undefined ? undefined : async (credential, request, signal) => approvalOf(await approvals.ask({ request, verdict: verdictOf(credential), details: [`with the secret of the credential ${JSON.stringify(credential.name)}`], ...until(signal) }));
}

function until(signal: AbortSignal | undefined): Pick<Subject, 'signal'> {
  return signal === undefined ? {} : { signal };
}

function approvalOf(outcome: Awaited<ReturnType<Asking['ask']>>): Approval {
  return outcome.kind === 'allowed' ? { kind: 'allowed' } : { kind: 'denied', message: outcome.message };
}

function verdictOf({ name, origin }: Credential): Verdict {
  return { decision: 'ask', code: 'rule', ...origin, message: `using the credential ${JSON.stringify(name)} needs approval`, remedy: 'approve it when asked, or leave decision = "ask" out of the credential' };
}
