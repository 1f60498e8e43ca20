import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DlpEvent, type ModelEvent, readEvents } from '../../src/audit/index.ts';
import { dial } from '../../src/egress/dial/dial.ts';
import { createEgress } from '../../src/egress/egress.ts';
import type { TransparentBox } from '../../src/egress/transparent/transparent.ts';
import { authorityOfPolicy } from '../../src/egress/pipeline/testing/pipeline.ts';
import { policyFrom } from '../../src/policy/testing/policies.ts';
import { type SessionGateway, sessionGateway } from '../../src/llm/session/session-gateway.ts';
import type { Place } from '../../src/place/place.ts';
import type { ServerDialect } from '../lib/model-server/index.ts';

export interface ThroughOptions {
  readonly dialect: ServerDialect;
  /** Its name in the policy. Default: the dialect. */
  readonly style?: string;
  /** Handling of answers. Default: `filter`. */
  readonly output?: 'as-is' | 'filter';
  /** TOML after `[llm]` and the server. */
  readonly policy?: string;
}

/** A gateway with only loopback around it: a box would meet it under the server's own address. */
export interface Through extends AsyncDisposable {
  readonly port: number;
  /** The journal so far. */
  calls(): readonly ModelEvent[];
  finds(): readonly DlpEvent[];
  /** Open connections to the server. */
  upstreams(): number;
}

/** Starts a session's gateway in this process, in front of a server on 127.0.0.1 at `to`. */
export async function startThrough(
  to: number,
  { dialect, style = dialect, output = 'filter', policy = '' }: ThroughOptions,
): Promise<Through> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-through-'));
  const journal = join(directory, 'journal.jsonl');
  const upstreams = new Set<Socket>();
  const clients = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true, pauseOnConnect: true }, (client) => {
    clients.add(client.once('close', () => clients.delete(client)));
    way.accept(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The policy knows the server by the port that clients use.
  const { port } = server.address() as AddressInfo;
  const way = wayOut({
    text: `[network]\nhosts = ["localhost:${port}"]\n[llm]\noutput = "${output}"\n[[llm.servers]]\nname = "own"\nhosts = ["localhost:${port}"]\nstyle = "${style}"\n${policy}`,
    to,
    directory,
    journal,
    upstreams,
  });
  const told = <Type extends 'model' | 'dlp'>(type: Type) => {
    way.flush();
    return readEvents(journal).filter((event): event is typeof event & { readonly type: Type } => event.type === type);
  };
  return {
    port,
    calls: () => told('model'),
    finds: () => told('dlp'),
    upstreams: () => upstreams.size,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      for (const client of clients) client.destroy();
      await Promise.all([closed, way.close()]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

interface WayOptions {
  /** From the policy. */
  readonly text: string;
  readonly to: number;
  readonly directory: string;
  readonly journal: string;
  readonly upstreams: Set<Socket>;
}

function wayOut({
  text,
  to,
  directory,
  journal,
  upstreams,
}: WayOptions): TransparentBox & Pick<SessionGateway, 'flush'> {
  const authority = authorityOfPolicy(text);
  const policy = policyFrom({ user: text });
  const place = { paths: { journal }, workspace: { root: directory } } as unknown as Place;
  const gateway = sessionGateway({ id: 'session', place, policy: () => policy, authority, secrets: () => [] });
  const egress = createEgress({
    authority,
    roots: () => [],
    environment: {},
    trusted: 'untrusted',
    interceptors: [gateway.interceptor],
    dial: async (vetted, options) => {
      const dialled = await dial({ ...vetted, destination: { ...vetted.destination, port: to } }, options);
      if (dialled.kind === 'dialled')
        upstreams.add(dialled.socket.once('close', () => upstreams.delete(dialled.socket)));
      return dialled;
    },
  });
  const nothing = (): void => undefined;
  const box = egress.attach({
    resolver: '198.18.0.1',
    dns: 'fake',
    record: nothing,
    recordRequest: nothing,
    recordStatement: nothing,
    recordLookup: nothing,
    refused: nothing,
  });
  return {
    ...box,
    flush: gateway.flush,
    async close() {
      egress.close();
      await box.close();
      gateway.flush();
    },
  };
}
