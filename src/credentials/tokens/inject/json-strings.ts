import { bodyFrom } from '../../../egress/http/interceptor.ts';
import type { Body } from '../../../egress/http/message.ts';

/** A JSON string with its quotes. A match of a key includes the colon, and the value if it is a string or null. */
const strings = /("[^"\\]*(?:\\.[^"\\]*)*")(?:(\s*:\s*)("[^"\\]*(?:\\.[^"\\]*)*"|null)?)?/gsu;

/** Value of a key: a string, or null. Undefined for any other value. */
export type JsonValue = string | null | undefined;

/**
 * Replaces string values in a JSON document, at any depth, and for every occurrence of a repeated key. Every other byte
 * stays unchanged. Undefined if the text is not JSON. `replacement` is called for each key in order, and returns
 * undefined to leave a value unchanged.
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

/** Escapes JSON to ASCII, because the text around it has one character for each byte. */
function asciiJson(text: string): string {
  const units = JSON.stringify(text).split('');
  return units.map((unit) => (unit > '~' ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit)).join('');
}

/**
 * Replaces values in a form (`application/x-www-form-urlencoded`), for every occurrence of a repeated name. Every other
 * byte stays unchanged. `replacement` is called for each field in order, and returns undefined to leave a value
 * unchanged. Source: WHATWG URL §5.1.
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

/** Returns a body that consists of these bytes. */
export function bytesBody(bytes: Buffer): Body {
  async function* once(): AsyncGenerator<Buffer, void> {
    yield bytes;
  }
  return bodyFrom(once(), { length: bytes.length });
}

/** Reads a whole body. Rejects if it breaks off, and with a `RangeError` if it has more bytes than `limit`. */
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
