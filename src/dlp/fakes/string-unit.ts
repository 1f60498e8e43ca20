/** One code unit of a JSON string, by how it is written. `code` is -1 for what is no escape by RFC 8259 §7. */
export interface StringUnit {
  readonly code: number;
  /** Characters of the raw text. */
  readonly width: number;
}

const short: Readonly<Record<string, string>> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Reads the escape whose backslash stands at `at`. Undefined where the text ends inside of it. */
export function readEscape(text: string, at: number): StringUnit | undefined {
  if (at + 1 >= text.length) return undefined;
  const kind = text.charAt(at + 1);
  if (kind !== 'u') return { code: short[kind]?.charCodeAt(0) ?? -1, width: 2 };
  const digits = text.slice(at + 2, at + 6);
  if (!/^[\dA-Fa-f]*$/u.test(digits)) return { code: -1, width: 2 };
  return digits.length < 4 ? undefined : { code: Number.parseInt(digits, 16), width: 6 };
}

/** What stands in a JSON string that is written so. An escape that is not all there, or that is none, is left out. */
export function unescaped(written: string): string {
  let text = '';
  for (let at = 0; at < written.length; ) {
    const isEscape = written[at] === '\\';
    const unit = isEscape ? readEscape(written, at) : { code: written.charCodeAt(at), width: 1 };
    if (unit === undefined) break;
    if (unit.code >= 0) text += String.fromCharCode(unit.code);
    at += unit.width;
  }
  return text;
}
