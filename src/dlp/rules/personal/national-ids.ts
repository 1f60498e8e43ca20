import { endsFree, startsFree, formEnd, hasNear } from '../lib/boundaries.ts';
import { digit } from '../lib/characters.ts';
import { passesLuhn, remainderOf, weightedSum } from '../lib/remainders.ts';
import type { RuleLead, SecretRule } from '../types.ts';

const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const more = `${digit} ./-`;

/** Digits with the usual characters between them. */
const number = [digit, more, more, more];

/**
 * Source: J. Verhoeff, "Error Detecting Decimal Codes", 1969. It uses multiplication in the dihedral group of a
 * pentagon, and a permutation of digits by position.
 */
const permutation = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];

const oddPlaces = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

const forms: readonly IdForm[] = [
  {
    name: 'us-ssn',
    lead: number,
    form: /\d{3}(?:-\d{2}-\d{4}| \d{2} \d{4}|\d{6})/uy,
    check: isSsn,
    words: /\bssn\b|social security/u,
    sources: ['https://www.ssa.gov/employer/randomization.html'],
  },
  {
    name: 'uk-nino',
    lead: [upper, upper, `${digit} `, digit],
    form: /[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]/uy,
    check: isNino,
    words: /national insurance|\bnino\b|\bni (?:number|no)/u,
    sources: ['https://www.gov.uk/hmrc-internal-manuals/national-insurance-manual/nim39110'],
  },
  {
    name: 'de-steuer-id',
    lead: number,
    form: /[1-9]\d(?: ?\d{3}){3}/uy,
    check: isSteuerId,
    words: /steuer|\bidnr|\btin\b|tax id/u,
    sources: ['https://de.wikipedia.org/wiki/Steuerliche_Identifikationsnummer'],
  },
  {
    name: 'fr-nir',
    lead: ['12', more, more, more],
    form: /[12] ?\d{2} ?\d{2} ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}/uy,
    check: isNir,
    words: /sécu|secu|\bnir\b|insee|\bnss\b/u,
    sources: ['https://www.insee.fr/fr/metadonnees/definition/c1409'],
  },
  {
    name: 'es-dni',
    lead: [`${digit}XYZ`, digit, digit, digit],
    form: /(?:\d{8}|[XYZ]-?\d{7})-?[A-Z]/uy,
    check: isDni,
    words: /\bdni\b|\bnie\b|\bnif\b|documento/u,
    sources: [
      'https://www.interior.gob.es/opencms/es/servicios-al-ciudadano/tramites-y-gestiones/dni/calculo-del-digito-de-control-del-nif-nie/',
    ],
  },
  {
    name: 'it-codice-fiscale',
    lead: [upper, upper, upper, upper],
    form: /[A-Z]{6}\d{2}[ABCDEHLMPRST]\d{2}[A-Z]\d{3}[A-Z]/uy,
    check: isCodiceFiscale,
    words: /codice|fiscale|\bcf\b/u,
    sources: ['https://it.wikipedia.org/wiki/Codice_fiscale'],
  },
  {
    name: 'nl-bsn',
    lead: number,
    form: /\d{4}\.?\d{2}\.?\d{3}/uy,
    check: isBsn,
    words: /\bbsn\b|burgerservice|sofi/u,
    sources: ['https://www.rvig.nl/bsn'],
  },
  {
    name: 'br-cpf',
    lead: number,
    form: /\d{3}\.?\d{3}\.?\d{3}-?\d{2}/uy,
    check: isCpf,
    words: /\bcpf\b|cadastro/u,
    sources: ['https://pt.wikipedia.org/wiki/Cadastro_de_pessoas_f%C3%ADsicas'],
  },
  {
    name: 'in-aadhaar',
    lead: number,
    form: /[2-9]\d{3}(?: \d{4} \d{4}|-\d{4}-\d{4}|\d{8})/uy,
    check: passesVerhoeff,
    words: /aadhaar|aadhar|uidai|\buid\b/u,
    sources: ['https://uidai.gov.in/en/my-aadhaar/about-your-aadhaar.html'],
  },
  {
    name: 'ca-sin',
    lead: number,
    form: /[1-9]\d{2}(?: \d{3} \d{3}|-\d{3}-\d{3}|\d{6})/uy,
    check: passesLuhn,
    words: /\bsin\b|social insurance/u,
    sources: ['https://www.canada.ca/en/employment-social-development/services/sin.html'],
  },
  {
    name: 'pl-pesel',
    lead: number,
    form: /\d{11}/uy,
    check: isPesel,
    words: /pesel/u,
    sources: ['https://www.gov.pl/web/gov/czym-jest-numer-pesel'],
  },
  {
    name: 'ch-ahv',
    lead: [...'756', `${digit}.`],
    form: /756\.?\d{4}\.?\d{4}\.?\d{2}/uy,
    check: isAhv,
    words: /\bahv|\bavs\b|sozialversicherung|\bnavs/u,
    sources: ['https://www.zas.admin.ch/'],
  },
];

