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
