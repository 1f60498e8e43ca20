import type { Provider } from '../builtin/providers/index.ts';
import type { CredentialTable } from '../document/types.ts';
import { type Read, read, wrong } from './read.ts';
import type { PhantomShape } from './types.ts';

/** How a table wants its phantoms to look; undefined where they look as the secret does. */
export function readShape({ shape }: CredentialTable, at: string): Read<PhantomShape | undefined> {
  if (shape === undefined) return read(undefined);
  const { prefix = '', alphabet = 'base62', checksum = 'none', length = usualLengths[alphabet] } = shape;
  if (alphabet === 'uuid' && length !== usualLengths.uuid) return wrong(`${at}.shape.length`, 'a UUID has 36 characters', 'leave length out');
  if (checksum === 'github-crc32' && alphabet !== 'base62') return wrong(`${at}.shape.checksum`, 'the checksum of GitHub is written in base62, and so is what it is of', 'write alphabet = "base62"');
  return read({ prefix, alphabet, length, checksum });
}

/** The form that a provider documents first. */
export function documentedShape(provider: Provider | undefined): PhantomShape | undefined {
  const first = provider?.shapes[0];
  return first === undefined ? undefined : { prefix: first.prefix, alphabet: first.alphabet, length: first.length, checksum: first.checksum };
}

/** As long as tokens of these alphabets usually are, and never below 128 bits. */
const usualLengths: Readonly<Record<PhantomShape['alphabet'], number>> = { base62: 40, base64url: 43, hex: 40, 'upper-base32': 32, uuid: 36, jwt: 200 };
