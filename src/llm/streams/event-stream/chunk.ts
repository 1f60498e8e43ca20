import { utf8Text } from '../utf8.ts';

/**
 * Returns the event in a `chunk` of Bedrock's InvokeModelWithResponseStream, whose payload is
 * `{"bytes":"<base64>","p":"abcd"}`. Undefined for any other payload, and for one that two parsers may read
 * differently.
 */
export function unwrapChunk(payload: Buffer): Buffer | undefined {
  const found = findBytes(payload);
  if (found === undefined) return undefined;
  const inner = Buffer.from(found.value, 'base64');
  return inner.toString('base64') === found.value ? inner : undefined;
}

/**
 * Returns the payload `like` with another event in it. All other octets stay. If `like` is not such a payload, returns
 * a payload with only the event.
 */
export function wrapChunk(inner: Buffer, like: Buffer): Buffer {
  const { text, start, end } = findBytes(like) ?? empty;
  return Buffer.from(`${text.slice(0, start)}"${inner.toString('base64')}"${text.slice(end)}`);
}

/** Position of the string value of the document's own member `bytes`, including its quotes. */
interface Found {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

const empty: Found = { text: '{"bytes":""}', start: 9, end: 11, value: '' };

function findBytes(payload: Buffer): Found | undefined {
  const text = utf8Text(payload);
  const value = text === undefined ? undefined : bytesOf(text);
  if (text === undefined || value === undefined) return undefined;
  const members = membersOf(text).filter(({ key }) => key === 'bytes');
  const [member] = members;
  return member === undefined || members.length > 1 ? undefined : { text, value, start: member.start, end: member.end };
}

function bytesOf(text: string): string | undefined {
  try {
    const document: unknown = JSON.parse(text);
    return typeof document === 'object' &&
      document !== null &&
      'bytes' in document &&
      typeof document.bytes === 'string'
      ? document.bytes
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the members of a valid JSON object, with the positions of their string values. For other values, the
 * positions have no meaning.
 */
function membersOf(json: string): readonly { readonly key: string; readonly start: number; readonly end: number }[] {
  const members: { readonly key: string; readonly start: number; readonly end: number }[] = [];
  const marks = /["{}[\]]/gu;
  let depth = 0;
  for (let mark = marks.exec(json); mark !== null; mark = marks.exec(json)) {
    if (mark[0] !== '"') {
      depth += mark[0] === '{' || mark[0] === '[' ? 1 : -1;
      continue;
    }
    const end = endOfString(json, mark.index);
    marks.lastIndex = end;
    const start = depth === 1 ? valueAfter(json, end) : undefined;
    if (start !== undefined)
      members.push({ key: String(JSON.parse(json.slice(mark.index, end))), start, end: endOfString(json, start) });
  }
  return members;
}

/** Returns where the value begins, if a key ends here. */
function valueAfter(json: string, end: number): number | undefined {
  const colon = skipSpace(json, end);
  return json.charAt(colon) === ':' ? skipSpace(json, colon + 1) : undefined;
}

function skipSpace(json: string, from: number): number {
  let at = from;
  while (' \t\n\r'.includes(json.charAt(at)) && at < json.length) at += 1;
  return at;
}

function endOfString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote < 0 ? json.length : quote + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let before = quote;
  while (json.charAt(before - 1) === '\\') before -= 1;
  return (quote - before) % 2 === 1;
}
