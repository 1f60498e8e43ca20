import { isCardNumber, isIban } from './checksums.ts';
import { knownLeads } from './leads.ts';
import { freeBits, kept, redrawn, type Template } from './places.ts';

/** A value longer than this has no fake. The PEM of an RSA key of 16,384 bits has about 12,700 characters. */
const longestValue = 16_384;

/** With fewer, a fake stands in ordinary text by chance. */
const leastBits = 40;

/** The bits are among its first characters: what begins like ordinary text would hold back ordinary text of an answer. */
const opening = 256;

/** A longer header of a JWT is replaced too. */
const longestHeader = 128;

const armour = /-----(?:BEGIN|END) [\dA-Z ]{1,60}-----|\\[nrt]/gu;

/**
 * How a fake of a value looks. Undefined where it would not be one of at least 2^40.
 *
 * Kept are leads of keys; the armour of PEM, with line ends that are written `\n`; the header of a JWT; the first digit of a card
 * number and the country of an IBAN. Of an e-mail address nothing is kept but the signs in its local part: it gets longer where it
 * is short, and lives at example.com, which is nobody's (RFC 2606 §3). `session-secret` may be any text, a pass phrase too, so of
 * it only leads are kept that somebody is known to give. The same is done where too little would be left to draw.
 */
export function templateOf(rule: string, value: string): Template | undefined {
  if (value.length > longestValue) return undefined;
  const forms = rule === 'session-secret' ? [ofSecret] : [ofFormat, ofSecret];
  return forms.map((form) => form(value)).find((template) => freeBits(template.slice(0, opening)) >= leastBits);
}

function ofFormat(value: string): Template {
  if (isEmail(value)) return ofEmail(value.slice(0, value.indexOf('@')));
  if (isIban(value)) return afterLead(value, 2);
  if (isCardNumber(value)) return afterLead(value, 1);
  return leadOf(value) > 0 || value.startsWith('-----BEGIN ') ? ofSecret(value) : afterLead(value, likelyLead(value));
}

function ofSecret(value: string): Template {
  return value.startsWith('-----BEGIN ') ? ofPem(value) : afterLead(value, leadOf(value));
}

function afterLead(value: string, length: number): Template {
  return [...kept(value.slice(0, length)), ...redrawn(value.slice(length))];
}

function ofPem(value: string): Template {
  const places: string[] = [];
  let from = 0;
  for (const { 0: text, index } of value.matchAll(armour)) {
    for (const place of [...redrawn(value.slice(from, index)), ...kept(text)]) places.push(place);
    from = index + text.length;
  }
  return [...places, ...redrawn(value.slice(from))];
}

/** A local part of at least 40 bits. */
function ofEmail(local: string): Template {
  const places = redrawn(local);
  const missing = Math.ceil(Math.max(0, leastBits - freeBits(places)) / freeBits(redrawn('x')));
  return [...places, ...redrawn('x'.repeat(missing)), ...kept('@example.com')];
}

function isEmail(value: string): boolean {
  return value.length <= 254 && /^[^\s@/:"<>]{1,64}@[^\s@/:"<>]+\.[^\s@/:"<>.]+$/u.test(value);
}

function leadOf(value: string): number {
  const [jwt = ''] = /^eyJ[\w-]+\.(?:eyJ)?(?=[\w-]*\.)/u.exec(value) ?? [];
  if (jwt !== '') return jwt.length <= longestHeader ? jwt.length : 'eyJ'.length;
  return knownLeads.reduce((length, lead) => (lead.length > length && value.startsWith(lead) ? lead.length : length), 0);
}

/** Up to the last `-` or `_` in the first third, if words stand before it as vendors choose them: `acme_live_`. */
function likelyLead(value: string): number {
  const [words = ''] = /^(?:[a-z]{1,8}\d{0,2}[-_]){1,4}/u.exec(value) ?? [];
  const inFirstThird = words.slice(0, Math.floor(value.length / 3));
  return Math.max(inFirstThird.lastIndexOf('-'), inFirstThird.lastIndexOf('_')) + 1;
}
