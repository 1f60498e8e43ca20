import { endsFree, startsFree, formEnd } from '../lib/boundaries.ts';
import { digit } from '../lib/characters.ts';
import { remainderOf } from '../lib/remainders.ts';
import type { SecretRule } from '../types.ts';

const character = /[0-9A-Z]/uy;

const groupLength = 4;

/** Account numbers are padded with zeros, but not with this many. */
const handwritten = '0000000000';

/** Length of an IBAN by country. Source: SWIFT, IBAN Registry, release 99. */
const ibanLengths: ReadonlyMap<string, number> = new Map(
  Object.entries({
    AD: 24,
    AE: 23,
    AL: 28,
    AT: 20,
    AZ: 28,
    BA: 20,
    BE: 16,
    BG: 22,
    BH: 22,
    BI: 27,
    BR: 29,
    BY: 28,
    CH: 21,
    CR: 22,
    CY: 28,
    CZ: 24,
    DE: 22,
    DJ: 27,
    DK: 18,
    DO: 28,
    EE: 20,
    EG: 29,
    ES: 24,
    FI: 18,
    FK: 18,
    FO: 18,
    FR: 27,
    GB: 22,
    GE: 22,
    GI: 23,
    GL: 18,
    GR: 27,
    GT: 28,
    HN: 28,
    HR: 21,
    HU: 28,
    IE: 22,
    IL: 23,
    IQ: 23,
    IS: 26,
    IT: 27,
    JO: 30,
    KW: 30,
    KZ: 20,
    LB: 28,
    LC: 32,
    LI: 21,
    LT: 20,
    LU: 20,
    LV: 21,
    LY: 25,
    MC: 27,
    MD: 24,
    ME: 22,
    MK: 19,
    MN: 20,
    MR: 27,
    MT: 31,
    MU: 30,
    NI: 28,
    NL: 18,
    NO: 15,
    OM: 23,
    PK: 24,
    PL: 28,
    PS: 29,
    PT: 25,
    QA: 29,
    RO: 24,
    RS: 22,
    RU: 33,
    SA: 24,
    SC: 31,
    SD: 18,
    SE: 24,
    SI: 19,
    SK: 24,
    SM: 27,
    SO: 23,
    ST: 25,
    SV: 28,
    TL: 23,
    TN: 24,
    TR: 26,
    UA: 29,
    VA: 22,
    VG: 24,
    XK: 20,
    YE: 30,
  }),
);

/**
 * In one run, or in groups of four that are separated by one blank. The length for the country and the check digits
 * must be right.
 */
export const iban: SecretRule = {
  name: 'iban',
  leads: [...ibanLengths.keys()].map((country) => [...country, digit, digit]),
  match(text, at) {
    const length = ibanLengths.get(text.slice(at, at + 2));
    if (length === undefined || !startsFree(text, at)) return undefined;
    const end = endOfIban(text, at, length);
    if (end === undefined || !endsFree(text, end)) return undefined;
    const value = text.slice(at, end).replaceAll(' ', '');
    const isRight = remainderOf(`${value.slice(groupLength)}${value.slice(0, groupLength)}`, 97) === 1;
    return isRight && !documentedIbans.has(value) && !value.includes(handwritten) ? { start: at, end } : undefined;
  },
  sources: [
    'ISO 13616-1:2020',
    'https://www.swift.com/standards/data-standards/iban-international-bank-account-number',
  ],
};

/**
 * Example numbers from documentation. Sources: the IBAN Registry's examples;
 * https://en.wikipedia.org/wiki/International_Bank_Account_Number.
 */
const documentedIbans: ReadonlySet<string> = new Set([
  'AD1200012030200359100100',
  'AE070331234567890123456',
  'AT611904300234573201',
  'AZ21NABZ00000000137010001944',
  'BE68539007547034',
  'BG80BNBG96611020345678',
  'BH67BMAG00001299123456',
  'BR1800360305000010009795493C1',
  'CH9300762011623852957',
  'CR05015202001026284066',
  'CY17002001280000001200527600',
  'CZ6508000000192000145399',
  'DE89370400440532013000',
  'DK5000400440116243',
  'EE382200221020145685',
  'ES9121000418450200051332',
  'FI2112345600000785',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'GB82WEST12345698765432',
  'GB33BUKB20201555555555',
  'GR1601101250000000012300695',
  'HR1210010051863000160',
  'HU42117730161111101800000000',
  'IE29AIBK93115212345678',
  'IL620108000000099999999',
  'IS140159260076545510730339',
  'IT60X0542811101000000123456',
  'KZ86125KZT5004100100',
  'LI21088100002324013AA',
  'LT121000011101001000',
  'LU280019400644750000',
  'LV80BANK0000435195001',
  'MC5811222000010123456789030',
  'MT84MALT011000012345MTLCAST001S',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'PL61109010140000071219812874',
  'PT50000201231234567890154',
  'RO49AAAA1B31007593840000',
  'RS35260005601001611379',
  'SA0380000000608010167519',
  'SE4550000000058398257466',
  'SI56263300012039086',
  'SK3112000000198742637541',
  'SM86U0322509800000000270100',
  'TR330006100519786457841326',
  'UA213223130000026007233566001',
  'DE75512108001245126199',
  'DE02120300000000202051',
  'DE00123456789012345678',
]);

function endOfIban(text: string, start: number, length: number): number | undefined {
  const isGrouped = text[start + groupLength] === ' ';
  let at = start;
  for (let count = 0; count < length; count += 1) {
    if (isGrouped && count > 0 && count % groupLength === 0) {
      if (text[at] !== ' ') return undefined;
      at += 1;
    }
    const end = formEnd(character, text, at);
    if (end !== at + 1) return undefined;
    at = end;
  }
  return at;
}
