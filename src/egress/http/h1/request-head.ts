import { limits } from '../limits.ts';
import type { Fields } from '../message.ts';
import { escapeHighBytes } from '../url-path.ts';
import { parseFieldLines, problem, type Problem } from './field-lines.ts';

export interface RequestHead {
  readonly kind: 'head';
  readonly method: string;
  /** As sent, with bytes over 0x7f percent-encoded, so that what is decided is what is relayed. */
  readonly target: string;
  /** HTTP/1.0 or HTTP/1.1. */
  readonly minor: 0 | 1;
  readonly fields: Fields;
}

const requestLine = /^([!#$%&'*+\-.^_`|~\w]{1,64}) ([\u0021-\u007e\u0080-\u00ff]+) HTTP\/(\d)\.(\d)$/u;

/**
 * Parses a request head without the empty line that ends it. `text` is bytes as latin1. It takes only what RFC 9112
 * lets a sender generate: the rest is what two parsers read differently, and how requests are smuggled.
 */
export function parseRequestHead(text: string): RequestHead | Problem {
  const [line = '', ...lines] = text.split('\r\n');
  const parts = requestLine.exec(line);
  if (parts === null) return problem(400, 'The request line is malformed.');
  const [, method = '', target = '', major, minor] = parts;
  if (major !== '1' || (minor !== '0' && minor !== '1'))
    return problem(505, 'Only HTTP/1.0 and HTTP/1.1 are spoken on this connection.');
  if (target.length > limits.target) return problem(414, `The request target is longer than ${limits.target} octets.`);
  if (target.includes('#')) return problem(400, 'The request target holds a fragment.');
  const parsed = parseFieldLines(lines);
  if (parsed.kind === 'problem') return parsed;
  return { kind: 'head', method, target: escapeHighBytes(target), minor: minor === '1' ? 1 : 0, fields: parsed.fields };
}
