/**
 * The serve room: one server for each user. It holds named sandboxes, and runs commands in them for editors, agents and
 * terminals that connect and disconnect, through a Unix socket.
 *
 * The room makes no decisions and builds no boxes: a request becomes a call of a `Sandbox`, or of the hooks of
 * `src/agents`. A request is a file of `requests/`. A client that sends invalid messages, or does not read, harms only
 * itself.
 */
import type { Socket } from 'node:net';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { isOwnPeer } from '../../approvals/socket/socket-place.ts';
import { HoldfastError } from '../../errors/index.ts';
import { serveLimits } from '../limits.ts';
import { requestKinds, type RequestName } from '../requests/index.ts';
import { type RequestHandler, type ServerFacts, type ServerState, RequestTally } from '../requests/request-kind.ts';
import { WireChannel } from '../wire/channel.ts';
import { FrameSocket } from '../wire/frame-socket.ts';
import { type Frame, malformedFrame } from '../wire/frame.ts';
import {
  clientHello,
  clientWord,
  encodeJson,
  errorMessage,
  parseMessage,
  serveVersion,
  readMessage,
  type ServerWord,
} from '../wire/messages.ts';
import { OpenCall } from './open-call.ts';
import { ServedCommands } from './served-command.ts';
import { HookAnswers, type ListedRun, ServedSessions } from './served-sessions.ts';

/** Serves clients, however they connect. */
export interface OpenServer {
  /** Serves a connection, or closes it if the peer may not use the server. */
  accept(socket: Socket): void;
  /** Returns whether a client is connected, or has a session. */
  isBusy(): boolean;
  facts(): ServerFacts;
  /** Ends all commands, all sessions and all connections, in this order. */
  close(): Promise<void>;
}

/** `end`: called if a client asks to end the server. `runs`: the runs of a resident supervisor. */
export function openServer(end: () => void, runs: () => readonly ListedRun[] = () => []): OpenServer {
  const [sessions, commands, clients] = [new ServedSessions(), new ServedCommands(), new Set<ServedClient>()];
  const state = {
    sessions,
    commands,
    hooks: new HookAnswers(),
    tally: new RequestTally(),
    runs,
    startedAt: Date.now(),
    end: () => void setImmediate().then(end),
  };
  let ending = 'no';
  return {
    accept(socket) {
      socket.on('error', () => socket.destroy());
      if (ending === 'yes' || clients.size >= serveLimits.clients || !isOwnPeer(socket)) return void socket.destroy();
      const client = serveClient(socket, state, () => clients.delete(client));
      clients.add(client);
    },
    isBusy: () => clients.size > 0 || sessions.size > 0,
    facts: () => ({ ...state, clients: clients.size }),
    async close() {
      ending = 'yes';
      await sessions.closeAll();
      // The ends of the commands are sent in this turn of the event loop.
      await setImmediate();
      for (const client of clients) client.end();
    },
  };
}

interface ServedClient {
  /** Sends and reads nothing more. */
  end(): void;
}

/**
 * Serves one connection. Invalid, oversized or excessive input ends this connection and its foreground commands, and
 * nothing else.
 */
function serveClient(socket: Socket, server: ServerState, closed: () => void): ServedClient {
  const client = new Client(socket, server, closed);
  return { end: () => client.end() };
}

class Client {
  readonly #frames: FrameSocket;
  readonly #server: ServerState;
  readonly #calls = new Map<number, OpenCall>();
  readonly #lost = new AbortController();
  readonly #hello: NodeJS.Timeout;
  #state: 'new' | 'known' = 'new';
  /** Number of the last request. Each number is used once. */
  #last = 0;

