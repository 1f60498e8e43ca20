import { type Credential, groupOf } from '../../policy/credentials/types.ts';
import type { CapturedToken, PhantomRegistry, SecretRead, SecretStore, TokenStore, Unavailable } from '../types.ts';
import { type GrantKind, type GrantParts, grants } from './grants/index.ts';
import type { TokenDenied, Granted, TokenClient, TokenEvent } from './read-token-answer.ts';

export interface TokenStoreOptions {
  readonly client: TokenClient;
  readonly secrets: SecretStore;
  readonly registry: PhantomRegistry;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** For the journal. Must not throw. */
  onEvent?(event: TokenEvent): void;
}

/** The tokens of one session. */
export function createTokenStore({ onEvent = () => undefined, ...options }: TokenStoreOptions): TokenStore {
  const fetched = createAccessTokens({ ...options, onEvent });
  const captured = createCapturedTokens({ ...options, onEvent });
  return {
    access: fetched.access,
    forget: fetched.forget,
    capture: captured.capture,
    captured: captured.captured,
    close() {
      fetched.close();
      captured.close();
    },
  };
}

type Options = Required<Pick<TokenStoreOptions, 'secrets' | 'registry' | 'onEvent'>>;

/** Most tokens of one credential at a time. Beyond this number, the oldest is forgotten. */
const mostKept = 256;
/**
 * Most tokens of one credential in a session. Attack: a box that logs in without end would fill the supervisor's
 * memory.
 */
const mostEver = 4096;

interface Captured {
  readonly token: CapturedToken;
  readonly role: string;
  readonly phantom: string;
}

interface OfCredential {
  readonly kept: Map<string, Captured>;
  ever: number;
}

/** Stores tokens from answers. Each has its own role, because a client may have several logins. */
function createCapturedTokens({
  secrets,
  registry,
  onEvent,
}: Options): Pick<TokenStore, 'capture' | 'captured' | 'close'> {
  const byCredential = new Map<string, OfCredential>();
  const isStillKept = (name: string, text: string): boolean =>
    [...(byCredential.get(name)?.kept.values() ?? [])].some(({ token }) => token.text === text);
  return {
    capture(credential, token) {
      const name = groupOf(credential);
      const tokens = byCredential.get(name) ?? { kept: new Map(), ever: 0 };
      byCredential.set(name, tokens);
      // The key includes the name, because the same token under another name is valid in other parts of requests.
      const key = `${token.name} ${token.text}`;
      const known = tokens.kept.get(key);
      if (known !== undefined) return known.phantom;
      if (tokens.ever >= mostEver) return undefined;
      secrets.remember(name, token.text);
      tokens.ever += 1;
      const role = `${token.name} ${tokens.ever}`;
      const phantom = registry.mintFor(credential, role, token.like ?? token.text);
      tokens.kept.set(key, { token, role, phantom });
      const [oldest] = tokens.kept;
      if (tokens.kept.size > mostKept && oldest !== undefined) {
        tokens.kept.delete(oldest[0]);
        const { text } = oldest[1].token;
        if (!isStillKept(name, text)) secrets.unremember(name, text);
      }
      onEvent({ kind: 'captured', credential: name });
      return phantom;
    },
    captured: (name, role) =>
      [...(byCredential.get(name)?.kept.values() ?? [])].find((captured) => captured.role === role)?.token,
    close: () => byCredential.clear(),
  };
}

type AccessTokensOptions = Required<Omit<TokenStoreOptions, 'registry'>>;

/** Milliseconds before its expiry at which a token is renewed, so that it does not expire in transit. */
const margin = 60_000;
/** Milliseconds that a token is valid if its answer does not say. */
const unsaid = 5 * 60_000;
/** Shortest lifetime in milliseconds, even if a token is valid for less. It limits how often tokens are requested. */
const shortest = 1000;
/**
 * Milliseconds between requests if a server rejects tokens or the endpoint issues none. Otherwise a box could cause
 * requests for ever.
 */
const pause = 10_000;
/** Most texts of one credential to search for in traffic. An old token may stay valid for a while, and be reflected. */
const mostTexts = 16;

interface Kept {
  readonly read: SecretRead;
  readonly fetched: number;
  readonly until: number;
}

interface Slot {
  kept?: Kept;
  /** The one request that all callers wait for. */
  pending?: Promise<SecretRead>;
  /** The refresh token with which the server has replaced that of the source. */
  rotated?: string;
  texts: readonly string[];
}

