import type { ReceivedRequest } from '../lib/model-server/index.ts';
import type { Ask, Exchange, ExchangeRequest } from './ask.ts';
import { type ClientProgram, type ClientRun, runClient, type Seen } from './run-client.ts';

/** Fields of one hop, which every forwarder writes again. Sources: RFC 9110 §7.6.1 and §7.6.3; RFC 9112 §6. */
export const ofOneHop = [
  'connection',
  'keep-alive',
  'transfer-encoding',
  'via',
  'te',
  'trailer',
  'upgrade',
  'proxy-connection',
] as const;

/** Fields that differ between any two requests: names of the server, times, and random or signed values. */
const ofOneRequest = [
  'host',
  ':authority',
  ':scheme',
  ':method',
  ':path',
  'x-amz-date',
  'amz-sdk-invocation-id',
  'sec-websocket-key',
  'http2-settings',
] as const;

export interface Ways {
  readonly direct: Ask;
  readonly through: Ask;
}

/**
 * Sends a request twice, and describes the differences between the two answers: status, fields except `mayChange`,
 * bytes of the body, and the end. Returns nothing for equal answers. The server's script holds the answer twice.
 */
export async function compareExchange(
  { direct, through }: Ways,
  request: ExchangeRequest,
  mayChange: readonly string[] = ofOneHop,
): Promise<readonly string[]> {
  return differences(await direct(request), await through(request), mayChange);
}

function differences(direct: Exchange, through: Exchange, mayChange: readonly string[] = ofOneHop): readonly string[] {
  return [
    ...differ('status', direct.status, through.status),
    ...differ('end', direct.end, through.end),
    ...fieldDifferences(fieldsOf(direct.rawHeaders, mayChange), fieldsOf(through.rawHeaders, mayChange)),
    ...bodyDifferences(direct.body, through.body),
  ];
}

/**
 * Runs a client's modes twice, and describes the differences between its lines. The script of each server holds the
 * answers once.
 */
export async function compareClients(
  client: ClientProgram,
  direct: ClientRun,
  through: Omit<ClientRun, 'modes'>,
): Promise<readonly string[]> {
  const [expected, got] = await Promise.all([
    runClient(client, direct),
    runClient(client, { ...through, modes: direct.modes }),
  ]);
  return expected.flatMap((line, index) =>
    differ(`line of ${line.mode}`, withoutPorts(line), got[index] === undefined ? undefined : withoutPorts(got[index])),
  );
}

/**
 * Describes the differences between the requests at two servers: paths, fields except those of one hop or one request,
 * and bytes.
 */
export function compareRequests(
  direct: readonly ReceivedRequest[],
  through: readonly ReceivedRequest[],
  mayChange: readonly string[] = ofOneHop,
): readonly string[] {
  const skipped = [...mayChange, ...ofOneRequest];
  const counted = differ('number of requests', direct.length, through.length);
  return [
    ...counted,
    ...direct.flatMap((one, index) => {
      const other = through[index];
      if (other === undefined) return [];
      const fields = fieldDifferences(fieldsOf(one.rawHeaders, skipped), fieldsOf(other.rawHeaders, skipped));
      return [
        ...differ(
          'path',
          `${one.transport} ${one.method} ${one.path}`,
          `${other.transport} ${other.method} ${other.path}`,
        ),
        ...fields,
        ...bodyDifferences(one.body, other.body),
      ].map((what) => `request ${index}: ${what}`);
    }),
  ];
}

function differ(what: string, direct: unknown, through: unknown): readonly string[] {
  const [one, other] = [JSON.stringify(direct), JSON.stringify(through)];
  return one === other ? [] : [`${what}: ${one} direct, ${String(other)} through`];
}

/** Error messages contain the ports of the two servers. */
function withoutPorts(line: Seen): unknown {
  return line.error === undefined
    ? line
    : { ...line, error: { ...line.error, message: line.error.message.replace(/127\.0\.0\.1:\d+/gu, 'server') } };
}

/** Values by lower-case name, each in its order. */
function fieldsOf(raw: readonly string[], skipped: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const fields = new Map<string, string[]>();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name, value] = [(raw[at] ?? '').toLowerCase(), raw[at + 1] ?? ''];
    // Signatures contain the time and the server's name.
    if (!skipped.includes(name))
      fields.set(name, [...(fields.get(name) ?? []), value.replace(/^AWS4-HMAC-SHA256 .*/u, 'signed')]);
  }
  return fields;
}

function fieldDifferences(
  direct: ReadonlyMap<string, readonly string[]>,
  through: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  return [...new Set([...direct.keys(), ...through.keys()])].flatMap((name) =>
    differ(`field ${name}`, direct.get(name) ?? null, through.get(name) ?? null),
  );
}

function bodyDifferences(direct: Buffer, through: Buffer): readonly string[] {
  if (direct.equals(through)) return [];
  const at = firstDifference(direct, through);
  const around = (body: Buffer): string =>
    JSON.stringify(body.subarray(Math.max(0, at - 20), at + 20).toString('latin1'));
  return [
    `body: ${direct.length} bytes direct, ${through.length} through; they differ at ${at}: ${around(direct)} direct, ${around(through)} through`,
  ];
}

function firstDifference(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at += 1) if (one[at] !== other[at]) return at;
  return length;
}
