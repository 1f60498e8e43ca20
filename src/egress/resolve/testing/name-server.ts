import { type Query, decodeQuery } from '../../dns/decode-query.ts';
import { createDnsReader, frame } from '../../dns/frames.ts';
import { bindBoth } from '../../testing/bind-both.ts';
import { ipv4, recordBytes, responsePacket, wireName, words } from '../../dns/testing/packets.ts';
import type { NameServer } from '../ask-udp.ts';

/** One question as the server received it. */
export interface Asked {
  readonly query: Query;
  readonly packet: Buffer;
  readonly transport: 'udp' | 'tcp';
  /** Lower case. */
  readonly name: string;
  /** `A` or `AAAA`. */
  readonly type: string;
  /** Port that it came from. */
  readonly from: number;
}

export interface RunningNameServer extends AsyncDisposable {
  readonly server: NameServer;
  /** Every question so far. */
  readonly asked: readonly Asked[];
}

/** The answers, in order. An empty list is silence. */
export type Behaviour = (asked: Asked) => readonly Buffer[] | Promise<readonly Buffer[]>;

/** A name server on the loopback, UDP and TCP, with a test's behaviour, however bad. Port 0 is any free port. */
export async function startNameServer(behave: Behaviour, host = '127.0.0.1', wanted = 0): Promise<RunningNameServer> {
  const asked: Asked[] = [];
  const receive = async (packet: Buffer, transport: 'udp' | 'tcp', from: number): Promise<readonly Buffer[]> => {
    const decoded = decodeQuery(packet);
    if (decoded.kind !== 'query') throw new Error(`the resolver sent ${decoded.kind}`);
    const { query } = decoded;
    const question = {
      query,
      packet,
      transport,
      name: query.question.name,
      type: query.question.type === 28 ? 'AAAA' : 'A',
      from,
    };
    asked.push(question);
    return await behave(question);
  };

  const { tcp, udp, port } = await bindBoth({ host, port: wanted });
  tcp.on('connection', (socket) => {
    const frames = createDnsReader(0xffff);
    socket.on('error', () => {});
    socket.on('data', async (chunk) => {
      const messages = frames.push(chunk);
      if (messages === 'oversize') return;
      for (const message of messages) {
        const replies = await receive(message, 'tcp', socket.remotePort ?? 0);
        if (replies.length === 0) continue;
        socket.write(Buffer.concat(replies.map(frame)));
      }
    });
  });
  udp.on('error', () => {});
  udp.on('message', async (packet, from) => {
    for (const reply of await receive(packet, 'udp', from.port)) udp.send(reply, from.port, from.address, () => {});
  });
  const dispose = async (): Promise<void> => {
    udp.close();
    tcp.close();
  };
  return { server: { address: host, port }, asked, [Symbol.asyncDispose]: dispose };
}

export interface Answer {
  readonly rcode?: number;
  readonly flags?: number;
  readonly records?: readonly Buffer[];
}

/** An honest answer, which repeats id and question. */
export function replyTo({ query, packet }: Pick<Asked, 'query' | 'packet'>, answer: Answer = {}): Buffer {
  const { question } = query;
  const name = packet.subarray(12, 12 + question.wire.length - 4);
  return responsePacket({ id: query.header.id, name, type: question.type, ...answer });
}

export function a(
  address: string,
  { ttl = 60, owner }: { readonly ttl?: number; readonly owner?: string } = {},
): Buffer {
  return recordBytes({ type: 1, ttl, data: ipv4(address), ...(owner === undefined ? {} : { owner: wireName(owner) }) });
}

export function aaaa(
  groups: readonly number[],
  { ttl = 60, owner }: { readonly ttl?: number; readonly owner?: string } = {},
): Buffer {
  return recordBytes({
    type: 28,
    ttl,
    data: words(...groups),
    ...(owner === undefined ? {} : { owner: wireName(owner) }),
  });
}

export function cname(
  target: string,
  { ttl = 60, owner }: { readonly ttl?: number; readonly owner?: string } = {},
): Buffer {
  return recordBytes({
    type: 5,
    ttl,
    data: wireName(target),
    ...(owner === undefined ? {} : { owner: wireName(owner) }),
  });
}

/** Answers A questions with these records and AAAA questions with nothing. */
export function onlyV4(...records: readonly Buffer[]): Behaviour {
  return (asked) => [replyTo(asked, asked.type === 'A' ? { records } : {})];
}
