import { codeOf, errorFields } from '../protocol/errors.ts';
import { backend, type ServerError, type TransactionStatus } from '../protocol/types.ts';
import { type Fate, ProtocolViolation, type WalkedMessage, type Visitor } from '../protocol/walker.ts';
import type { StatementLedger } from './ledger.ts';

export interface ServerSideOptions {
  readonly ledger: StatementLedger;
  readonly caps: CapCounter;
  readonly mode: 'read-write' | 'read-only';
  /**
   * Called when a statement returns more than it may, before the row is passed. The statement is cancelled, and its
   * remaining answers are dropped.
   */
  exceeded(error: ServerError): void;
}

/** The server reports this after a function has changed the role. Read-only mode cannot restrain a superuser. */
const superuser = 'is_superuser\0on\0';
const capped = 'ERROR 54000';
const answers: ReadonlySet<number> = new Set(Object.values(backend));
const never: ReadonlySet<number> = new Set([
  backend.authentication,
  backend.backendKeyData,
  backend.negotiateVersion,
  backend.copyBoth,
]);
/** Messages that may arrive at any time, even within an answer. */
const asynchronous: ReadonlySet<number> = new Set([backend.notice, backend.notification, backend.parameterStatus]);
/**
 * Octets to read of messages that are parsed. Severity and code are the first fields of an error, and tags are short.
 */
const starts: Readonly<Record<number, number>> = {
  [backend.parameterStatus]: 5 + superuser.length,
  [backend.commandComplete]: 5 + 64,
  [backend.error]: 5 + 64,
  [backend.readyForQuery]: 6,
};

/**
 * Visits the server's messages after the login. Matches them to requests, counts rows, and hides the answers to the
 * broker's own messages.
 */
export class ServerSide implements Visitor {
  readonly #options: ServerSideOptions;
  #dropping = false;

  constructor(options: ServerSideOptions) {
    this.#options = options;
  }

  /** True while the rest of an answer that was too large is dropped, up to the next `ReadyForQuery`. */
  get isDropping(): boolean {
    return this.#dropping;
  }

  needs(type: number): number {
    return starts[type] ?? 5;
  }

  visit(seen: WalkedMessage): Fate {
    const { type } = seen;
    if (type === backend.dataRow || type === backend.copyData) return this.#row(seen.size);
    if (!answers.has(type) || never.has(type))
      throw new ProtocolViolation('it sent a message that does not belong after the login');
    if (type === backend.readyForQuery) return this.#ready(statusOf(seen));
    const isOurs = this.#options.ledger.head?.kind === 'ours';
    // The server skips the client's messages after this error too, so nothing has run.
    if (isOurs && type === backend.error) throw new ProtocolViolation('it would not make the session read-only');
    this.#follow(seen);
    if (asynchronous.has(type)) return isOurs && type === backend.notice ? 'drop' : 'pass';
    return this.#dropping || isOurs ? 'drop' : 'pass';
  }

  #row(size: number): Fate {
    if (this.#dropping) return 'drop';
    const error = this.#options.caps.row(size);
    if (error === undefined) return 'pass';
    this.#dropping = true;
    this.#options.exceeded(error);
    return 'drop';
  }

  #ready(status: TransactionStatus): Fate {
    this.#dropping = false;
    this.#options.caps.reset();
    this.#options.ledger.ready(status);
    return 'pass';
  }

  #done(outcome: string): void {
    const { ledger, caps } = this.#options;
    const told = this.#dropping ? capped : outcome;
    caps.reset();
    if (ledger.head?.kind === 'query') ledger.noted(told);
    else ledger.answered(told);
  }

  #follow(seen: WalkedMessage): void {
    const { ledger } = this.#options;
    switch (seen.type) {
      case backend.error:
        return ledger.failed(this.#dropping ? capped : `ERROR ${codeOf(errorFields(bodyOf(seen)))}`);
      case backend.commandComplete:
        return this.#done(tagOf(bodyOf(seen)));
      case backend.parameterStatus:
        if (this.#options.mode === 'read-only' && bodyOf(seen).indexOf(superuser) === 0)
          throw new ProtocolViolation('its role has become a superuser, which a read-only session may not use');
        return;
      case backend.emptyQuery:
        return this.#done('EMPTY QUERY');
      case backend.portalSuspended:
        return ledger.answered('PORTAL SUSPENDED');
      case backend.functionResult:
        return ledger.noted('FUNCTION');
      case backend.parseComplete:
      case backend.bindComplete:
      case backend.closeComplete:
        return ledger.answered();
      case backend.rowDescription:
      case backend.noData:
        return ledger.head?.kind === 'describe' ? ledger.answered() : undefined;
      case backend.copyIn:
        return ledger.copiesIn();
    }
  }
}

/** Returns the body as far as it has arrived. */
function bodyOf({ bytes, at, size }: WalkedMessage): Buffer {
  return bytes.subarray(at + 5, at + size);
}

function statusOf({ bytes, at, size }: WalkedMessage): TransactionStatus {
  const status = String.fromCharCode(bytes[at + 5] ?? 0);
  if (size !== 6 || (status !== 'I' && status !== 'T' && status !== 'E'))
    throw new ProtocolViolation('it reported an unknown transaction state');
  return status;
}

/**
 * Returns a tag such as `SELECT 3`. The server chooses the tag, so it is cut to a tag's usual length and made
 * printable.
 */
function tagOf(body: Buffer): string {
  const end = body.indexOf(0);
  return body.toString('latin1', 0, end < 0 ? undefined : end).replaceAll(/[^ -~]/gu, '?');
}

export interface AnswerCaps {
  /** Rows of an answer, or lines of a COPY. */
  readonly maxRows?: number;
  /** Octets that these rows have on the wire. */
  readonly maxBytes?: number;
}

/** Counts the output of each statement. */
interface CapCounter {
  /** Counts a row. At the first row over the limit, returns the error that ends the statement, once. */
  row(octets: number): ServerError | undefined;
  /** Called at the end of a statement. */
  reset(): void;
}

/** `credential` is the credential's name in the policy. */
export function createCapCounter(
  { maxRows = Infinity, maxBytes = Infinity }: AnswerCaps,
  credential: string,
): CapCounter {
  let rows = 0;
  let octets = 0;
  return {
    row(size) {
      rows += 1;
      octets += size;
      if (rows > maxRows) return exceeded(`${maxRows} rows`, 'max_rows', credential);
      return octets > maxBytes ? exceeded(`${maxBytes} bytes`, 'max_bytes', credential) : undefined;
    },
    reset() {
      rows = 0;
      octets = 0;
    },
  };
}

function exceeded(most: string, key: string, credential: string): ServerError {
  return {
    severity: 'ERROR',
    code: '54000',
    message: `the statement returns more than ${most}, the limit that ${key} of the credential "${credential}" sets`,
    remedy: 'request less (WHERE, LIMIT, aggregates), or raise the limit in the policy',
  };
}
