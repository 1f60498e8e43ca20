import type { Duplex } from 'node:stream';
import type { ByteSource } from '../byte-source.ts';
import type { Send } from '../interceptor.ts';
import type { InterceptContext } from '../types.ts';

/** A client's connection while it is one of requests. */
export interface Client {
  readonly stream: Duplex;
  readonly source: ByteSource;
  /** Aborted when the connection is closed. */
  readonly signal: AbortSignal;
  /** Through the interceptors to the destination. */
  readonly send: Send;
  readonly context: InterceptContext;
}

/** What became of the client's connection: `taken` when it is no longer one of requests. */
export type Afterwards = 'keep' | 'close' | 'taken';
