import type { CredentialFormat } from '../../policy/index.ts';
import type { SecretField } from './fields.ts';
import { formats } from './formats/index.ts';
import { type Range, strayRanges } from './stray-ranges.ts';

/**
 * A credential file as the box may see it: every byte of `text`, but for its secret fields and for what may be a secret
 * elsewhere in it. Fields that `phantomFor` knows get their phantom, all others a word that is good nowhere. Throws a
 * `SyntaxError` for a file that is not in its format: nobody could say where its secrets stand.
 */
export function syntheticFile(format: CredentialFormat, text: string, phantomFor: (field: SecretField) => string | undefined): string {
  const fields = formats[format](text);
  const strays = strayRanges(format, text, fields);
  let written = 0;
  const parts = fields.flatMap((field) => {
    const kept = maskedPart(text, { start: written, end: field.start }, strays);
    written = field.end;
    return [kept, field.encode(phantomFor(field) ?? masked)];
  });
  return parts.join('') + maskedPart(text, { start: written, end: text.length }, strays);
}

const masked = 'masked-by-holdfast';

function maskedPart(text: string, part: Range, strays: readonly Range[]): string {
  let at = part.start;
  const pieces = strays.flatMap((stray) => {
    const [start, end] = [Math.max(stray.start, at), Math.min(stray.end, part.end)];
    if (start >= end) return [];
    const kept = text.slice(at, start);
    at = end;
    return [kept, masked];
  });
  return pieces.join('') + text.slice(at, part.end);
}
