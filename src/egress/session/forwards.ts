import { createServer, type Server, Socket } from 'node:net';
import type { LaunchedBox } from '../../backends/backend.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { OpenNetwork } from '../../plan/types.ts';
import { splice } from '../splice/splice.ts';

/** Ports of a box that are opened on the host's loopback. */
export interface Forwards {
  /** Takes a connection into the box. `handle` is undefined if nothing listens at that port of the box. */
  forwarded(id: number, handle: object | undefined): void;
  close(): void;
  /** Set if a port could not be opened. The box was ended because of it. */
  readonly failure: HoldfastError | undefined;
}

/**
 * Listens on the host's loopback only. If a port is taken, the box is ended. Otherwise a user would mistake the other
 * program on that port for the box's server.
 */
export function openForwards(ports: OpenNetwork['forward'], box: Pick<LaunchedBox, 'forward' | 'end'>): Forwards {
  const waiting = new Map<number, Socket>();
  let failure: HoldfastError | undefined;
  let last = 0;
  const servers = ports.map(({ host, box: port }): Server => {
    const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
      client.on('error', () => client.destroy());
      last += 1;
      waiting.set(last, client);
      box.forward(port, last);
    });
    server.on('error', (cause: NodeJS.ErrnoException) => {
      failure ??= new HoldfastError(
        'HF_CHANNEL_FAILED',
        `port ${host} of this machine cannot be used for port ${port} of the box: ${cause.code === 'EADDRINUSE' ? 'another program uses it' : (cause.code ?? cause.message)}`,
        {
          remedy: `use another port, as in --forward ${host + 1}:${port}`,
          cause,
        },
      );
      box.end();
    });
    return server.listen(host, '127.0.0.1').unref();
  });
  return {
    forwarded(id, handle) {
      const client = waiting.get(id);
      waiting.delete(id);
      if (handle === undefined) return void client?.resetAndDestroy();
      // Either a descriptor of this process, or a handle from another process. The type has no option for a handle, but
      // the constructor does.
      const inner = new Socket({
        ...(Object.hasOwn(handle, 'fd') ? handle : { handle }),
        allowHalfOpen: true,
      } as ConstructorParameters<typeof Socket>[0]);
      if (client === undefined) return void inner.destroy();
      inner.setNoDelay(true).on('error', () => inner.destroy());
      void splice(client, inner);
    },
    close() {
      for (const server of servers) server.close();
      for (const client of waiting.values()) client.destroy();
    },
    get failure() {
      return failure;
    },
  };
}
