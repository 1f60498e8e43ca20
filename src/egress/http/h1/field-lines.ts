import { httpLimits } from '../limits.ts';
import type { Field, Fields } from '../message.ts';
import { escapeHighBytes } from '../url-path.ts';

/** Problem of a message, and its status. */
export interface HttpProblem {
  readonly kind: 'problem';
  readonly status: number;
  /** One line, without any bytes of the sender. */
  readonly message: string;
}

export interface ParsedFields {
  readonly kind: 'fields';
  readonly fields: Fields;
}

const token = /^[!#$%&'*+\-.^_`|~\w]+$/u;
/** Anything except tab, visible ASCII and bytes over 0x7f: a bare CR or LF, NUL, other controls. */
const notInValue = /[^\t\u0020-\u007e\u0080-\u00ff]/u;

/** Parses field lines that were split at CRLF. `lines` are bytes as latin1. Source: RFC 9112 §5. */
export function parseFieldLines(lines: readonly string[]): ParsedFields | HttpProblem {
  if (lines.length > httpLimits.fields) return problem(431, `There are more than ${httpLimits.fields} header fields.`);
  const fields: Field[] = [];
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0));
    if (!token.test(name)) return problem(400, nameProblem(line, name));
    const value = trimBlanks(line, colon + 1);
    if (notInValue.test(value))
      return problem(400, 'A header field holds a bare CR, a bare LF, a NUL or another control character.');
    fields.push({ name, key: name.toLowerCase(), value });
  }
  return { kind: 'fields', fields };
}

export function problem(status: number, message: string): HttpProblem {
  return { kind: 'problem', status, message };
}

function nameProblem(line: string, name: string): string {
  if (/^[\t ]/u.test(line)) return 'A header field is folded over several lines.';
  return /[\t ]$/u.test(name)
    ? 'There is a blank between the name of a header field and its colon.'
    : 'The name of a header field is malformed.';
}

/** Written by hand, because a pattern that trims both ends rescans a long run of blanks for every blank in it. */
function trimBlanks(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

export interface RequestHead {
  readonly kind: 'head';
  readonly method: string;
  /** As sent, with bytes over 0x7f percent-encoded, so that the decided request is the relayed one. */
  readonly target: string;
  /** HTTP/1.0 or HTTP/1.1. */
  readonly minor: 0 | 1;
  readonly fields: Fields;
}

const requestLine = /^([!#$%&'*+\-.^_`|~\w]{1,64}) ([\u0021-\u007e\u0080-\u00ff]+) HTTP\/(\d)\.(\d)$/u;

/**
 * Parses a request head without the final empty line. `text` is bytes as latin1. Accepts only messages that RFC 9112
 * lets a sender generate. Parsers disagree about all others, and request smuggling exploits that.
 */
export function parseRequestHead(text: string): RequestHead | HttpProblem {
  const [line = '', ...lines] = text.split('\r\n');
  const parts = requestLine.exec(line);
  if (parts === null) return problem(400, 'The request line is malformed.');
  const [, method = '', target = '', major, minor] = parts;
  if (major !== '1' || (minor !== '0' && minor !== '1'))
    return problem(505, 'Only HTTP/1.0 and HTTP/1.1 are spoken on this connection.');
  if (target.length > httpLimits.target)
    return problem(414, `The request target is longer than ${httpLimits.target} octets.`);
  if (target.includes('#')) return problem(400, 'The request target holds a fragment.');
  const parsed = parseFieldLines(lines);
  if (parsed.kind === 'problem') return parsed;
  return { kind: 'head', method, target: escapeHighBytes(target), minor: minor === '1' ? 1 : 0, fields: parsed.fields };
}
