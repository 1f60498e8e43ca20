import type { Socket } from 'node:net';
import type { EgressRefusal } from '../types.ts';
import type { ClientBytes } from './client-bytes.ts';
import type { ProxyGuard } from './guard.ts';

/** A client that has not been handed on yet. */
export interface Admission {
  readonly client: Socket;
  readonly bytes: ClientBytes;
  readonly guard: ProxyGuard;
  /** Ends the admission: `answer` says why to the client, and whoever keeps the journal is told. */
  refuse(refusal: EgressRefusal, answer: () => void): undefined;
}
