import type { Send } from './interceptor.ts';

/** The way from one client connection to its destination. */
export interface UpstreamLeg {
  readonly send: Send;
  /** The client is gone: what is under way ends, what is idle may be kept for others. */
  close(): void;
}
