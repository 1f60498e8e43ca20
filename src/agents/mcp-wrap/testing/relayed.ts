import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { onTestFinished } from 'vitest';
import { CallJudge } from '../../../mcp/call-judge.ts';
import type { ServerBox } from '../../../mcp/server-box.ts';
import { mcpOf } from '../../../policy/mcp/mcp-of.ts';
import { policyFrom } from '../../../policy/testing/policies.ts';
import type { Approve } from '../../../sandbox/index.ts';
import { LineTransport } from '../../mcp/transport/line-transport.ts';
import { McpRelay } from '../relay.ts';

/** A JSON-RPC message in its line. */
export interface Heard {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface RelayedOptions {
  /** The user's policy. */
  readonly policy: string;
  readonly name?: string;
  /** Directory of pins, calls and the journal. Default: a new one. */
  readonly state?: string;
  readonly capabilities?: Partial<ServerBox['capabilities']>;
  readonly approve?: Approve;
  /** The server's answer; an `Error` becomes an error answer. Undefined for a request without an answer. */
  readonly serve?: (request: Heard) => object | undefined;
}

/** A policy that lets every call through. */
export const allowed = '[tools]\nallow = ["*"]\n';
/** Tag characters, which are invisible. */
export const hidden = '\u{e0061}\u{e0062}';
export const listing = (name: string, more: object = {}): object => ({
  name,
  description: `does ${name}`,
  inputSchema: { type: 'object' },
  ...more,
});
/** Names in an answer to `tools/list`. */
export const listed = ({ result }: Heard): readonly string[] =>
  (result?.['tools'] as readonly { readonly name: string }[] | undefined)?.map(({ name }) => name) ?? [];
/** A server with these tools, which answers any other request. */
export const offering =
  (tools: () => readonly object[]) =>
  ({ method }: Heard): object =>
    method === 'tools/list' ? { tools: tools() } : { content: [] };

export function scratchState(): string {
  const state = mkdtempSync(join(tmpdir(), 'holdfast-relay-'));
  onTestFinished(() => rmSync(state, { recursive: true, force: true }));
  return state;
}

/** An agent and a server, both as lines in memory, with a relay between them. No box. */
export class Relayed {
  /** The received lines of each side. */
  readonly agentHeard: Heard[] = [];
  readonly serverHeard: Heard[] = [];
  readonly said: string[] = [];
  readonly relay: McpRelay;
  readonly #toAgent = new PassThrough();
  readonly #fromAgent = new PassThrough();
  readonly #toServer = new PassThrough();
  readonly #fromServer = new PassThrough();
  readonly #waiting = new Map<unknown, (message: Heard) => void>();
  #last = 0;

  constructor({
    policy,
    name = 'files',
    state = scratchState(),
    capabilities = {},
    approve = () => Promise.resolve('deny'),
    serve = () => ({}),
  }: RelayedOptions) {
    const box = boxOf({ policy, name, state, capabilities, approve });
    const judge = new CallJudge(box);
    onTestFinished(() => judge.close());
    const client = new LineTransport({ input: this.#fromAgent, output: this.#toAgent });
    const server = new LineTransport({ input: this.#fromServer, output: this.#toServer }, { onWrong: () => undefined });
    this.relay = new McpRelay({ box, judge, client, server, tell: (line) => this.said.push(line) });
    each(this.#toAgent, (message) => {
      this.agentHeard.push(message);
      if (message.method === undefined) this.#waiting.get(message.id)?.(message);
    });
    each(this.#toServer, (message) => {
      this.serverHeard.push(message);
      const result = message.method === undefined || message.id === undefined ? undefined : serve(message);
      if (result !== undefined)
        this.server({
          id: message.id ?? 0,
          ...(result instanceof Error ? { error: { code: 1, message: result.message } } : { result: { ...result } }),
        });
    });
    void client.start();
    void server.start();
  }

  /** Writes lines as the server. */
  server(message: Heard): void {
    this.serverLine(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  serverLine(line: string): void {
    this.#fromServer.write(`${line}\n`);
  }

  /** The agent stops reading until it resumes. */
  agentReads(how: 'not' | 'again'): void {
    if (how === 'not') this.#toAgent.pause();
    else this.#toAgent.resume();
  }

  agent(message: Heard): void {
    this.#fromAgent.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  ask(method: string, params: Heard['params'] = {}, id: number = (this.#last += 1)): Promise<Heard> {
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.agent({ id, method, params });
    });
  }

  /** Waits until the relay has passed on all earlier lines: both sides get their lines in order. */
  async settled(): Promise<void> {
    await this.ask('ping');
    await this.ask('ping');
  }

  /** Requested methods at the server, without pings. */
  get served(): readonly string[] {
    return this.serverHeard.flatMap(({ method }) => (method === undefined || method === 'ping' ? [] : [method]));
  }
}

function boxOf({
  policy: text,
  name,
  state,
  capabilities,
  approve,
}: Required<Omit<RelayedOptions, 'serve'>>): ServerBox {
  const policy = policyFrom({ user: text });
  return {
    name,
    policy,
    settings: mcpOf(policy),
    capabilities: {
      layers: [],
      credentials: [],
      tools: [],
      sampling: 'refuse',
      elicitation: 'refuse',
      ...capabilities,
    },
    workspace: 'hidden',
    session: {
      id: 's1',
      approvals: {
        ask: async (subject: Parameters<Approve>[0]) =>
          (await approve(subject)) === 'allow'
            ? { kind: 'allowed', decision: 'once', channel: 'library' }
            : { kind: 'denied', because: 'answer', message: 'it was denied when asked' },
      },
      place: {
        paths: { journal: join(state, 'journal.jsonl'), mcp: join(state, 'mcp'), runtime: join(state, 'run') },
        workspace: { root: '/srv/ws' },
      },
    },
  } as unknown as ServerBox;
}

function each(stream: PassThrough, take: (message: Heard) => void): void {
  let rest = '';
  stream.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(JSON.parse(line) as Heard);
  });
}
