import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connectServer, type ServerConnection } from '../../src/serve/client/connect-server.ts';
import { type RunningServer, startServer } from '../../src/serve/server/start-server.ts';
import { encodeWireFrame, type Frame, WireFrameReader } from '../../src/serve/wire/frame.ts';
import { Project } from './holdfast.ts';

export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

/** A server in this process, with one session `build`. */
export class Served {
  readonly project = new Project();
  readonly runtime = join(this.project.state, 'run');
  readonly #connections: ServerConnection[] = [];
  #server: RunningServer | undefined;

  static async start(): Promise<Served> {
    const served = new Served();
    served.#server = await startServer({ runtime: served.runtime });
    const client = await served.connect();
    await client.call({ kind: 'open', name: 'build', options: served.options, environment: served.environment }).result;
    return served;
  }

  get server(): RunningServer {
    if (this.#server === undefined) throw new Error('not started');
    return this.#server;
  }

  get options() {
    return { cwd: this.project.workspace, workspace: this.project.workspace };
  }

  get environment(): Record<string, string> {
    return Object.fromEntries(
      Object.entries(this.project.libraryEnvironment).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
  }

  async connect(): Promise<ServerConnection> {
    const connection = await connectServer({ runtime: this.runtime });
    this.#connections.push(connection);
    return connection;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections) connection.close();
    await this.server.end();
    this.project[Symbol.dispose]();
  }
}

export async function printed(call: {
  output(): AsyncIterable<{ readonly stream: string; readonly data: Buffer }>;
}): Promise<Printed> {
  const streams = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  for await (const { stream, data } of call.output()) streams[stream === 'stderr' ? 'stderr' : 'stdout'].push(data);
  return { stdout: Buffer.concat(streams.stdout).toString(), stderr: Buffer.concat(streams.stderr).toString() };
}

/** A client that sends the protocol byte for byte, also wrongly. */
export class RawClient {
  readonly frames: Frame[] = [];
  readonly closed: Promise<void>;
  readonly socket: Socket;

  constructor(path: string) {
    this.socket = connect({ path });
    const reader = new WireFrameReader();
    this.socket.on('data', (bytes) => this.frames.push(...reader.push(bytes))).on('error', () => undefined);
    this.closed = new Promise((resolve) => void this.socket.once('close', () => resolve()));
  }

  hello(version = 1): this {
    return this.say(0, { kind: 'hello', version });
  }

  say(channel: number, message: object): this {
    return this.send({ type: 'message', channel, payload: Buffer.from(JSON.stringify(message)) });
  }

  send(frame: Frame): this {
    this.socket.write(encodeWireFrame(frame));
    return this;
  }

  /** The server's messages on a channel. */
  said(channel: number): readonly { readonly kind: string; readonly error?: { readonly code: string } }[] {
    return this.frames
      .filter((frame) => frame.channel === channel && frame.type === 'message')
      .map(({ payload }) => JSON.parse(payload.toString()) as never);
  }
}
