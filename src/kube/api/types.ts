import type { Prover } from '../config/credential-headers.ts';
import type { ClusterAccess } from '../config/types.ts';
import type { OfferedVersions } from './resources.ts';
import type { ServerClock } from './server-clock.ts';

export type KubeMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One request to the API server. */
export interface KubeCall {
  readonly method: KubeMethod;
  /** Absolute path below the server's own. */
  readonly path: string;
  readonly query?: readonly (readonly [string, string])[];
  readonly body?: unknown;
  /** Of the body. Default: `application/json`. */
  readonly contentType?: string;
  /** The request in the user's words: `create the pod "agent"`. */
  readonly doing: string;
}

/** A description without an open connection: every request opens its own. */
export interface KubeTarget extends OfferedVersions {
  readonly access: ClusterAccess;
  readonly prover: Prover;
  readonly patience: Patience;
  /** Ends every request. */
  readonly signal: AbortSignal;
  readonly clock: ServerClock;
}

/** Milliseconds. */
export interface Patience {
  /** Until an answer begins, and between its parts. */
  readonly answer: number;
  /** Of all tries of one request together. */
  readonly tries: number;
}

export const usualPatience: Patience = { answer: 30_000, tries: 60_000 };

/** An object of the API, as this client reads it: no field is assumed to exist. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: KubeMetadata;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
}

export interface KubeMetadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly { readonly uid?: string }[];
}

export interface KubeList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly KubeObject[];
}