  constructor(socket: Socket, server: ServerState, closed: () => void) {
    this.#server = server;
    this.#hello = setTimeout(() => this.end(), serveLimits.hello).unref();
    this.#frames = new FrameSocket(socket, {
      hear: (frame) => this.#hear(frame),
      failed: (error) => this.#fail(error),
      closed: () => {
        this.#lose();
        closed();
      },
    });
    this.#say(0, { kind: 'hello', version: serveVersion, process: process.pid });
  }

  end(): void {
    this.#lose();
    this.#frames.end();
  }

  #hear(frame: Frame): void {
    if (this.#state === 'new') return this.#greet(frame);
    const call = this.#calls.get(frame.channel);
    if (call !== undefined) return call.hear(frame);
    // A message that the client sent before it read the answer.
    if (frame.channel <= this.#last && frame.channel > 0) return;
    if (frame.type !== 'message' || frame.channel === 0) throw malformedFrame(`a ${frame.type} of no request`);
    this.#last = frame.channel;
    void this.#answer(frame);
  }

  #greet({ type, channel, payload }: Frame): void {
    if (type !== 'message' || channel !== 0) throw malformedFrame('a message before hello');
    readMessage(clientHello, payload);
    clearTimeout(this.#hello);
    this.#state = 'known';
  }

  async #answer({ channel: number, payload }: Frame): Promise<void> {
    const call = new OpenCall(new WireChannel(this.#frames, number), this.#lost.signal, (payloadOfWord) =>
      readMessage(clientWord, payloadOfWord),
    );
    const word = await this.#perform(call, { number, payload });
    this.#calls.delete(number);
    call.close();
    this.#say(number, word);
  }

  async #perform(
    call: OpenCall,
    { number, payload }: { readonly number: number; readonly payload: Buffer },
  ): Promise<ServerWord> {
    try {
      if (this.#calls.size >= serveLimits.calls)
        throw new HoldfastError('HF_SERVE_LIMIT', `${serveLimits.calls} requests of this client are still unanswered`, {
          remedy: 'wait until some of them have ended',
        });
      this.#calls.set(number, call);
      const { name, kind, request } = understood(parseMessage(payload));
      this.#server.tally.request(name);
      return { kind: 'result', result: await kind.answer(request, call, this.#server) };
    } catch (error) {
      return errorMessage(error);
    }
  }

  #say(channel: number, word: ServerWord): void {
    if (word.kind === 'error') this.#server.tally.error(word.error.code);
    this.#frames.send({ type: 'message', channel, payload: fitting(word) });
  }

  #fail(error: unknown): void {
    this.#say(0, errorMessage(error));
    this.end();
  }

  #lose(): void {
    clearTimeout(this.#hello);
    if (this.#lost.signal.aborted) return;
    this.#lost.abort();
    for (const call of this.#calls.values()) call.close();
  }
}

/**
 * Attack: a request whose answer is longer than a message would end the server, and with it the boxes of all other
 * clients.
 */
function fitting(word: ServerWord): Buffer {
  const payload = encodeJson(word);
  if (payload.length <= serveLimits.message) return payload;
  return encodeJson(
    errorMessage(
      new HoldfastError('HF_SERVE_LIMIT', `the answer has ${payload.length} bytes, more than one message can hold`, {
        remedy: 'request less at once',
      }),
    ),
  );
}

/** Throws `HF_USAGE`. The connection stays open. */
function understood(message: unknown): {
  readonly name: RequestName;
  readonly kind: RequestHandler<v.GenericSchema, unknown>;
  readonly request: unknown;
} {
  const name = typeof message === 'object' && message !== null && 'kind' in message ? message.kind : undefined;
  if (!isRequestName(name))
    throw unusable(`expected a request with kind ${Object.keys(requestKinds).join(', ')}, got ${shortened(name)}`);
  const kind = requestKinds[name] as unknown as RequestHandler<v.GenericSchema, unknown>;
  const parsed = v.safeParse(kind.schema, message);
  if (parsed.success) return { name, kind, request: parsed.output };
  const [issue] = parsed.issues;
  throw unusable(`${name}: ${v.getDotPath(issue) ?? 'request'}: ${issue.message}`);
}

function isRequestName(name: unknown): name is RequestName {
  return typeof name === 'string' && Object.hasOwn(requestKinds, name);
}

function unusable(message: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy: 'see docs/serve.md for the requests that a server takes' });
}

/** Shortens the input in an error, which would otherwise be as long. */
function shortened(name: unknown): string {
  const text = JSON.stringify(name) ?? 'none';
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
