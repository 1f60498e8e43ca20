/**
 * The credentials room has the secrets that never enter a box, their phantoms, and the code that replaces one with the
 * other.
 *
 * A secret lives in the supervisor's memory from its first use to the end of the session. It is in no file, event,
 * argument, environment or error text. The policy has decided about a destination before this room is asked. It knows
 * no boxes, plans or backends.
 */
import type { ConnectionApproval, Destination } from '../egress/types.ts';
import type { Credential } from '../policy/credentials/types.ts';
import type { ConnectRequest, HttpRequest } from '../policy/request.ts';

/** A real secret. It exists only in the supervisor's memory. */
export interface Secret {
  /** Without CR, LF and NUL, except in PEM keys and JSON keys, which are never sent. */
  readonly value: string;
  /** Values that the source returned with it: `accessKeyId`, `sessionToken`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. Absent: no known expiry. */
  readonly expires?: number;
}

export type SecretRead = { readonly kind: 'secret'; readonly secret: Secret } | Unavailable;

/** One line each, without any part of the secret. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly message: string;
  readonly remedy: string;
}

/** Reads a secret when it is first needed, keeps valid ones in memory, and reads expired ones again. */
export interface SecretStore {
  /** Reads a secret. Concurrent readers share one reading. Never rejects. */
  read(credential: Credential): Promise<SecretRead>;
  /** Forces the next reading to ask the source again. */
  forget(name: string): void;
  /**
   * Reports that a server rejected the secret. The next reading asks the source again, unless the source was just
   * asked.
   */
  doubt(name: string): void;
  /** Returns the secrets read so far. Includes expired ones, because a server may still reflect them. */
  known(): readonly KnownSecret[];
  /** Adds another text that the box must not see, such as a token that was fetched with a secret. */
  remember(credential: string, text: string): void;
  /** Removes such a text, once no box can have sent it any more. */
  unremember(credential: string, text: string): void;
  /** Forgets everything. */
  close(): void;
}

export interface KnownSecret {
  readonly credential: string;
  readonly text: string;
}

/**
 * Tokens of one session, in memory only: those that the supervisor fetches, and those that a server issued to a box.
 */
export interface TokenStore {
  /**
   * Returns the access token of the credential, and fetches one if none is valid. Concurrent callers share one request.
   * Never rejects.
   */
  access(credential: Credential): Promise<SecretRead>;
  /**
   * Reports that a server rejected the access token. The next reading fetches another one, unless the rejected one is
   * brand-new.
   */
  forget(credential: string): void;
  /**
   * Keeps a token from an answer outside the box, and returns the token's phantom. The same token gives the same
   * phantom. Undefined if the session may keep no more tokens of this credential.
   */
  capture(credential: Credential, token: CapturedToken): string | undefined;
  /** Returns the token behind the phantom of a role. Undefined once the token has been forgotten. */
  captured(credential: string, role: string): CapturedToken | undefined;
  /** Forgets everything. */
  close(): void;
}

/**
 * The names of tokens in RFC 6749 §5.1 and OpenID Connect Core §3.1.3.3. `token` comes from the Docker registry's
 * specification.
 */
export type TokenName = 'access_token' | 'refresh_token' | 'id_token' | 'token';

export interface CapturedToken {
  readonly name: TokenName;
  readonly text: string;
  /** Example for the token's phantom. Default: the token itself. */
  readonly like?: string;
}

/** The phantoms of one session, found by a keyed hash. */
export interface PhantomRegistry {
  /** Returns a phantom that looks like `like`, or like the credential's shape. Returns the same one each time. */
  mint(credential: Credential, like: string | undefined): string;
  /** Returns another phantom of the same credential, for a fetched or captured token. The `role` distinguishes them. */
  mintFor(credential: Credential, role: string, like: string): string;
  /** Returns the owner of a text that is a phantom and nothing else. */
  lookUp(text: string): PhantomOwner | undefined;
  /** Returns every phantom in `bytes`, plain or encoded, with its beginning and end. Includes revoked ones. */
  findIn(bytes: Uint8Array): readonly Sighting[];
  /**
   * Returns how many bytes at the end of `bytes` may begin a phantom in any encoding. Callers that read chunks keep
   * these bytes until the next chunk. 0: none of them can begin a phantom.
   */
  undecidedIn(bytes: Uint8Array): number;
  /** Most bytes of a phantom in any encoding. */
  readonly longest: number;
  /**
   * Returns the verifier with which Holdfast's own server checks the phantom of a `postgres` credential by SCRAM.
   * Undefined if no phantom was minted, or if it was revoked.
   */
  scram(credential: Credential): ScramVerifier | undefined;
  /**
   * Revokes a group by its name. Without a name, revokes all groups. Revoked phantoms are still recognised, but valid
   * nowhere. A phantom that is minted later for the group is revoked too.
   */
  revoke(credential?: string): void;
  /** Returns whether the credential was revoked. This matters for credentials that are used without a phantom. */
  stateOf(credential: Credential): PhantomOwner['state'];
}

/** Source: RFC 5802 §3, with SHA-256 (RFC 7677). */
export interface ScramVerifier {
  readonly salt: Buffer;
  readonly iterations: number;
  readonly storedKey: Buffer;
  readonly serverKey: Buffer;
}

export interface PhantomOwner {
  /** Name of the credential's group: `groupOf`. */
  readonly credential: string;
  /** `secret`, or the role passed to `mintFor`. */
  readonly role: string;
  readonly state: 'good' | 'revoked';
}

export interface Sighting extends PhantomOwner {
  /** Offsets in the searched bytes. */
  readonly start: number;
  readonly end: number;
  readonly encoding: 'plain' | 'base64' | 'hex';
}

export type AlarmKind =
  /** A phantom in a request to a host, method or path that it is not bound to. */
  | 'phantom-unbound'
  /** A phantom for the right host, but in the wrong part: the query, the body, a WebSocket frame. */
  | 'phantom-misplaced'
  /** A revoked phantom. */
  | 'phantom-revoked'
  /** A real secret in data that a box sends. */
  | 'secret-outbound'
  /** A real secret in a server's answer, which was masked. */
  | 'secret-reflected'
  /** A key from elsewhere, for a host with a credential of the session. */
  | 'foreign-credential';

/** An event for the journal, which is written at once. */
export interface Alarm {
  readonly kind: AlarmKind;
  /** Empty for a key from elsewhere. */
  readonly credential: string;
  readonly destination: Destination;
  /** `the header authorization`, `the query`, `the body`, `a WebSocket message`, `the connection`. Never a value. */
  readonly place: string;
}

/** The parts that everything which searches traffic shares. Each session has one set. */
export interface CredentialContext {
  readonly credentials: readonly Credential[];
  readonly registry: PhantomRegistry;
  readonly secrets: SecretStore;
  readonly tokens: TokenStore;
  alarm(alarm: Alarm): void;
  /**
   * Asks for an approval of one use of a credential whose policy requires it. Never rejects. Absent: nobody can be
   * asked.
   */
  approve?(
    credential: Credential,
    use: ConnectRequest | HttpRequest,
    signal?: AbortSignal,
  ): Promise<ConnectionApproval>;
  /**
   * Returns true if the destination serves models. Agents send the output of commands to a model, and such output may
   * contain their own environment.
   */
  isModelServer(destination: Destination): boolean;
  /**
   * Records that a secret goes to a destination that it is bound to. Called each time, but the journal records only the
   * first.
   */
  used(credential: string, destination: Destination): void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
