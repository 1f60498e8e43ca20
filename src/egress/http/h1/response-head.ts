import type { Fields } from '../message.ts';
import { parseFieldLines, problem, type Problem } from './field-lines.ts';

export interface ResponseHead {
  readonly kind: 'head';
  /** 100 to 599. */
  readonly status: number;
  readonly reason: string;
  /** HTTP/1.0 or HTTP/1.1. */
  readonly minor: 0 | 1;
  readonly fields: Fields;
}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\u0020-\u007e\u0080-\u00ff]*))?$/u;

/** Parses a response head without the empty line that ends it, as strictly as a request: responses can be split too. */
export function parseResponseHead(text: string): ResponseHead | Problem {
  const [line = '', ...lines] = text.split('\r\n');
  const parts = statusLine.exec(line);
  if (parts === null) return problem(502, 'The status line is malformed.');
  const parsed = parseFieldLines(lines);
  if (parsed.kind === 'problem') return parsed;
  return { kind: 'head', minor: parts[1] === '1' ? 1 : 0, status: Number(parts[2]), reason: parts[3] ?? '', fields: parsed.fields };
}
