/** Counts requests and errors of a server. */
export class RequestTally {
  /** Requests that were understood, by kind. */
  readonly requests = new Map<string, number>();
  /** Answers that are errors, by code. */
  readonly errors = new Map<string, number>();

  request(name: string): void {
    this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
  }

  error(code: string): void {
    this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
  }
}
