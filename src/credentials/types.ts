/**
 * The credentials room: secrets that never enter a box, phantoms that stand for them, and the places where one is put
 * in for the other.
 *
 * A secret lives in the supervisor's memory from its first use to the end of the session, and in no file, event,
 * argument, environment or error text. What may be reached is decided before anything here is asked. Boxes, plans and
 * backends may not enter.
 */
import type { ConnectionApproval, Destination } from '../egress/types.ts';
import type { Credential } from '../policy/credentials/types.ts';
import type { ConnectRequest, HttpRequest } from '../policy/request.ts';

/** A real secret, in the supervisor's memory and nowhere else. */
export interface Secret {
  /** Without CR, LF and NUL, except in the PEM and JSON keys that are never sent. */
  readonly value: string;
  /** What came with it: `accessKeyId`, `sessionToken`. */
  readonly fields: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch; absent: it does not expire as far as is known. */
  readonly expires?: number;
}

export type SecretRead = { readonly kind: 'secret'; readonly secret: Secret } | Unavailable;

/** One line each, without anything of the secret. */
export interface Unavailable {
  readonly kind: 'unavailable';
  readonly message: string;
  readonly remedy: string;
}

/**
 * Reads secrets when they are first needed, keeps them in memory while they are good, and reads those again that have
 * expired.
 */
export interface SecretStore {
  /** Two that wait for the same secret wait for one reading. Never rejects. */
  read(credential: Credential): Promise<SecretRead>;
  /** The next reading asks the source again. */
  forget(name: string): void;
  /** A server did not take it: the next reading asks the source again, unless that was just done. */
  doubt(name: string): void;
  /** Those that were read, expired ones too: they may still be reflected. */
  known(): readonly KnownSecret[];
  /** Every text that must not be shown to the box besides: tokens that were fetched with a secret. */
  remember(credential: string, text: string): void;
  /** One of those again, that no box can have sent any more. */
  unremember(credential: string, text: string): void;
  /** Forgets everything. */
  close(): void;
}

export interface KnownSecret {
  readonly credential: string;
  readonly text: string;
}

/** Tokens of one session, in memory only: those that the supervisor fetches, and those that a box was given. */
export interface TokenStore {
  /**
   * The access token that the credential stands for, fetched when there is none that is good. Two that wait for the
   * same token wait for one request. Never rejects.
   */
  access(credential: Credential): Promise<SecretRead>;
  /** A server did not take the access token: the next reading fetches another, unless this one is brand-new. */
  forget(credential: string): void;
  /**
   * Keeps a token outside that an answer held, and gives what stands for it in the box. The same for the same token.
   * Undefined: this credential has had as many as one session may keep.
   */
  capture(credential: Credential, token: CapturedToken): string | undefined;
  /** The token behind a phantom of that role; undefined once it has been forgotten. */
  captured(credential: string, role: string): CapturedToken | undefined;
  /** Forgets everything. */
  close(): void;
}

/**
 * The words of RFC 6749 §5.1 and OpenID Connect Core §3.1.3.3; `token` is that of the Docker registry's specification.
 */
export type TokenName = 'access_token' | 'refresh_token' | 'id_token' | 'token';

export interface CapturedToken {
  readonly name: TokenName;
  readonly text: string;
  /** What its phantom has to look like. Default: the token. */
  readonly like?: string;
}

/** The phantoms of one session. They are looked up by a keyed hash. */
export interface PhantomRegistry {
  /** A phantom that looks like `like`, or like the credential's shape. The same one whenever it is asked for. */
  mint(credential: Credential, like: string | undefined): string;
  /** Another phantom of the same credential, for a token that was fetched or captured: `role` tells them apart. */
  mintFor(credential: Credential, role: string, like: string): string;
  /** What a text is the phantom of, the text being nothing but it. */
  lookUp(text: string): PhantomOwner | undefined;
  /** Every phantom in `bytes`, in the clear or in an encoding, where one begins and ends. Also revoked ones. */
  findIn(bytes: Uint8Array): readonly Sighting[];
  /**
   * How many bytes at the end of `bytes` may be the beginning of a phantom in any encoding: who looks at chunks keeps
   * those until the next one. 0: nothing there can become one.
   */
  undecidedIn(bytes: Uint8Array): number;
  /** How many bytes a phantom takes at most in any encoding. */
  readonly longest: number;
  /**
   * What lets a server of ours verify the phantom of a `postgres` credential by SCRAM; undefined where none was minted,
   * or it was revoked.
   */
  scram(credential: Credential): ScramVerifier | undefined;
  /**
   * By the name of the group; all of them where none is given. What was revoked is still recognised, and good nowhere;
   * what is minted afterwards for the same neither.
   */
  revoke(credential?: string): void;
  /** Whether what stands for a credential was revoked: those that are used without a phantom are not used then. */
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
  /** `secret`, or the role given to `mintFor`. */
  readonly role: string;
  readonly state: 'good' | 'revoked';
}

export interface Sighting extends PhantomOwner {
  /** Offsets in the bytes that were looked at. */
  readonly start: number;
  readonly end: number;
  readonly encoding: 'plain' | 'base64' | 'hex';
}

export type AlarmKind =
  /** A phantom on its way to a host, method or path that it is not bound to. */
  | 'phantom-unbound'
  /** At the right host, in a place where it does not belong: the query, the body, a WebSocket frame. */
  | 'phantom-misplaced'
  /** One that was revoked. */
  | 'phantom-revoked'
  /** A real secret in what a box sends. */
  | 'secret-outbound'
  /** A real secret in what a server answers; it was masked. */
  | 'secret-reflected'
  /** A key that is not ours, for a host that has one of ours. */
  | 'foreign-credential';

/** What goes to the journal at once. */
export interface Alarm {
  readonly kind: AlarmKind;
  /** Empty for a foreign key. */
  readonly credential: string;
  readonly destination: Destination;
  /** `the header authorization`, `the query`, `the body`, `a WebSocket message`, `the connection`. Never a value. */
  readonly place: string;
}

/** What every part that looks at traffic shares: one for each session. */
export interface CredentialContext {
  readonly credentials: readonly Credential[];
  readonly registry: PhantomRegistry;
  readonly secrets: SecretStore;
  readonly tokens: TokenStore;
  alarm(alarm: Alarm): void;
  /**
   * Asks a person about one use of a credential whose policy says so; never rejects. Absent: nobody is there to ask.
   */
  approve?(
    credential: Credential,
    use: ConnectRequest | HttpRequest,
    signal?: AbortSignal,
  ): Promise<ConnectionApproval>;
  /** Whether models are served there. Agents tell a model what commands print, and their own environment with it. */
  isModelServer(destination: Destination): boolean;
  /** A secret goes out to where it is bound. Told each time: who keeps the journal writes the first. */
  used(credential: string, destination: Destination): void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
