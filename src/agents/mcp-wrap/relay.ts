import { pathToFileURL } from 'node:url';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import type { CallJudge } from '../../mcp/call-judge.ts';
import { Pinning } from '../../mcp/pinning.ts';
import type { ListedKind } from '../../mcp/said.ts';
import type { ServerBox } from '../../mcp/server-box.ts';
import type { LineTransport } from '../mcp/transport/line-transport.ts';
import { passCall, progressToken } from './calls.ts';
import { Catalogue } from './catalogue.ts';
import { shownAnswer } from './filter-result.ts';
import { defused, type GreetingParts, initialised, offeredTo } from './initialise.ts';
import { listings } from './listings.ts';
import { passRequest } from './requests.ts';
import {
  type RpcOutcome,
  answerTo,
  codes,
  rpcError,
  type Id,
  rpcMessage,
  type RpcNotification,
  notificationOf,
  Outgoing,
  type Params,
  type RpcRequest,
} from './rpc.ts';
import { Withholding } from './withholding.ts';

export interface RelayParts {
  readonly box: ServerBox;
  readonly judge: CallJudge;
  readonly client: LineTransport;
  readonly server: LineTransport;
  /** Receives one line for a person. */
  readonly tell: (line: string) => void;
}

/** Notifications of a server that an agent gets, filtered. They are dropped while the agent does not read. */
const told: ReadonlySet<string> = new Set([
  'notifications/message',
  'notifications/resources/updated',
  'notifications/resources/list_changed',
]);

/** Stands between an agent and a server. Every message is read, judged and written again. */
export class McpRelay {
  readonly #parts: RelayParts;
  readonly #toServer: Outgoing;
  readonly #toClient: Outgoing;
  readonly #greeting: GreetingParts;
  readonly #catalogues: Readonly<Record<ListedKind, Catalogue>>;
  /** Requests that each side waits for. */
  readonly #running = new Map<Id, AbortController>();
  readonly #asked = new Map<Id, AbortController>();
  readonly #tokens = new Set<string | number>();

  constructor(parts: RelayParts) {
    this.#parts = parts;
    const { box, client, server, tell } = parts;
    this.#toServer = new Outgoing((message) => server.send(message));
    this.#toClient = new Outgoing((message) => client.send(message));
    const pinning = new Pinning(box, tell);
    this.#greeting = { box, pinning, withholding: new Withholding({ box, pinning, tell }) };
    const catalogue = (kind: ListedKind): Catalogue =>
      new Catalogue({ ...this.#greeting, kind, server: this.#toServer, notify: (method) => this.#tell(method, {}) });
    this.#catalogues = { tool: catalogue('tool'), prompt: catalogue('prompt'), template: catalogue('template') };
    client.listen((message) => this.#fromClient(message));
    server.listen((message) => this.#orDropped(() => this.#fromServer(message)));
  }

  /**
   * Ends all requests, because an answer was longer than a message may be and its request is unknown. The session goes
   * on.
   */
  answerTooLong(): void {
    this.#toServer.failAll(
      rpcError(codes.tooLong, 'the answer of the server exceeds the limit of a message, and was dropped'),
    );
  }

  /** The server is gone: all waiting and later requests get this answer. */
  serverEnded(why: string): void {
    this.#toServer.end(rpcError(codes.serverEnded, why));
  }

  /** The agent is gone: nobody waits for running requests. */
  clientEnded(): void {
    for (const controller of this.#running.values()) controller.abort();
    this.#toClient.end(rpcError(codes.refused, 'the client is gone'));
  }

  #fromClient(message: JSONRPCMessage): void {
    const read = rpcMessage(message);
    switch (read.kind) {
      case 'request':
        void this.#serve(read);
        return;
      case 'notification':
        return this.#clientTells(read);
      case 'answer':
        return this.#toClient.answered(read.id, read.answer);
    }
  }

  async #serve(request: RpcRequest): Promise<void> {
    const token = progressToken(request.params['_meta']);
    if (token !== undefined) this.#tokens.add(token);
    const answered = (): void => void (token === undefined || this.#tokens.delete(token));
    await answering({ running: this.#running, transport: this.#parts.client }, request, (signal) =>
      this.#answer(request, signal).finally(answered),
    );
  }

  async #answer({ method, params }: RpcRequest, signal: AbortSignal): Promise<RpcOutcome> {
    const { box } = this.#parts;
    switch (method) {
      case 'initialize':
        return initialised(
          await this.#toServer.ask(method, offeredTo(params, box.capabilities), { signal }),
          this.#greeting,
        );
      case listings.tool.method:
        return this.#list('tool', params);
      case listings.prompt.method:
        return this.#list('prompt', params);
      case listings.template.method:
        return this.#list('template', params);
      case 'tools/call':
        return passCall(
          { catalogue: this.#catalogues.tool, judge: this.#parts.judge, server: this.#toServer },
          params,
          signal,
        );
      default:
        return this.#shown(
          method,
          await passRequest(
            { catalogues: this.#catalogues, judge: this.#parts.judge, server: this.#toServer },
            { method, params },
            signal,
          ),
        );
    }
  }

  #list(kind: ListedKind, { cursor }: Params): Promise<RpcOutcome> | RpcOutcome {
    return cursor === undefined
      ? this.#catalogues[kind].list()
      : rpcError(codes.invalidParams, 'the list has one page');
  }

  /** Showing a list must reach nothing. The agent has to handle answers to its own requests. */
  #shown(method: string, answer: RpcOutcome): RpcOutcome {
    return shownAnswer(
      'result' in answer && method.endsWith('/list')
        ? { result: defused(this.#parts.box.policy, answer.result) }
        : answer,
    );
  }

  #clientTells({ method, params }: RpcNotification): void {
    if (method === 'notifications/cancelled') return this.#running.get(params['requestId'] as Id)?.abort();
    if (method === 'notifications/initialized') void this.#parts.server.send(notificationOf({ method, params: {} }));
  }

  /** Attack: a text nested so deep that walking it would end the process. */
  #orDropped(take: () => void): void {
    try {
      take();
    } catch (error) {
      this.#parts.tell(
        `a message of ${this.#parts.box.name} was dropped: ${error instanceof Error ? error.message : 'it cannot be read'}`,
      );
    }
  }

  #fromServer(message: JSONRPCMessage): void {
    const read = rpcMessage(message);
    switch (read.kind) {
      case 'request':
        void answering({ running: this.#asked, transport: this.#parts.server }, read, (signal) =>
          this.#serverAsks(read, signal),
        );
        return;
      case 'notification':
        return this.#serverTells(read);
      case 'answer':
        return this.#toServer.answered(read.id, read.answer);
    }
  }

  async #serverAsks({ method, params }: RpcRequest, signal: AbortSignal): Promise<RpcOutcome> {
    const { capabilities, session, workspace, name } = this.#parts.box;
    switch (method) {
      case 'ping':
        return { result: {} };
      case 'roots/list':
        return {
          result: {
            roots:
              workspace === 'readable'
                ? [{ uri: pathToFileURL(session.place.workspace.root).href, name: 'workspace' }]
                : [],
          },
        };
      case 'sampling/createMessage':
        return capabilities.sampling === 'allow'
          ? this.#askClient(method, samplingParams(params), signal)
          : rpcError(
              codes.methodNotFound,
              `Holdfast refuses sampling: no entry of [[mcp.servers]] allows it for ${name}`,
            );
      case 'elicitation/create':
        return capabilities.elicitation === 'allow'
          ? this.#askClient(method, elicitationParams(params), signal)
          : rpcError(
              codes.methodNotFound,
              `Holdfast refuses elicitation: no entry of [[mcp.servers]] allows it for ${name}`,
            );
      default:
        return rpcError(codes.methodNotFound, 'Holdfast does not pass on this request');
    }
  }

