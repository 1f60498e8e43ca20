import type { Approval, EgressRefusal, InterceptedConnection, OutgoingRequest, Refused } from '../../egress/index.ts';
import type { ConnectRequest, Credential, HttpRequest } from '../../policy/index.ts';
import type { CredentialContext } from '../types.ts';
import type { Use } from './placed-credentials.ts';
import { refused, textOf } from './refusals.ts';

/** Asks about each credential of a request that waits for a person; undefined when all may be used. Nothing of a secret has been read before. */
export async function approvedUses(uses: readonly Use[], { method, target, signal }: OutgoingRequest, { context, connection }: { readonly context: CredentialContext; readonly connection: InterceptedConnection }): Promise<Refused | undefined> {
  const { destination, scheme } = connection;
  for (const { placed } of uses) {
    const refusal = await refusedUse(placed.credential, { kind: 'http', method, scheme, ...destination, path: target.split('?', 1)[0] ?? '' }, { ...context, signal });
    if (refusal !== undefined) return refused(refusal);
  }
  return undefined;
}

export interface Asking extends Pick<CredentialContext, 'approve'> {
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
}

/** Why a credential may not be used for a request or connection; undefined when it may, or needs nobody's word. */
export async function refusedUse(credential: Credential, use: ConnectRequest | HttpRequest, { approve, signal }: Asking): Promise<EgressRefusal | undefined> {
  if (credential.decision !== 'ask') return undefined;
  const answer = await (approve?.(credential, use, signal) ?? nobody);
  if (answer.kind === 'allowed') return undefined;
  return { code: 'policy', message: `The credential "${credential.name}" is used at ${textOf(use)} only when somebody has approved it; ${answer.message}.`, remedy: 'Approve it when asked, or leave decision = "ask" out of the credential in your policy.' };
}

const nobody: Approval = { kind: 'denied', message: 'nobody was there to ask, so it was denied' };
