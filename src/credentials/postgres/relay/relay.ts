import type { Duplex } from 'node:stream';
import { bothClosed, farewell, writePieces } from '../../wire/serve-ends.ts';
import { errorResponse, readyForQuery, type ServerError, type TransactionStatus } from '../protocol/types.ts';
import { ProtocolViolation, Walker } from '../protocol/walker.ts';
import type { Assertion } from '../read-only/assertion.ts';
import { ClientSide } from './client-side.ts';
import { type Awaited, createTurns, StatementLedger } from './ledger.ts';
import { type AnswerCaps, createCapCounter, ServerSide } from './server-side.ts';

type Screened =
  | { readonly kind: 'passed'; readonly bytes: Buffer }
  | { readonly kind: 'refused'; readonly error: ServerError };

/** Searches one connection for phantoms and secrets, after its login. */
export interface Screen {
  /**
   * Screens bytes of the client. A possible beginning of a phantom or secret waits. Messages never end with such
   * octets, but data for COPY may.
   */
  outgoing(chunk: Buffer): Screened;
  /**
   * Masks bytes of the server, in pieces. `isBetween`: the last piece ends with a message, so no byte of it may be kept
   * back.
   */
  incoming(pieces: readonly Buffer[], isBetween: boolean): readonly Buffer[];
}

export interface PostgresRelayOptions {
  readonly client: Duplex;
  readonly server: Duplex;
  readonly caps: AnswerCaps;
  /** Name of the credential in the policy. */
  readonly credential: string;
  /** Makes transactions read-only. Absent in a read-write session. */
  readonly assertion?: Assertion;
  readonly screen: Screen;
  statement(text: string, decision: 'allow' | 'deny', outcome: string): void;
  /** Asks the server to stop its current work. Resolves when the request has arrived, or cannot arrive. */
  cancel(): Promise<void>;
}

/** Relays messages both ways, from the login to the end of the connection. */
export class PostgresRelay {
  /** Resolves when both sides are closed. */
  readonly ended: Promise<void>;
  readonly #options: PostgresRelayOptions;
  readonly #ledger: StatementLedger;
  readonly #serverSide: ServerSide;
  readonly #fromClient: Walker;
  readonly #fromServer: Walker;
  #cancelling: Promise<void> | undefined;

  constructor(options: PostgresRelayOptions) {
    const { client, server, assertion } = options;
    this.#options = options;
    this.#ledger = new StatementLedger({
      ended: (text, outcome) => options.statement(text, 'allow', outcome),
      refused: (entry, status) => this.#refuse(entry, status),
    });
    const ledger = this.#ledger;
    const mode = assertion === undefined ? 'read-write' : 'read-only';
    const turns = createTurns({ ledger, mode, isPaused: () => this.#cancelling !== undefined });
    const insert = (bytes: Buffer): void => this.#fromClient.insertBefore(bytes);
    const denied = (text: string, outcome: string): void => options.statement(text, 'deny', outcome);
    this.#serverSide = new ServerSide({
      ledger,
      mode,
      caps: createCapCounter(options.caps, options.credential),
      exceeded: (error) => this.#exceed(error),
    });
    this.#fromClient = new Walker(
      new ClientSide({ ledger, turns, insert, denied, ...(assertion !== undefined && { assertion }) }),
    );
    this.#fromServer = new Walker(this.#serverSide);
    this.ended = bothClosed(client, server).finally(() => ledger.close());
    client.on('data', (chunk: Buffer) => this.#hearClient(chunk)).once('end', () => farewell(server));
    server.on('data', (chunk: Buffer) => this.#hearServer(chunk)).once('end', () => client.end());
    client.resume();
    server.resume();
  }

  /**
   * Cancels the running statements. Messages that the client sends in the meantime start later, so that the request
   * does not hit them. Concurrent calls share one request.
   */
  cancel(): Promise<void> {
    this.#cancelling ??= this.#options.cancel().finally(() => {
      this.#cancelling = undefined;
      this.#resumeClient();
    });
    return this.#cancelling;
  }

  #hearClient(chunk: Buffer): void {
    const screened = this.#options.screen.outgoing(chunk);
    if (screened.kind === 'refused') this.#fail(screened.error);
    else this.#toServer(this.#fromClient.push(screened.bytes));
  }

  #hearServer(chunk: Buffer): void {
    const { client, server, screen } = this.#options;
    const pieces = this.#fromServer.push(chunk);
    if (!writePieces(client, screen.incoming(pieces, this.#fromServer.isBetween))) {
      server.pause();
      client.once('drain', () => server.resume());
    }
    if (this.#fromServer.failure !== undefined) return this.#break('the server', this.#fromServer.failure);
    this.#resumeClient();
  }

  #toServer(pieces: readonly Buffer[]): void {
    const { client, server } = this.#options;
    const hasRoom = writePieces(server, pieces);
    if (this.#fromClient.failure !== undefined) return this.#break('the client', this.#fromClient.failure);
    if (hasRoom && !this.#fromClient.isHolding) return;
    client.pause();
    if (!hasRoom) server.once('drain', () => this.#readClient());
  }

  #readClient(): void {
    if (!this.#fromClient.isHolding) this.#options.client.resume();
  }

  /** Resumes messages that had to wait, if they may pass now. */
  #resumeClient(): void {
    const { server } = this.#options;
    if (!this.#fromClient.isHolding || server.destroyed) return;
    this.#toServer(this.#fromClient.resume());
    if (!server.writableNeedDrain) this.#readClient();
  }

  #refuse(entry: Extract<Awaited, { kind: 'refused' }>, status: TransactionStatus): void {
    // The client has already received its error for this turn.
    if (this.#serverSide.isDropping) return;
    const answer = entry.ending === 'ready' ? Buffer.concat([entry.error, readyForQuery(status)]) : entry.error;
    if (this.#fromServer.insertAfter(answer) === 'now') writePieces(this.#options.client, [answer]);
  }

  #exceed(error: ServerError): void {
    this.#fromServer.insertBefore(errorResponse(error));
    void this.cancel();
  }

  #break(subject: string, failure: unknown): void {
    const problem =
      failure instanceof ProtocolViolation
        ? `${subject} broke the protocol: ${failure.message}`
        : `a message of ${subject} could not be relayed`;
    this.#fail({ severity: 'FATAL', code: '08P01', message: problem, remedy: 'connect again' });
  }

  /** Ends the connection. Sends the reason unless another message is incomplete. */
  #fail(error: ServerError): void {
    const { client, server } = this.#options;
    const isBetween = this.#fromServer.insertAfter(Buffer.alloc(0)) === 'now';
    server.destroy();
    if (!client.writable || !isBetween) return void client.destroy();
    client.end(errorResponse(error));
    client.resume();
  }
}
