import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Sandbox } from '../../sandbox/index.ts';
import { CodeContexts } from './code-contexts.ts';
import { LatelyRefused } from './lately-refused.ts';
import { makeServer } from './server.ts';
import type { ToolContext } from './tool.ts';
import { toolsFor } from './tools/index.ts';
import { LineTransport, type LineStreams } from './transport/line-transport.ts';

export interface McpOptions extends LineStreams {
  /** What the tools work in. */
  readonly sandbox: ToolContext['options'];
  /** Ends the session when aborted. */
  readonly signal?: AbortSignal;
}

/** What a session that has ended leaves to tell. */
export interface McpSession {
  /** The staged layer that its writes are in. */
  readonly layer: string | undefined;
}

/**
 * Serves the tools of one sandbox over the Model Context Protocol, until the client closes its end. Then every box has ended. Throws
 * what `Sandbox.create` throws, before a byte is read.
 */
export async function serveMcp({ sandbox: options, signal, ...streams }: McpOptions): Promise<McpSession> {
  await using sandbox = await Sandbox.create(options);
  const transport = new LineTransport(streams);
  const parts = { sandbox, options, inTurn: queue(), refused: new LatelyRefused(), contexts: new CodeContexts(sandbox), tools: toolsFor(options), isBehind: () => transport.isBehind };
  const server = serveStdio(() => makeServer(parts), { transport });
  signal?.addEventListener('abort', () => void server.close(), { once: true });
  if (signal?.aborted === true) await server.close();
  await transport.closed;
  return { layer: sandbox.layer };
}

/** One after the other; what failed holds up nobody. */
function queue(): ToolContext['inTurn'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
