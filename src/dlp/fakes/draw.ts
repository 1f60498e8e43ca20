import type { Template } from './places.ts';

/** A keyed hash of a text: at least 16 bytes, which nobody can tell from random ones without the key. */
export type KeyedHash = (text: string) => Uint8Array;

export interface DrawOptions {
  readonly keyed: KeyedHash;
  /** What the drawing is for: the same gives the same. */
  readonly value: string;
  /** 0, and more where what was drawn before is taken. */
  readonly attempt: number;
}

/** A text by a template, each one as likely as the others. */
export function draw(template: Template, { keyed, value, attempt }: DrawOptions): string {
  // JSON writes lone surrogates as escapes; in UTF-8 they would all be the same.
  const seed = Array.from(keyed(`fake ${JSON.stringify(value)}`), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const next = bytesOf(keyed, `fake ${attempt} ${seed}`);
  return template.map((alphabet) => (alphabet.length === 1 ? alphabet : drawOne(alphabet, next))).join('');
}

function drawOne(alphabet: string, next: () => number): string {
  // What is over the last whole multiple would make the first characters likelier.
  const fair = 256 - (256 % alphabet.length);
  let byte = next();
  while (byte >= fair) byte = next();
  return alphabet.charAt(byte % alphabet.length);
}

function bytesOf(keyed: KeyedHash, label: string): () => number {
  let bytes = new Uint8Array(0);
  let at = 0;
  let block = 0;
  return () => {
    if (at === bytes.length) {
      bytes = Uint8Array.from(keyed(`${label} ${block}`));
      block += 1;
      at = 0;
    }
    at += 1;
    return bytes[at - 1] ?? 0;
  };
}
