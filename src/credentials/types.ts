/**
 * The credentials room: secrets that never enter a box, their phantoms, and the places where one replaces the other.
 *
 * A secret lives in the supervisor's memory from its first use to the end of the session. It is in no file, event,
 * argument, environment or error text. The policy has decided on a destination before this room is asked. Boxes, plans
 * and backends may not enter.
 */
import type { ConnectionApproval, Destination } from '../egress/types.ts';
import type { Credential } from '../policy/credentials/types.ts';
import type { ConnectRequest, HttpRequest } from '../policy/request.ts';

/** A real secret, which only the supervisor's memory holds. */
export interface Secret {
  /** Without CR, LF and NUL, except in PEM and JSON keys that are never sent. */
  readonly value: string;
  /** Values that came with it: `accessKeyId`, `sessionToken`. */
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

/** Reads secrets on first need, keeps valid ones in memory, and reads expired ones again. */
export interface SecretStore {
  /** Reads a secret. Concurrent readers share one reading. Never rejects. */
  read(credential: Credential): Promise<SecretRead>;
  /** Makes the next reading ask the source again. */
  forget(name: string): void;
  /** A server rejected the secret. The next reading asks the source again, unless it was just asked. */
  doubt(name: string): void;
  /** Returns secrets read so far. Expired ones count, because a server may still reflect them. */
  known(): readonly KnownSecret[];
  /** Adds a text that the box must not see either, such as a token fetched with a secret. */
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
   * Returns the access token behind the credential, and fetches one if none is valid. Concurrent callers share one
   * request. Never rejects.
   */
  access(credential: Credential): Promise<SecretRead>;
  /** A server rejected the access token. The next reading fetches another, unless this one is brand-new. */
  forget(credential: string): void;
  /**
   * Keeps a token of an answer outside the box, and returns its phantom. The same token gives the same phantom.
   * Undefined if the session may keep no more tokens of this credential.
   */
  capture(credential: Credential, token: CapturedToken): string | undefined;
  /** Returns the token behind a phantom of that role. Undefined once it has been forgotten. */
  captured(credential: string, role: string): CapturedToken | undefined;
  /** Forgets everything. */
  close(): void;
}

/**
 * The words of RFC 6749 §5.1 and OpenID Connect Core §3.1.3.3. `token` comes from the Docker registry's specification.
 */
export type TokenName = 'access_token' | 'refresh_token' | 'id_token' | 'token';

export interface CapturedToken {
  readonly name: TokenName;
  readonly text: string;
  /** Example for its phantom. Default: the token. */
  readonly like?: string;
}

/** The phantoms of one session, found by a keyed hash. */
export interface PhantomRegistry {
  /** Returns a phantom that looks like `like`, or like the credential's shape. Always the same one. */
  mint(credential: Credential, like: string | undefined): string;
  /** Returns another phantom of the same credential, for a fetched or captured token. `role` tells them apart. */
  mintFor(credential: Credential, role: string, like: string): string;
  /** Returns the owner of a text that is a phantom and nothing else. */
  lookUp(text: string): PhantomOwner | undefined;
  /** Returns every phantom in `bytes`, plain or encoded, with its beginning and end. Includes revoked ones. */
  findIn(bytes: Uint8Array): readonly Sighting[];
  /**
   * Returns the bytes at the end of `bytes` that may begin a phantom in any encoding. Readers of chunks keep them until
   * the next chunk. 0: none can become one.
   */
  undecidedIn(bytes: Uint8Array): number;
  /** Most bytes of a phantom in any encoding. */
  readonly longest: number;
  /**
   * Returns the verifier with which our server checks the phantom of a `postgres` credential by SCRAM. Undefined if
   * none was minted, or it was revoked.
   */
  scram(credential: Credential): ScramVerifier | undefined;
  /**
   * Revokes a group by its name, or all groups without one. Revoked phantoms are still recognised, but valid nowhere.
   * Phantoms minted later for the group are revoked too.
   */
  revoke(credential?: string): void;
  /** Returns whether the credential was revoked. Credentials that are used without a phantom need this. */
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
  /** The name of the credential's group: `groupOf`. */
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
  /** A phantom on its way to a host, method or path that it is not bound to. */
  | 'phantom-unbound'
  /** A phantom at the right host, in a wrong place: the query, the body, a WebSocket frame. */
  | 'phantom-misplaced'
  /** A revoked phantom. */
  | 'phantom-revoked'
  /** A real secret in outgoing data of a box. */
  | 'secret-outbound'
  /** A real secret in a server's answer, which was masked. */
  | 'secret-reflected'
  /** A foreign key, for a host with a credential of ours. */
  | 'foreign-credential';

/** An event for the journal, written at once. */
export interface Alarm {
  readonly kind: AlarmKind;
  /** Empty for a foreign key. */
  readonly credential: string;
  readonly destination: Destination;
  /** `the header authorization`, `the query`, `the body`, `a WebSocket message`, `the connection`. Never a value. */
  readonly place: string;
}

/** The shared parts of everything that searches traffic, one for each session. */
export interface CredentialContext {
  readonly credentials: readonly Credential[];
  readonly registry: PhantomRegistry;
  readonly secrets: SecretStore;
  readonly tokens: TokenStore;
  alarm(alarm: Alarm): void;
  /**
   * Asks for an approval of one use of a credential whose policy requires it. Never rejects. Absent: nobody is there to
   * ask.
   */
  approve?(
    credential: Credential,
    use: ConnectRequest | HttpRequest,
    signal?: AbortSignal,
  ): Promise<ConnectionApproval>;
  /**
   * Returns true if the destination serves models. Agents tell a model the output of commands, and with it their own
   * environment.
   */
  isModelServer(destination: Destination): boolean;
  /** Records that a secret goes to its bound destination. Called each time; the journal keeps the first. */
  used(credential: string, destination: Destination): void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
