import { charactersFor128Bits, charactersOf } from './alphabets.ts';
import { checksumLength, githubChecksum } from './checksum.ts';
import type { Draw } from './draw.ts';
import type { PhantomForm } from './forms.ts';

export interface WrittenPhantom {
  readonly text: string;
  /** What it begins with, up to the end of the session's tag. None of its 128 bits are in there. */
  readonly lead: string;
}

/**
 * Writes a phantom: what its form says it begins with, one character, the session's tag, and at least 128 bits drawn
 * for it. Where the real one is too short for that, the phantom is longer: one of a UUID is a UUID, a hyphen and ten
 * more digits, one of 32 hexadecimal digits has 40, one of a short password has about 30 characters.
 */
export function writePhantom(form: PhantomForm, tag: string, draw: Draw): WrittenPhantom {
  switch (form.kind) {
    case 'uuid':
      return writeUuid(form.prefix, tag, draw);
    case 'jwt': {
      const lead = form.head + draw(alphanumeric('base64url'), 1) + tag;
      return { lead, text: lead + signatureRest(form.length - 1 - tag.length, draw) };
    }
    case 'text':
      return writeText(form, tag, draw);
  }
}

function writeText({ prefix, alphabet, length, checksum, separator }: Extract<PhantomForm, { readonly kind: 'text' }>, tag: string, draw: Draw): WrittenPhantom {
  const characters = charactersOf(alphabet);
  const checked = checksum === 'none' ? 0 : checksumLength;
  const separated = separator === undefined ? 0 : 1;
  const lead = draw(alphanumeric(alphabet), 1) + tag;
  const count = Math.max(length - lead.length - checked - separated, charactersFor128Bits(characters));
  const random = lead + draw(characters, count);
  const body = separator === undefined ? random : `${random.slice(0, separator.at)}${separator.character}${random.slice(separator.at)}`;
  return { lead: prefix + lead, text: prefix + body + (checked === 0 ? '' : githubChecksum(body)) };
}

/** Version 4 (RFC 9562 §5.4), whose tag leaves it 90 bits, and 40 more after it. */
function writeUuid(prefix: string, tag: string, draw: Draw): WrittenPhantom {
  const hex = (count: number): string => draw(charactersOf('hex'), count);
  const lead = prefix + hex(1) + tag;
  return { lead, text: `${lead}-${hex(4)}-4${hex(3)}-${draw('89ab', 1)}${hex(3)}-${hex(12)}-${hex(10)}` };
}

/** Of the last character of base64url, only some of the bits count, and strict decoders want the others to be 0. */
const lastOf: Readonly<Record<number, string>> = { 2: 'AQgw', 3: 'AEIMQUYcgkosw048' };

/** What follows the tag in a signature: 128 bits, in a length that base64url can have. */
function signatureRest(wanted: number, draw: Draw): string {
  const characters = charactersOf('base64url');
  // Eight characters stand before it: the last group is as long as that of the rest.
  const length = Math.max(wanted, charactersFor128Bits(characters) + 1);
  const whole = length % 4 === 1 ? length + 1 : length;
  return draw(characters, whole - 1) + draw(lastOf[whole % 4] ?? characters, 1);
}

/** A phantom that began with a hyphen would be an option to the program that is given it. */
function alphanumeric(alphabet: Parameters<typeof charactersOf>[0]): string {
  return charactersOf(alphabet).replace(/[-_]+/u, '');
}
