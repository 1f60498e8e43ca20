import { endsFree, literalLead, startsFree, formEnd } from '../lib/boundaries.ts';
import { isPlaceholder } from '../lib/placeholders.ts';
import type { SecretRule } from '../types.ts';

const form = /AGE-SECRET-KEY-1[0-9A-Z]{58}/uy;

export const age: SecretRule = {
  name: 'age-secret-key',
  leads: [literalLead('AGE-SECRET-KEY-1')],
  match(text, at) {
    const end = formEnd(form, text, at);
    const isOne =
      end !== undefined && startsFree(text, at) && endsFree(text, end) && isBech32(text.slice(at, end).toLowerCase());
    return isOne ? { start: at, end } : undefined;
  },
  sources: [
    'https://github.com/C2SP/C2SP/blob/main/age.md',
    'https://github.com/bitcoin/bips/blob/master/bip-0173.mediawiki',
  ],
};

const names = ['PrivateKey', 'PresharedKey'];
const separator = /[ \t]{0,4}=[ \t]{0,4}/uy;
const value = /[0-9A-Za-z+/]{43}=(?![0-9A-Za-z+/=])/uy;

/** A key of a WireGuard tunnel, found by its name in the configuration. */
export const wireguard: SecretRule = {
  name: 'wireguard-key',
  leads: names.map(literalLead),
  match(text, at) {
    const name = names.find((each) => text.startsWith(each, at)) ?? '';
    const start = formEnd(separator, text, at + name.length);
    const end = start === undefined ? undefined : formEnd(value, text, start);
    if (start === undefined || end === undefined) return undefined;
    return isPlaceholder(text.slice(start, end)) ? undefined : { start, end };
  },
  sources: ['https://man7.org/linux/man-pages/man8/wg.8.html'],
};

const alphabet = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const generator = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const lead = 'Private-Lines: ';
const count = /Private-Lines: \d{1,3}(?:\r?\n|\\n)/uy;
const line = /[0-9A-Za-z+/=]{4,64}(?:\r?\n|\\n)?/uy;
const mostLines = 400;
const fewestCharacters = 40;

/** The private part of a PuTTY key file. */
export const putty: SecretRule = {
  name: 'putty-private-key',
  leads: [literalLead(lead)],
  match(text, at) {
    const start = formEnd(count, text, at);
    if (start === undefined) return undefined;
    const end = endOfLines(text, start);
    const body = text.slice(start, end);
    return body.length < fewestCharacters || isPlaceholder(body) ? undefined : { start: at, end };
  },
  sources: ['https://the.earth.li/~sgtatham/putty/0.83/htmldoc/AppendixC.html'],
};

/** Returns true if a text in lower case ends with its own six-character checksum. Source: BIP 173. */
export function isBech32(text: string): boolean {
  const separator = text.lastIndexOf('1');
  const values = valuesOf(text.slice(separator + 1));
  return (
    separator > 0 &&
    values.length >= 6 &&
    !values.includes(-1) &&
    polymod([...expanded(text.slice(0, separator)), ...values]) === 1
  );
}

function valuesOf(data: string): readonly number[] {
  return [...data].map((character) => alphabet.indexOf(character));
}

function expanded(prefix: string): readonly number[] {
  const codes = [...prefix].map((character) => character.charCodeAt(0));
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
}

function polymod(values: readonly number[]): number {
  let rest = 1;
  for (const value of values) {
    const top = rest >>> 25;
    rest = ((rest & 0x1ffffff) << 5) ^ value;
    for (const [place, term] of generator.entries()) rest ^= (top >>> place) & 1 ? term : 0;
  }
  return rest >>> 0;
}

function endOfLines(text: string, start: number): number {
  let at = start;
  for (let count = 0; count < mostLines; count += 1) {
    const end = formEnd(line, text, at);
    // The text that follows is a name and a colon: `Private-MAC: …`.
    if (end === undefined || text[end] === '-' || text[end] === ':') return at;
    at = end;
  }
  return at;
}