  async #askClient(method: string, params: RpcOutcome, signal: AbortSignal): Promise<RpcOutcome> {
    const shownParams = shownAnswer(params);
    return 'result' in shownParams ? this.#toClient.ask(method, shownParams.result, { signal }) : shownParams;
  }

  #serverTells({ method, params }: RpcNotification): void {
    if (method === 'notifications/cancelled') return this.#asked.get(params['requestId'] as Id)?.abort();
    if (method === listings.tool.changed) return this.#catalogues.tool.serverChanged();
    if (method === listings.prompt.changed) return this.#catalogues.prompt.serverChanged();
    // The agent gets this notification itself, because it concerns resources too.
    if (method === listings.template.changed) this.#catalogues.template.forget();
    if (this.#parts.client.isBehind) return;
    if (method === 'notifications/progress' ? this.#tokens.has(params['progressToken'] as string) : told.has(method))
      this.#tell(method, params);
  }

  #tell(method: string, params: Params): void {
    const shownParams = shownAnswer({ result: params });
    if ('result' in shownParams) void this.#parts.client.send(notificationOf({ method, params: shownParams.result }));
  }
}

/** An asking side, and its open requests. */
interface Asker {
  readonly transport: LineTransport;
  readonly running: Map<Id, AbortController>;
}

/** Answers one request, which its sender may cancel: the protocol has no answer to a cancelled one. */
async function answering(
  { transport, running }: Asker,
  { id }: RpcRequest,
  work: (signal: AbortSignal) => Promise<RpcOutcome>,
): Promise<void> {
  const controller = new AbortController();
  running.set(id, controller);
  const answer = await work(controller.signal).catch((error: unknown) =>
    rpcError(codes.internal, error instanceof Error ? error.message : 'the request failed'),
  );
  // After a cancel, another request may have the same id.
  if (running.get(id) === controller) running.delete(id);
  if (!controller.signal.aborted) await transport.send(answerTo(id, answer));
}

/**
 * Members of a question to the agent's model. Attack: `includeContext` would add the agent's data of other servers, and
 * `tools` unapproved tools.
 */
const sampled = [
  'messages',
  'modelPreferences',
  'systemPrompt',
  'maxTokens',
  'temperature',
  'stopSequences',
  'metadata',
] as const;
const elicited = ['message', 'requestedSchema'] as const;

/** Returns the agent's form of a question to its model. */
function samplingParams(params: Params): RpcOutcome {
  return { result: pick(params, sampled) };
}

/** Returns the agent's form of a question to its user: a form, and no address to open. */
function elicitationParams(params: Params): RpcOutcome {
  const { mode = 'form' } = params;
  return mode === 'form'
    ? { result: pick(params, elicited) }
    : rpcError(codes.invalidParams, 'Holdfast passes on no elicitation except forms');
}

function pick(params: Params, keys: readonly string[]): Params {
  return Object.fromEntries(keys.flatMap((key) => (params[key] === undefined ? [] : [[key, params[key]]])));
}
