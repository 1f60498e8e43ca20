import type { IncomingResponse, Interceptor, OutgoingRequest, Refused, Send } from '../../egress/index.ts';
import { groupOf } from '../../policy/index.ts';
import { createDetector, createMasker, isLong } from '../masking/index.ts';
import type { CredentialContext } from '../types.ts';
import { approvedUses } from './approved-uses.ts';
import { exchange } from './exchange.ts';
import { findPhantoms, joined } from './find-phantoms.ts';
import { findSecret } from './find-secret.ts';
import { judge } from './judge.ts';
import { placedCredentials } from './placed-credentials.ts';
import { putIn } from './put-in.ts';
import { refused } from './refusals.ts';
import { partsOf, type RequestPart } from './request-parts.ts';
import { nameOf, stop, type Watch } from './watch.ts';
import { wholeBody } from './whole-body.ts';

/**
 * Puts secrets in for phantoms where they are bound, and keeps both from going anywhere else: a phantom in a wrong
 * place, a real secret on its way out and a key of somebody else refuse the request and raise an alarm. From hosts that
 * have a credential nothing comes back that holds a secret.
 */
export function credentialInterceptor(context: CredentialContext): Interceptor {
  const known = (): ReturnType<typeof context.secrets.known> => context.secrets.known();
  const shared = { context, detector: createDetector({ registry: context.registry, known }), masker: createMasker({ known }), given: new Set<string>() };
  return (send, connection) => (request) => carry(request, send, { ...shared, connection });
}

async function carry(request: OutgoingRequest, send: Send, watch: Watch): Promise<IncomingResponse | Refused> {
  const { context, connection } = watch;
  const here = placedCredentials(context, connection);
  const readsBody = here.some(({ places, isFor }) => places.some(({ kind }) => kind === 'body') && isFor(request));
  const { request: asked, bytes } = readsBody ? await wholeBody(request) : { request };
  const content = bytes === undefined ? 'streamed' : 'whole';
  const parts = partsOf(asked, bytes);
  const isSuspect = isAnythingIn(parts, watch);
  const exposed = isSuspect ? findSecret(parts, watch.masker) : undefined;
  if (exposed !== undefined) return stop(watch, { kind: 'secret', credential: exposed.credential }, exposed.words);
  const judgement = judge({ request: asked, connection, here, seen: isSuspect ? findPhantoms(parts, context.registry) : [] });
  if (judgement.kind === 'refused') {
    for (const alarm of judgement.alarms) context.alarm(alarm);
    return refused(judgement.refusal);
  }
  const denied = await approvedUses(judgement.uses, asked, watch);
  if (denied !== undefined) return denied;
  const outgoing = await putIn(asked, judgement.uses, { context, connection, content });
  if ('kind' in outgoing) return outgoing;
  if (judgement.uses.length > 0) watch.given.add(nameOf(connection.destination));
  const answer = await exchange({ asked, outgoing, here, content }, send, watch);
  if (answer.kind === 'response' && answer.status === unauthorised) for (const { placed } of judgement.uses) context.secrets.doubt(groupOf(placed.credential));
  return answer;
}

/** Source: RFC 9110 §15.5.2. */
const unauthorised = 401;

/** Nearly all requests hold nothing: one look at everything spares a look at each part. Short secrets are found in no other text but themselves. */
function isAnythingIn(parts: readonly RequestPart[], { context, detector }: Watch): boolean {
  return detector.find(joined(parts)) !== undefined || context.secrets.known().some((secret) => !isLong(secret));
}
