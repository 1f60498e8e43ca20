import { createSocket } from 'node:dgram';
import { createServer, isIP } from 'node:net';
import type { Log } from './log.ts';

/**
 * The records of names: addresses, preceded by another name for an alias. With several lists, each query gets the next
 * one, which is rebinding. The last one stays.
 */
export type Zone = Readonly<Record<string, readonly string[] | readonly (readonly string[])[]>>;

export interface NameServerOptions {
  readonly port: number;
  readonly records: Zone;
  /** The text of every TXT record. */
  readonly canary: string;
  readonly log: Log;
}

/** Names that every attack may use. Everything below `evil.example` belongs to the attacker. */
const ordinary: Zone = {
  'test.example': ['93.184.216.34'],
  'other.example': ['93.184.216.34'],
  'api.example': ['93.184.216.35'],
  'evil.example': ['93.184.216.66'],
};

const types = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;

/** An authoritative server for all names, over UDP and TCP. It records every query in the log. */
export function serveNames({ port, records, canary, log }: NameServerOptions): Promise<void> {
  const lookUp = createZone({ ...ordinary, ...records });
  const reply = (query: Buffer): Buffer => {
    const question = questionOf(query);
    if (question === undefined) {
      log(`bytes ${query.toString('latin1')}`);
      return query.subarray(0, 12);
    }
    const { name, type, end } = question;
    log(`query ${name} ${type}`);
    const values = type === types.TXT ? [] : lookUp(name, type);
    const answers =
      type === types.TXT
        ? [record(types.TXT, Buffer.concat([Buffer.from([canary.length]), Buffer.from(canary)]))]
        : answersOf(values, type);
    const header = Buffer.from([
      query[0] ?? 0,
      query[1] ?? 0,
      0x84,
      values.length > 0 || type === types.TXT ? 0 : 3,
      0,
      1,
      0,
      answers.length,
      0,
      0,
      0,
      0,
    ]);
    return Buffer.concat([header, query.subarray(12, end), ...answers]);
  };
  return serve(port, reply);
}

/**
 * Stubs accept answers only from the server that they asked. So the machine's name server has its own socket beside the
 * one for all addresses.
 */
async function serve(port: number, reply: (query: Buffer) => Buffer): Promise<void> {
  const tcp = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const answer = reply(bytes.subarray(2));
      socket.write(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 255]), answer]));
    });
  });
  const sockets = [
    { type: 'udp6', address: '::' },
    { type: 'udp4', address: '93.184.217.53' },
  ] as const;
  const bound = sockets.map(({ type, address }) => {
    const udp = createSocket({ type, reuseAddr: true });
    udp.on('message', (query, from) => udp.send(reply(query), from.port, from.address));
    return new Promise<void>((resolve) => void udp.bind(port, address, resolve));
  });
  await Promise.all([...bound, new Promise<void>((resolve) => void tcp.listen(port, '::', resolve))]);
}

interface Question {
  readonly name: string;
  readonly type: number;
  /** The end of the question in the message. */
  readonly end: number;
}

/** Undefined for a message that is not a query. */
function questionOf(query: Buffer): Question | undefined {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at + 5 > query.length) return undefined;
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function createZone(zone: Zone): (name: string, type: number) => readonly string[] {
  const turns = new Map<string, number>();
  return (name, type) => {
    const found = zone[name] ?? (name.endsWith('.evil.example') ? ['93.184.216.66'] : []);
    if (!isTurns(found)) return found;
    const turn = turns.get(name) ?? 0;
    if (type === types.A) turns.set(name, turn + 1);
    return found[Math.min(turn, found.length - 1)] ?? [];
  };
}

function isTurns(values: Zone[string]): values is readonly (readonly string[])[] {
  return Array.isArray(values[0]);
}

/** Aliases come first and lead from one to the next. An address counts if it has the type. */
function answersOf(values: readonly string[], type: number): readonly Buffer[] {
  let owner: Buffer = Buffer.from([0xc0, 12]);
  return values.flatMap((value): readonly Buffer[] => {
    if (isIP(value) === 0) {
      const answer = record(types.CNAME, wireName(value), owner);
      owner = wireName(value);
      return [answer];
    }
    return isIP(value) === (type === types.A ? 4 : 6) ? [record(type, addressBytes(value), owner)] : [];
  });
}

function record(type: number, data: Buffer, owner: Buffer = Buffer.from([0xc0, 12])): Buffer {
  return Buffer.concat([
    owner,
    Buffer.from([type >> 8, type & 255, 0, 1, 0, 0, 0, 0, data.length >> 8, data.length & 255]),
    data,
  ]);
}

function wireName(name: string): Buffer {
  return Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label, 'latin1')])),
    Buffer.from([0]),
  ]);
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number));
  const [front = '', back = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const before = front.split(':').filter(Boolean);
  const after = back.split(':').filter(Boolean);
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
  return Buffer.from(groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]));
}
