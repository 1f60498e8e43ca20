import type { ChildProcess } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Place } from './request-place.ts';
import type { FakeNode } from './fake-node.ts';
import type { ObjectStore } from './object-store.ts';

export interface StreamRequest {
  readonly head: Buffer;
  readonly url: URL;
  readonly place: Place;
}

/** `exec` and `attach` over `v5.channel.k8s.io`: a byte for the channel, 3 for the status, 4 for sizes, 255 to close. */
export class FakeStreams {
  /** Sizes that clients have sent. */
  readonly sizes: unknown[] = [];
  /** Each stream in order, and whether it belongs to a terminal. */
  readonly terminals: string[] = [];
  /** Each `exec`, its words joined by spaces. */
  readonly commands: string[] = [];
  protocol = 'v5.channel.k8s.io';
  /** Cuts the next streams after this many bytes of output. */
  readonly cutAfter: number[] = [];
  readonly open_ = new Set<WebSocket>();
  /** Streams that carry a supervisor's questions. */
  readonly relays = new Set<WebSocket>();
  readonly #node: FakeNode;
  readonly #store: ObjectStore;
  readonly #server = new WebSocketServer({
    noServer: true,
    handleProtocols: (asked) => (asked.has(this.protocol) ? this.protocol : false),
  });

  constructor(node: FakeNode, store: ObjectStore) {
    this.#node = node;
    this.#store = store;
  }

  open(request: IncomingMessage, socket: Duplex, { head, url, place }: StreamRequest): void {
    this.#server.handleUpgrade(request, socket, head, (client) => {
      this.open_.add(client);
      client.once('close', () => this.open_.delete(client));
      const object = this.#store.get('pods', place.namespace, place.name ?? '');
      const pod = this.#node.pods.get(object?.metadata.uid ?? '');
      if (pod === undefined) return void client.close();
      const words = url.searchParams.getAll('command');
      const terminal = url.searchParams.get('tty') === 'true' ? ' of a terminal' : '';
      this.terminals.push(`${place.subresource}${terminal}`);
      if (place.subresource === 'exec') this.commands.push(words.join(' '));
      if (words.at(-1) === 'relay') this.relays.add(client);
      const container = url.searchParams.get('container') ?? undefined;
      const child = place.subresource === 'attach' ? pod.command : this.#node.exec(pod, words, container);
      this.#connect(client, child, place.subresource === 'attach' ? 'attach' : 'exec');
    });
  }

  #connect(client: WebSocket, child: ChildProcess, kind: 'exec' | 'attach'): void {
    let left = this.cutAfter.shift() ?? Infinity;
    const send = (channel: number, bytes: Buffer): void => {
      if (left <= 0) return;
      client.send(Buffer.concat([Buffer.of(channel), bytes.subarray(0, left)]));
      left -= bytes.length;
      if (left <= 0) setTimeout(() => client.terminate(), 20);
    };
    const onOut = (bytes: Buffer): void => send(1, bytes);
    const onErr = (bytes: Buffer): void => send(2, bytes);
    child.stdout?.on('data', onOut);
    child.stderr?.on('data', onErr);
    child.stdin?.on('error', () => undefined);
    client.on('message', (data: Buffer) => this.#take(data, child));
    // As in a node, a command continues without its streams.
    client.once('close', () => {
      child.stdout?.off('data', onOut);
      child.stderr?.off('data', onErr);
    });
    const finish = (code: number | null): void => {
      if (left <= 0) return;
      client.send(Buffer.concat([Buffer.of(3), Buffer.from(JSON.stringify(statusOf(kind, code ?? 137)))]));
      client.close(1000);
    };
    child.once('error', ({ message }) => {
      client.send(
        Buffer.concat([
          Buffer.of(3),
          Buffer.from(JSON.stringify({ status: 'Failure', reason: 'InternalError', message })),
        ]),
      );
      client.close(1000);
    });
    if (child.exitCode !== null) finish(child.exitCode);
    else child.once('close', finish);
  }

  #take(data: Buffer, child: ChildProcess): void {
    if (data[0] === 0) child.stdin?.write(data.subarray(1));
    if (data[0] === 4) this.sizes.push(JSON.parse(data.subarray(1).toString()));
    if (data[0] === 255 && data[1] === 0) child.stdin?.end();
  }
}

/** The status of `attach` is about its streams, that of `exec` about its command. */
function statusOf(kind: 'exec' | 'attach', code: number): object {
  if (kind === 'attach' || code === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}
