import { type HeldContent, HeldContents } from '../../egress/http/held-content.ts';
import type { Interceptor, Send } from '../../egress/http/interceptor.ts';
import type { IncomingResponse, OutgoingRequest } from '../../egress/http/message.ts';
import { meanings } from '../../egress/http/overrides.ts';
import type { ConnectionApproval, EgressRefusal, Refused } from '../../egress/types.ts';
import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import type { ConnectRequest, HttpRequest } from '../../policy/request.ts';
import { createMasker } from '../masking/masker.ts';
import { isLong } from '../masking/matcher.ts';
import { createDetector, type Masker } from '../masking/types.ts';
import type { CredentialContext } from '../types.ts';
import { exchangeSecrets } from './exchange.ts';
import { judgeInjection } from './judge.ts';
import { refusedWith, secretUnavailable, textOf } from './misuse.ts';
import { placedCredentials, type CredentialUse } from './placed-credentials.ts';
import { putIn, wholeBody } from './put-in.ts';
import { findPhantoms, joinedTexts, partsOf, type RequestPart } from './request-parts.ts';
import { targetPath } from './target.ts';
import { destinationText, stop, type Watch } from './watch.ts';

/**
 * Replaces phantoms with secrets in requests that their credentials are bound to, and keeps both from going anywhere
 * else. A misplaced phantom, an outgoing real secret or a key from elsewhere raises an alarm, and the request is
 * refused. Answers of hosts that have a credential never return a secret.
 */
export function credentialInterceptor(context: CredentialContext): Interceptor {
  const known = (): ReturnType<typeof context.secrets.known> => context.secrets.known();
  const shared = {
    context,
    detector: createDetector({ registry: context.registry, known }),
    masker: createMasker({ known }),
    given: new Set(tokenHosts(context)),
  };
  const contents = new HeldContents();
  return (send, connection) => async (request) => {
    const held = contents.open();
    const phantoms = context.isModelServer(connection.destination) ? 'cover' : 'stop';
    try {
      return await carry(request, send, { ...shared, connection, phantoms, held });
    } finally {
      held.release();
    }
  };
}

interface Carrying extends Watch {
  /** Content that is buffered until the answer begins. */
  readonly held: HeldContent;
}

/** The supervisor itself sends secrets to these hosts, and a debugging page there may show its requests. */
function tokenHosts({ credentials }: CredentialContext): readonly string[] {
  return credentials.flatMap(({ injection }) => {
    if (!('tokenUrl' in injection) || !URL.canParse(injection.tokenUrl)) return [];
    const { hostname, port } = new URL(injection.tokenUrl);
    return [destinationText({ host: hostname, port: port === '' ? 443 : Number(port) })];
  });
}

async function carry(request: OutgoingRequest, send: Send, watch: Carrying): Promise<IncomingResponse | Refused> {
  const { context, connection, held } = watch;
  const here = placedCredentials(context, connection);
  const readsBody = here.some(({ places, isFor }) => places.some(({ kind }) => kind === 'body') && isFor(request));
  const { request: asked, bytes } = readsBody ? await wholeBody(request) : { request };
  const content = bytes === undefined ? 'streamed' : 'whole';
  const parts = partsOf(asked, bytes);
  const isSuspect = isAnythingIn(parts, watch);
  const exposed = isSuspect ? findSecret(parts, watch.masker) : undefined;
  if (exposed !== undefined) return stop(watch, { kind: 'secret', credential: exposed.credential }, exposed.words);
  const judgement = judgeInjection({
    request: asked,
    connection,
    here,
    seen: isSuspect ? findPhantoms(parts, context.registry) : [],
  });
  if (judgement.kind === 'refused') {
    for (const alarm of judgement.alarms) context.alarm(alarm);
    return refusedWith(judgement.refusal);
  }
  const denied = await approvedUses(judgement.uses, asked, watch);
  if (denied !== undefined) return denied;
  const outgoing = await putIn(asked, judgement.uses, { context, connection, content, held });
  if ('kind' in outgoing) return outgoing;
  if (judgement.uses.length > 0) watch.given.add(destinationText(connection.destination));
  const answer = await exchangeSecrets({ asked, outgoing, here, content }, send, watch);
  if (answer.kind === 'response' && answer.status === unauthorised)
    for (const { placed } of judgement.uses) context.secrets.doubt(groupOf(placed.credential));
  return answer;
}

