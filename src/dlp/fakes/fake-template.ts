import { freeBits, kept, redrawn, type Template } from './places.ts';

/** A longer value gets no fake. The PEM of an RSA key with 16,384 bits has about 12,700 characters. */
const longestValue = 16_384;

/** With fewer bits, a fake could occur in ordinary text by chance. */
const leastBits = 40;

/**
 * The random bits are among the fake's first characters. Otherwise the beginning of a fake would resemble ordinary
 * text, and such text in an answer would be held back.
 */
const opening = 256;

/** A longer JWT header is replaced too. */
const longestHeader = 128;

const armour = /-----(?:BEGIN|END) [\dA-Z ]{1,60}-----|\\[nrt]/gu;

/**
 * Prefixes of well-known keys. They are public, and the same in every key of their kind. If two match, the longer one
 * counts. Sources: the vendors' documentation of their tokens, as the rules of the `keys` pack name it.
 */
export const knownLeads: readonly string[] = [
  'A3-',
  'AGE-SECRET-KEY-1',
  'AIza',
  'AKIA',
  'ASIA',
  'EAAA',
  'GOCSPX-',
  'PMAK-',
  'PuTTY-User-Key-File-2: ',
  'PuTTY-User-Key-File-3: ',
  'SG.',
  'dapi',
  'doo_v1_',
  'dop_v1_',
  'dor_v1_',
  'dp.ct.',
  'dp.pt.',
  'dp.st.',
  'figd_',
  'fw_',
  'gho_',
  'ghp_',
  'ghr_',
  'ghs_',
  'ghu_',
  'github_pat_',
  'glc_',
  'gldt-',
  'glptt-',
  'glpat-',
  'glrt-',
  'glsa_',
  'gsk_',
  'hf_',
  'hvb.',
  'hvs.',
  'key-',
  'lin_api_',
  'npm_',
  'ntn_',
  'ops_',
  'pplx-',
  'pscale_pw_',
  'pscale_tkn_',
  'pypi-',
  'r8_',
  'rk_live_',
  'rk_test_',
  'rubygems_',
  'shpat_',
  'shpca_',
  'shppa_',
  'shpss_',
  'sk-',
  'sk-admin-',
  'sk-ant-',
  'sk-ant-admin01-',
  'sk-ant-api03-',
  'sk-ant-oat01-',
  'sk-ant-sid01-',
  'sk-or-v1-',
  'sk-proj-',
  'sk-svcacct-',
  'sk_live_',
  'sk_test_',
  'sntryu_',
  'sntrys_',
  'whsec_',
  'xai-',
  'xapp-',
  'xoxa-',
  'xoxb-',
  'xoxe-',
  'xoxo-',
  'xoxp-',
  'xoxr-',
  'xoxs-',
];

/**
 * Returns the form of a fake for a value. Undefined if fewer than 2^40 fakes would be possible.
 *
 * Kept parts are key prefixes, the armour of PEM with line ends written as `\n`, and the header of a JWT. The first
 * digit of a card number and the country of an IBAN are kept too. Of an e-mail address only the punctuation of its
 * local part is kept. A short local part becomes longer, and the domain becomes example.com, which is reserved (RFC
 * 2606 §3).
 *
 * A `session-secret` may be any text, even a pass phrase, so only prefixes of known issuers are kept. The same applies
 * if too few characters would be left to draw.
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

/** Draws a local part with at least 40 bits. */
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
  return knownLeads.reduce(
    (length, lead) => (lead.length > length && value.startsWith(lead) ? lead.length : length),
    0,
  );
}

/**
 * Returns the prefix up to the last `-` or `_` in the first third, if vendors choose such words for prefixes:
 * `acme_live_`.
 */
function likelyLead(value: string): number {
  const [words = ''] = /^(?:[a-z]{1,8}\d{0,2}[-_]){1,4}/u.exec(value) ?? [];
  const inFirstThird = words.slice(0, Math.floor(value.length / 3));
  return Math.max(inFirstThird.lastIndexOf('-'), inFirstThird.lastIndexOf('_')) + 1;
}

/**
 * Returns true if a text has the checksum of a card number or an IBAN, with or without spaces and hyphens. Such a fake
 * could belong to a real person, who would be charged.
 */
export function isPayable(text: string): boolean {
  return isCardNumber(text) || isIban(text);
}

/** 13 to 19 digits with the checksum of ISO/IEC 7812-1 (Luhn). */
export function isCardNumber(text: string): boolean {
  if (!/^\d(?:[ -]?\d){12,18}$/u.test(text)) return false;
  const sum = text
    .replaceAll(/\D/gu, '')
    .split('')
    .toReversed()
    .reduce((total, digit, index) => total + luhnShare(Number(digit), index), 0);
  return sum % 10 === 0;
}

/** A country, two digits and 11 to 30 characters with the checksum of ISO 13616 (mod 97). */
export function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d\d(?:[ -]?[\dA-Z]){11,30}$/u.test(text)) return false;
  const plain = text.replaceAll(/[ -]/gu, '');
  return (
    `${plain.slice(4)}${plain.slice(0, 4)}`.split('').reduce((rest, character) => {
      const value = Number.parseInt(character, 36);
      return (rest * (value > 9 ? 100 : 10) + value) % 97;
    }, 0) === 1
  );
}

function luhnShare(digit: number, index: number): number {
  const doubled = digit * (1 + (index % 2));
  return doubled > 9 ? doubled - 9 : doubled;
}
