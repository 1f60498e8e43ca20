import { passesLuhn } from '../lib/remainders.ts';
import {
  isAhv,
  isBsn,
  isCodiceFiscale,
  isCpf,
  isNir,
  isPesel,
  isSteuerId,
  passesVerhoeff,
} from '../personal/national-ids.ts';
import type { Samples } from '../types.ts';

export const emailSamples: Samples = {
  found: [
    { why: 'in a sentence', before: 'Write to ', text: 'maria.lindqvist@northwind-traders.se', after: '.' },
    { why: 'in brackets', before: 'Maria <', text: 'm.lindqvist+bills@mail.northwind.co.uk', after: '>' },
    { why: 'in JSON', before: '{"mail":"', text: 'o_brien@kilkenny.ie', after: '"}' },
    { why: 'in a link', before: 'mailto:', text: 'office@lindqvist.se', after: '?subject=x' },
    { why: 'in an address', before: '?to=', text: 'office@lindqvist.se' },
  ],
  ignored: [
    { why: 'of documents', text: 'maria@example.com' },
    { why: 'of documents, below them', text: 'maria@mail.example.org' },
    { why: 'of a repository', text: 'git@github.com:a/b.git' },
    { why: 'a picture', text: 'logo@2x.png' },
    { why: 'a version', text: 'left-pad@1.3.0' },
    { why: 'a package', text: "import x from '@scope/name'" },
    { why: 'a decorator', text: 'class A { @observable.ref b }' },
    { why: 'hidden by a service', text: '12345+maria@users.noreply.github.com' },
    { why: 'no domain', text: 'maria@localhost' },
    { why: 'nothing but signs before it', text: '***@lindqvist.se' },
  ],
};

export const samples: Samples = {
  found: [
    { why: 'of Germany', before: 'Telefon: ', text: '+49 30 4417 2268' },
    { why: 'in one run', before: 'tel:', text: '+4930441722680' },
    { why: 'of North America', before: 'Call me: ', text: '(415) 672-4417' },
    { why: 'of North America with dots', before: 'mobile ', text: '415.672.4417' },
    { why: 'of North America with its prefix', before: 'phone = "', text: '+1 415-672-4417', after: '"' },
    { why: 'within a country', before: 'Tel. ', text: '030 / 4417 2268' },
  ],
  ignored: [
    { why: 'no word', text: '+49 30 4417 2268' },
    { why: 'a number', before: 'phone ', text: '9007199254740992' },
    { why: 'of stories', before: 'phone ', text: '(415) 555-0142' },
    { why: 'a version', before: 'phone app ', text: '1.22.333' },
    { why: 'a sum', before: 'cell ', text: 'x+4930441722680' },
    { why: 'a date', before: 'call at ', text: '2026-11-22' },
  ],
};

/** The first number that continues these digits and passes. */
function completed(start: string, missing: number, isRight: (value: string) => boolean): string {
  for (let rest = 0; rest < 10 ** missing; rest += 1) {
    const value = start + String(rest).padStart(missing, '0');
    if (isRight(value)) return value;
  }
  throw new Error(`No number begins with ${start}.`);
}

function cut(value: string, ...at: readonly number[]): string {
  return [0, ...at].map((start, index) => value.slice(start, at[index])).join(' ');
}

/** Changes the last character, so that an existing check fails. */
function spoiled(value: string): string {
  const last = value.at(-1) ?? '';
  return value.slice(0, -1) + (/\d/u.test(last) ? String((Number(last) + 1) % 10) : last === 'Z' ? 'Y' : 'Z');
}

function samplesOf(before: string, values: readonly string[], wrong: readonly string[]): Samples {
  return {
    found: values.map((text, index) => ({ why: `form ${index + 1}`, before, text })),
    ignored: [
      { why: 'no word stands near it', text: values[0] ?? '' },
      ...wrong.map((text, index) => ({ why: `not right, ${index + 1}`, before, text })),
    ],
  };
}

const steuerId = completed('6592997048', 1, isSteuerId);
const nir = completed('1850578006084', 2, isNir);
/** Keys of 1850519006084 and 1850518006084. */
const corsican = ['185052A00608435', '185052B00608462'];
const fiscale = `BNCGLI92D44F205${[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].find((last) => isCodiceFiscale(`BNCGLI92D44F205${last}`)) ?? ''}`;
const bsn = completed('31974618', 1, isBsn);
const cpf = completed('529982247', 2, isCpf);
const aadhaar = completed('49911886543', 1, passesVerhoeff);
const sin = completed('54681239', 1, passesLuhn);
const pesel = completed('8507142817', 1, isPesel);
const ahv = completed('756304785216', 1, isAhv);

export const nationalIdSamples: ReadonlyMap<string, Samples> = new Map([
  [
    'us-ssn',
    samplesOf(
      'SSN: ',
      ['536-22-8145', '536 22 8145', '536228145'],
      ['000-22-8145', '666-22-8145', '936-22-8145', '536-00-8145', '536-22-0000', '078-05-1120', '536-22 8145'],
    ),
  ],
  [
    'uk-nino',
    samplesOf(
      'National Insurance number ',
      ['JG 10 37 59 A', 'JG103759A'],
      ['GB103759A', 'DG103759A', 'JG103759E', 'QQ123456C'],
    ),
  ],
  ['de-steuer-id', samplesOf('Steuer-ID: ', [steuerId, cut(steuerId, 2, 5, 8)], [spoiled(steuerId), '01234567890'])],
  [
    'fr-nir',
    samplesOf('N° sécu : ', [nir, cut(nir, 1, 3, 5, 7, 10, 13), ...corsican], [spoiled(nir), ...corsican.map(spoiled)]),
  ],
  [
    'es-dni',
    samplesOf(
      'DNI ',
      ['54362315K', 'X3945287R'.replace(/.$/u, 'TRWAGMYFPDXBNJZSQVHLCKE'[3945287 % 23] ?? '')],
      ['54362315L', '12345678Z'],
    ),
  ],
  ['it-codice-fiscale', samplesOf('Codice fiscale: ', [fiscale], [spoiled(fiscale)])],
  ['nl-bsn', samplesOf('BSN ', [bsn], [spoiled(bsn), '111222333'])],
  [
    'br-cpf',
    samplesOf(
      'CPF ',
      [cpf, `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`],
      [spoiled(cpf), '11111111111'],
    ),
  ],
  ['in-aadhaar', samplesOf('Aadhaar: ', [cut(aadhaar, 4, 8), aadhaar], [spoiled(aadhaar)])],
  ['ca-sin', samplesOf('SIN ', [cut(sin, 3, 6), sin], [spoiled(sin)])],
  ['pl-pesel', samplesOf('PESEL ', [pesel], [spoiled(pesel)])],
  [
    'ch-ahv',
    samplesOf('AHV-Nr. ', [`756.${ahv.slice(3, 7)}.${ahv.slice(7, 11)}.${ahv.slice(11)}`, ahv], [spoiled(ahv)]),
  ],
]);