/** Source: RFC 9110 §15.5.2. */
const unauthorised = 401;

/**
 * Searches all parts at once, because nearly all requests hold nothing. A short secret is found only if it is a whole
 * text, so it needs the search of each part.
 */
function isAnythingIn(parts: readonly RequestPart[], { context, detector }: Watch): boolean {
  return detector.find(joinedTexts(parts)) !== undefined || context.secrets.known().some((secret) => !isLong(secret));
}

interface SeenSecret {
  readonly credential: string;
  /** Part of the request in words, for people. */
  readonly words: string;
}

/** Returns the first real secret in the parts of a request, in any spelling. */
function findSecret(parts: readonly RequestPart[], masker: Masker): SeenSecret | undefined {
  for (const { words, texts } of parts) {
    for (const text of texts) {
      let credential: string | undefined;
      masker.maskText(text, (found) => (credential ??= found));
      if (credential !== undefined) return { credential, words };
    }
  }
  return undefined;
}

/**
 * Asks for an approval of each credential of a request that needs one. Undefined if all may be used. No secret has been
 * read yet.
 */
async function approvedUses(
  uses: readonly CredentialUse[],
  request: OutgoingRequest,
  { context, connection }: Pick<Watch, 'context' | 'connection'>,
): Promise<Refused | undefined> {
  const { destination, scheme } = connection;
  for (const { placed } of uses) {
    // Attack: a person approves the request line, but the server follows an overriding header.
    for (const { method, target } of meanings(request)) {
      const use: HttpRequest = { kind: 'http', method, scheme, ...destination, path: targetPath(target) };
      const refusal = await refusedUse(placed.credential, use, { ...context, signal: request.signal });
      if (refusal !== undefined) return refusedWith(refusal);
    }
  }
  return uses.some(({ placed }) => placed.credential.decision === 'ask')
    ? goneMeanwhile(uses, { context, connection })
    : undefined;
}

/**
 * Returns a credential that was revoked or has left the policy while the approval was pending, which may take minutes.
 */
function goneMeanwhile(
  uses: readonly CredentialUse[],
  { context, connection }: Pick<Watch, 'context' | 'connection'>,
): Refused | undefined {
  const good = placedCredentials(context, connection).filter(({ state }) => state === 'good');
  const gone = uses.find(({ placed }) => !good.some(({ credential }) => credential.name === placed.credential.name));
  return gone === undefined
    ? undefined
    : secretUnavailable(
        gone.placed.credential.name,
        'was revoked or left the policy while someone was asked about it',
        'Start a new session, which gives out new phantoms.',
      );
}

interface Asking extends Pick<CredentialContext, 'approve'> {
  /** Aborts when the client no longer waits for the answer. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the reason that a credential may not be used for a request or connection. Undefined if it may be used, or
 * needs no approval.
 */
export async function refusedUse(
  credential: Credential,
  use: ConnectRequest | HttpRequest,
  { approve, signal }: Asking,
): Promise<EgressRefusal | undefined> {
  if (credential.decision !== 'ask') return undefined;
  const answer = await (approve?.(credential, use, signal) ?? nobody);
  if (answer.kind === 'allowed') return undefined;
  return {
    code: 'policy',
    message: `The credential "${credential.name}" is used at ${textOf(use)} only when someone has approved it; ${answer.message}.`,
    remedy: 'Approve it when asked, or leave decision = "ask" out of the credential in your policy.',
  };
}

const nobody: ConnectionApproval = { kind: 'denied', message: 'nobody was there to ask, so it was denied' };
