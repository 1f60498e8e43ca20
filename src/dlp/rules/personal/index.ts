import { formEnd, hasNear } from '../lib/boundaries.ts';
import { alphanumeric, digit, isAlphanumeric, isWord } from '../lib/characters.ts';
import type { SecretRule } from '../types.ts';
import { nationalIds } from './national-ids.ts';

const international = /\+[1-9]\d{0,3}(?:[ .()/-]{1,2}\d{1,5}){0,6}\d{0,10}/uy;

const american = /(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}/uy;

const national = /0\d{1,5}(?:[ ./-]{1,3}\d{2,8}){1,5}/uy;

const words =
  /\b(?:phone|tel|telephone|mobile|cell|call|fax|sms|whatsapp|telefon|handy|mobil|téléphone|portable|teléfono|móvil|telefono|cellulare|celular|telefone|telefoon)\b|\btel:/u;

/** E.164 allows 15 digits. No number that can be dialled has fewer than seven. */
const fewestDigits = 7;

const mostDigits = 15;

/** 555-0100 to 555-0199 are reserved for fiction. */
const fictional = /555[ .-]?01\d{2}$/u;

/** A number in a common form, with a word about telephones near it. */
export const phone: SecretRule = {
  name: 'phone-number',
  leads: [
    ['+', '123456789', `${digit} (.-`],
    ['(', '23456789', digit],
    ['23456789', digit, digit, ' .-'],
    ['0', digit, `${digit} ./-`],
  ],
  match(text, at) {
    if (isWord(text.charCodeAt(at - 1)) || '.+-'.includes(text[at - 1] ?? ' ')) return undefined;
    const end = formEnd(international, text, at) ?? formEnd(american, text, at) ?? formEnd(national, text, at);
    if (end === undefined || isWord(text.charCodeAt(end))) return undefined;
    const value = text.slice(at, end);
    const count = value.replaceAll(/\D/gu, '').length;
    const isOne =
      count >= fewestDigits &&
      count <= mostDigits &&
      !fictional.test(value) &&
      hasNear(text, { start: at, end }, words);
    return isOne ? { start: at, end } : undefined;
  },
  sources: ['ITU-T E.164', 'https://nationalnanpa.com/about_us/abt_nanp.html'],
};

/** RFC 5321 §4.5.3.1.1. */
const longestLocalPart = 64;

const ofLocalPart = "!#$%&'*+/=?^_`{|}~.-";

const domain = /@(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,61})\.){1,8}[A-Za-z]{2,24}(?![0-9A-Za-z@_-])/uy;

/**
 * Addresses that belong to nobody: RFC 2606, RFC 6761. Addresses such as `git@…` are names of services, and file names
 * may contain `@`.
 */
const documented =
  /@(?:[\w.-]{1,255}\.)?(?:example|test|invalid|localhost|local|example\.(?:com|org|net|edu)|(?:domain|email|company|yourdomain|acme|foo|bar|test)\.com)$/u;

const services =
  /^(?:git|hg|svn|no-?reply|donotreply|noreply-[\w-]{1,60}|ssh|root|user|username|you|name|someone|me|foo|bar|test|example|john\.?doe|jane\.?doe)@|@users\.noreply\.github\.com$/u;

const files =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|scss|js|mjs|cjs|ts|tsx|jsx|json|md|html?|map|py|rb|go|rs|java|txt|ya?ml|wasm|node|lock)$/u;

/** A person's address, recognised by its form alone. */
export const email: SecretRule = {
  name: 'email',
  leads: [[`${alphanumeric}_-+'!#$%&*/=?^\`{|}~.`, '@', alphanumeric]],
  match(text, at) {
    const end = formEnd(domain, text, at + 1);
    if (end === undefined) return undefined;
    let start = at + 1;
    while (at + 1 - start < longestLocalPart && isOfLocalPart(text, start - 1)) start -= 1;
    // Skips remains of quotes, paths and assignments before an address.
    while (start <= at && !isAlphanumeric(text.charCodeAt(start))) start += 1;
    const address = text.slice(start, end).toLowerCase();
    const isNobodys = start > at || documented.test(address) || services.test(address) || files.test(address);
    return isNobodys ? undefined : { start, end };
  },
  sources: ['https://www.rfc-editor.org/rfc/rfc5321', 'https://www.rfc-editor.org/rfc/rfc2606'],
};

export const personal: readonly SecretRule[] = [email, phone, ...nationalIds];

function isOfLocalPart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (at < 0 || text[at] === '=' || text[at] === '/') return false;
  return isAlphanumeric(code) || ofLocalPart.includes(text[at] ?? ' ');
}