/** National identity numbers. Each needs a fitting word near it. */
export const nationalIds: readonly SecretRule[] = forms.map(withContext);

interface IdForm {
  readonly name: string;
  readonly lead: RuleLead;
  /** Sticky pattern, which begins with the number. */
  readonly form: RegExp;
  /** Checks the number in upper case, without blanks, dots, dashes and slashes. */
  readonly check: (value: string) => boolean;
  /** Words in lower case. One of them must be near the number. */
  readonly words: RegExp;
  readonly sources: readonly string[];
}

export function passesVerhoeff(digits: string): boolean {
  let check = 0;
  for (let place = 0; place < digits.length; place += 1) {
    let value = digits.charCodeAt(digits.length - 1 - place) - 48;
    for (let times = 0; times < place % 8; times += 1) value = permutation[value] ?? 0;
    check = product(check, value);
  }
  return check === 0;
}

function product(a: number, b: number): number {
  const turns = a < 5 ? a + (b % 5) : a - 5 - (b % 5) + 5;
  return (turns % 5) + (a < 5 === b < 5 ? 0 : 5);
}

/** Returns a rule for numbers that look too common to be recognised without a word near them. */
function withContext({ name, lead, form, check, words, sources }: IdForm): SecretRule {
  return {
    name,
    leads: [lead],
    match(text, at) {
      if (!startsFree(text, at) || '.-'.includes(text[at - 1] ?? ' ')) return undefined;
      const end = formEnd(form, text, at);
      if (end === undefined || !endsFree(text, end)) return undefined;
      const isOne =
        check(
          text
            .slice(at, end)
            .replaceAll(/[ ./-]/gu, '')
            .toUpperCase(),
        ) && hasNear(text, { start: at, end }, words);
      return isOne ? { start: at, end } : undefined;
    },
    sources,
  };
}

/** Excludes areas 000, 666 and 900 to 999, group 00 and serial 0000, and numbers from advertisements. */
function isSsn(value: string): boolean {
  return (
    /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/u.test(value) &&
    !['078051120', '219099999', '123456789', '111223333', '123121234'].includes(value)
  );
}

function isNino(value: string): boolean {
  return !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/u.test(value) && value !== 'QQ123456C' && value !== 'AB123456C';
}

/**
 * One of the first ten digits occurs two or three times, and the last digit is the check digit of ISO 7064, MOD 11,10.
 */
export function isSteuerId(value: string): boolean {
  const counts = [...'0123456789'].map((digit) => value.slice(0, 10).split(digit).length - 1);
  if (counts.filter((count) => count > 1).length !== 1 || Math.max(...counts) > 3) return false;
  let product = 10;
  for (const digit of value.slice(0, 10)) {
    const sum = (Number(digit) + product) % 10;
    product = ((sum === 0 ? 10 : sum) * 2) % 11;
  }
  return (11 - product) % 10 === Number(value[10]);
}

/** The key is 97 minus the remainder. Corsica's departments count as 19 and 18. */
export function isNir(value: string): boolean {
  const digits = value.replace('2A', '19').replace('2B', '18');
  return 97 - remainderOf(digits.slice(0, 13), 97) === Number(digits.slice(13));
}

/** DNI and NIE: the letter encodes the remainder modulo 23. `X`, `Y` and `Z` count as 0, 1 and 2. */
function isDni(value: string): boolean {
  const digits = value.slice(0, -1).replace(/^[XYZ]/u, (letter) => String('XYZ'.indexOf(letter)));
  return (
    'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === value.at(-1) && digits !== '12345678' && digits !== '00000000'
  );
}

export function isCodiceFiscale(value: string): boolean {
  let sum = 0;
  for (const [place, character] of value.slice(0, 15).split('').entries()) {
    const number = /\d/u.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    sum += place % 2 === 0 ? (oddPlaces[number] ?? 0) : number;
  }
  return String.fromCharCode(65 + (sum % 26)) === value[15] && value !== 'RSSMRA85T10A562S';
}

/** The "eleven test": the last digit has the weight minus one. */
export function isBsn(value: string): boolean {
  return (
    weightedSum(value, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 &&
    new Set(value).size > 2 &&
    value !== '111222333' &&
    value !== '123456782'
  );
}

export function isCpf(value: string): boolean {
  const digitOf = (count: number): number => {
    const rest =
      (weightedSum(
        value,
        Array.from({ length: count }, (_, place) => count + 1 - place),
      ) *
        10) %
      11;
    return rest === 10 ? 0 : rest;
  };
  return (
    new Set(value).size > 1 &&
    digitOf(9) === Number(value[9]) &&
    digitOf(10) === Number(value[10]) &&
    value !== '12345678909'
  );
}

export function isPesel(value: string): boolean {
  return weightedSum(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0 && new Set(value).size > 2;
}

/** The check digit of an EAN. */
export function isAhv(value: string): boolean {
  return (
    weightedSum(value, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0 &&
    value !== '7569217076985' &&
    value !== '7561234567897'
  );
}