/** Fetches access tokens for secrets, keeps them in memory, and renews them before they expire. */
function createAccessTokens(options: AccessTokensOptions): Pick<TokenStore, 'access' | 'forget' | 'close'> {
  const slots = new Map<string, Slot>();
  const slotOf = (name: string): Slot => {
    const slot = slots.get(name) ?? { texts: [] };
    slots.set(name, slot);
    return slot;
  };
  return {
    async access(credential) {
      const slot = slotOf(groupOf(credential));
      if (slot.kept !== undefined && options.now() < slot.kept.until) return slot.kept.read;
      slot.pending ??= renewed(credential, slot, options).finally(() => delete slot.pending);
      return slot.pending;
    },
    forget(name) {
      const slot = slots.get(name);
      if (slot?.kept !== undefined && options.now() >= slot.kept.fetched + pause) delete slot.kept;
    },
    close: () => slots.clear(),
  };
}

async function renewed(credential: Credential, slot: Slot, options: AccessTokensOptions): Promise<SecretRead> {
  const outcome = await granted(credential, slot, options).catch(
    (): Unavailable => ({
      kind: 'unavailable',
      message: `The access token of the credential "${credential.name}" could not be fetched.`,
      remedy: 'Try again later.',
    }),
  );
  return outcome.kind === 'granted'
    ? keep(outcome, credential, { slot, options })
    : missed(outcome, credential, { slot, options });
}

interface Place {
  readonly slot: Slot;
  readonly options: AccessTokensOptions;
}

function keep(
  { accessToken, refreshToken, lifetime = unsaid }: Granted,
  credential: Credential,
  { slot, options: { now, secrets, onEvent } }: Place,
): SecretRead {
  const name = groupOf(credential);
  const fetched = now();
  const got = [accessToken, ...(refreshToken === undefined ? [] : [refreshToken])].filter(
    (text) => !slot.texts.includes(text),
  );
  for (const text of got) secrets.remember(name, text);
  const known = [...slot.texts, ...got];
  for (const text of known.slice(0, -mostTexts)) secrets.unremember(name, text);
  slot.texts = known.slice(-mostTexts);
  if (refreshToken !== undefined) slot.rotated = refreshToken;
  const read: SecretRead = { kind: 'secret', secret: { value: accessToken, fields: {}, expires: fetched + lifetime } };
  slot.kept = { read, fetched, until: fetched + Math.max(lifetime - margin, lifetime / 2, shortest) };
  onEvent({
    kind: 'refreshed',
    credential: name,
    ...(refreshToken === undefined
      ? {}
      : {
          message: `the server issued a new refresh token, and Holdfast keeps it until the session ends. The source of "${name}" still has the old token, which may now be invalid`,
        }),
  });
  return read;
}

/** An expiring token is used until its expiry while its renewal fails. */
function missed(outcome: Unavailable, credential: Credential, { slot, options: { now, onEvent } }: Place): SecretRead {
  const { read: last } = slot.kept ?? {};
  const at = now();
  const read = last?.kind === 'secret' && at < (last.secret.expires ?? 0) ? last : outcome;
  slot.kept = { read, fetched: at, until: at + pause };
  onEvent({ kind: 'unavailable', credential: groupOf(credential), message: outcome.message });
  return read;
}

async function granted(
  credential: Credential,
  slot: Slot,
  { client, secrets, now }: AccessTokensOptions,
): Promise<Granted | Unavailable> {
  const { injection } = credential;
  if (!isGrantKind(injection.kind))
    return {
      kind: 'unavailable',
      message: `The credential "${credential.name}" has no access tokens.`,
      remedy: 'Use another kind in `inject`.',
    };
  const read = await secrets.read(credential);
  if (read.kind === 'unavailable') return read;
  const outcome = await grant(injection.kind, {
    injection: injection as never,
    secret: read.secret,
    rotated: slot.rotated,
    client,
    now: now(),
  });
  if (outcome.kind === 'granted') return outcome;
  if (isUsedUp(outcome)) {
    // Someone may have logged in again in the meantime, outside the box.
    delete slot.rotated;
    secrets.forget(groupOf(credential));
  }
  return {
    kind: 'unavailable',
    message: `The credential "${credential.name}" cannot be used: ${outcome.message}.`,
    remedy: outcome.remedy,
  };
}

function isUsedUp(outcome: TokenDenied): boolean {
  return outcome.error === 'invalid_grant' || outcome.error === 'invalid_client';
}

function grant<Kind extends GrantKind>(kind: Kind, parts: GrantParts<Kind>): Promise<Granted | TokenDenied> {
  return grants[kind](parts);
}

function isGrantKind(kind: string): kind is GrantKind {
  return Object.hasOwn(grants, kind);
}
