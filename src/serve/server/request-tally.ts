import type { RequestName } from '../requests/index.ts';

/** What a server holds and has answered, for its metrics. */
export interface ServerFacts {
  readonly clients: number;
  readonly sessions: number;
  readonly queued: number;
  readonly running: number;
  /** Requests that it understood. */
  readonly requests: ReadonlyMap<string, number>;
  /** Answers that are errors, by code. */
  readonly errors: ReadonlyMap<string, number>;
}

/** Counts requests and errors of a server. */
export class RequestTally {
  readonly requests = new Map<string, number>();
  readonly errors = new Map<string, number>();

  request(name: RequestName): void {
    this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
  }

  error(code: string): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }
}
