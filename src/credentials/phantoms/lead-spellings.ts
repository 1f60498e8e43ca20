import { base64Alignments } from '../masking/encodings.ts';

/** How the beginning of a phantom may be written: in the clear, in hexadecimal of both cases, and in base64 of both alphabets. */
export function leadSpellings(lead: string): readonly Buffer[] {
  const bytes = Buffer.from(lead);
  const inHex = bytes.toString('hex');
  const inBase64 = base64Alignments(bytes).flatMap((text) => [text, text.replaceAll('+', '-').replaceAll('/', '_')]);
  return [...new Set([lead, inHex, inHex.toUpperCase(), ...inBase64])].map((text) => Buffer.from(text));
}
