import type { ApprovalSubject, AskingApprovals } from '../../approvals/types.ts';
import type { CredentialContext } from '../../credentials/types.ts';
import type { Credential } from '../../policy/credentials/types.ts';
import type { Verdict } from '../../policy/verdict.ts';
import type { Authority, ConnectionApproval } from '../types.ts';

/**
 * Returns a function that puts waiting connections and requests into the session's approval queue. Undefined without a
 * queue.
 */
export function approverOf(approvals: AskingApprovals | undefined): NonNullable<Authority['approve']> | undefined {
  return approvals === undefined
    ? undefined
    : async (request, verdict, signal) => approvalOf(await approvals.ask({ request, verdict, ...until(signal) }));
}

/**
 * Returns a function that queues uses of credentials. The question names the credential and the request that would
 * carry it.
 */
export function credentialApproverOf(
  approvals: AskingApprovals | undefined,
): NonNullable<CredentialContext['approve']> | undefined {
  return approvals === undefined
    ? undefined
    : async (credential, request, signal) =>
        approvalOf(
          await approvals.ask({
            request,
            verdict: verdictOf(credential),
            details: [`with the secret of the credential ${JSON.stringify(credential.name)}`],
            ...until(signal),
          }),
        );
}

function until(signal: AbortSignal | undefined): Pick<ApprovalSubject, 'signal'> {
  return signal === undefined ? {} : { signal };
}

function approvalOf(outcome: Awaited<ReturnType<AskingApprovals['ask']>>): ConnectionApproval {
  return outcome.kind === 'allowed' ? { kind: 'allowed' } : { kind: 'denied', message: outcome.message };
}

function verdictOf({ name, origin }: Credential): Verdict {
  return {
    decision: 'ask',
    code: 'rule',
    ...origin,
    message: `using the credential ${JSON.stringify(name)} needs approval`,
    remedy: 'approve it when asked, or leave decision = "ask" out of the credential',
  };
}
