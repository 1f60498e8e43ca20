import { bodyFrom } from '../../../egress/http/interceptor.ts';
import type { Body } from '../../../egress/http/message.ts';

/** A string of JSON with its quotes; where it is a key, the colon; and what follows, where it is a string or null. */
const strings = /("[^"\\]*(?:\\.[^"\\]*)*")(?:(\s*:\s*)("[^"\\]*(?:\\.[^"\\]*)*"|null)?)?/gsu;

/** The value of a key: a text, or null; undefined where it is anything else. */
export type JsonValue = string | null | undefined;

/**
 * Replaces strings of a JSON document, at whatever depth and however often a key is there, and leaves every other byte
 * as it is. Undefined where the text is no JSON. `replacement` is asked for each key in order and gives undefined for
 * what stays.
 */
export function replaceStrings(
  text: string,
  replacement: (key: string, value: JsonValue) => string | undefined,
): string | undefined {
  if (!isJson(text)) return undefined;
  return text.replaceAll(strings, (whole: string, ...groups: readonly string[]) => {
    const [key = '', colon, value] = groups;
    if (colon === undefined) return whole;
    const replaced = replacement(
      JSON.parse(key) as string,
      value === undefined ? undefined : (JSON.parse(value) as string | null),
    );
    return replaced === undefined || value === undefined ? whole : key + colon + asciiJson(replaced);
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The texts around it have one character for each byte. */
function asciiJson(text: string): string {
  const units = JSON.stringify(text).split('');
  return units.map((unit) => (unit > '~' ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit)).join('');
}

/**
 * Replaces values of a form (`application/x-www-form-urlencoded`), however often a name is there, and leaves every
 * other byte as it is. `replacement` is asked for each field in order and gives undefined for what stays.
 * Source: WHATWG URL §5.1.
 */
export function replaceFields(text: string, replacement: (name: string, value: string) => string | undefined): string {
  return text
    .split('&')
    .map((field) => {
      const [[name, value] = ['', '']] = new URLSearchParams(field);
      const replaced = replacement(name, value);
      return replaced === undefined ? field : new URLSearchParams([[name, replaced]]).toString();
    })
    .join('&');
}

/** A body that is there already. */
export function bytesBody(bytes: Buffer): Body {
  async function* once(): AsyncGenerator<Buffer, void> {
    yield bytes;
  }
  return bodyFrom(once(), { length: bytes.length });
}

/** A body as a whole. Rejects when it breaks off, and with a `RangeError` when it has more bytes than `limit`. */
export async function readBytes(body: Body | undefined, limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > limit) throw new RangeError('The content is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
