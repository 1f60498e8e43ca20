import type { HostCall, LogLevel } from '../../protocol/messages.ts';
import type { Bridge } from '../engine.ts';

/** One call of the prelude, as JSON, answered as JSON. Throws `TypeError` for what the prelude would not have sent. */
export function guestCall(bridge: Bridge, what: string, json: string): string {
  const answer = bridge.call(callOf(what, JSON.parse(json) as GuestFields));
  if (answer.kind === 'refused') return JSON.stringify({ refused: answer.message } satisfies AnswerText);
  const { bytes, ...others } = answer.value;
  return JSON.stringify({ ...others, text: Buffer.from(bytes, 'base64').toString() } satisfies AnswerText);
}

export function levelOf(text: string): LogLevel {
  return logLevels.find((level) => level === text) ?? 'info';
}

/** Field by field: a guest may have put anything into the JSON, `__proto__` included. */
function callOf(what: string, fields: GuestFields): HostCall {
  switch (what) {
    case 'http':
      return {
        kind: 'call',
        what,
        url: textOf(fields.url),
        method: textOf(fields.method),
        headers: pairsOf(fields.headers),
        ...(fields.body === undefined ? {} : { body: base64(fields.body) }),
      };
    case 'readFile':
      return { kind: 'call', what, path: textOf(fields.path) };
    case 'writeFile':
      return { kind: 'call', what, path: textOf(fields.path), data: base64(fields.data) };
    default:
      throw new TypeError('there is no such call');
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string' || value.length > 65_536)
    throw new TypeError('a text of at most 65536 characters was due');
  return value;
}

function base64(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('a text was due');
  return Buffer.from(value).toString('base64');
}

function pairsOf(value: unknown): [string, string][] {
  if (!Array.isArray(value) || value.length > 64) throw new TypeError('at most 64 headers were due');
  return value.map((pair: unknown) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw new TypeError('a header is a name and a value');
    return [textOf(pair[0]), textOf(pair[1])];
  });
}

/** What the prelude sends, as far as anything that comes from a guest can be said to have a shape. */
interface GuestFields {
  readonly url?: unknown;
  readonly method?: unknown;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly path?: unknown;
  readonly data?: unknown;
}

/** What it gets. */
interface AnswerText {
  readonly refused?: string;
  readonly text?: string;
  readonly status?: number;
  readonly contentType?: string;
  readonly finalUrl?: string;
}

/** As in `protocol/messages.ts`, which this program does not load: it would bring the schema library into the box. */
const logLevels = ['trace', 'debug', 'info', 'warn', 'error'] as const;
