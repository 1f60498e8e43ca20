import { passesLuhn } from '../../lib/luhn.ts';
import type { Samples } from '../../types.ts';
import { isAhv, isBsn, isCodiceFiscale, isCpf, isNir, isPesel, isSteuerId } from './checks.ts';
import { passesVerhoeff } from './verhoeff.ts';

/** The first number that goes on from these digits and passes. */
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

/** Changes the last character, so that a check fails that has one. */
function spoiled(value: string): string {
  const last = value.at(-1) ?? '';
  return value.slice(0, -1) + (/\d/u.test(last) ? String((Number(last) + 1) % 10) : last === 'Z' ? 'Y' : 'Z');
}

function samplesOf(before: string, values: readonly string[], wrong: readonly string[]): Samples {
  return {
    found: values.map((text, index) => ({ why: `form ${index + 1}`, before, text })),
    ignored: [{ why: 'no word stands near it', text: values[0] ?? '' }, ...wrong.map((text, index) => ({ why: `not right, ${index + 1}`, before, text }))],
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
  ['us-ssn', samplesOf('SSN: ', ['536-22-8145', '536 22 8145', '536228145'], ['000-22-8145', '666-22-8145', '936-22-8145', '536-00-8145', '536-22-0000', '078-05-1120', '536-22 8145'])],
  ['uk-nino', samplesOf('National Insurance number ', ['JG 10 37 59 A', 'JG103759A'], ['GB103759A', 'DG103759A', 'JG103759E', 'QQ123456C'])],
  ['de-steuer-id', samplesOf('Steuer-ID: ', [steuerId, cut(steuerId, 2, 5, 8)], [spoiled(steuerId), '01234567890'])],
  ['fr-nir', samplesOf('N° sécu : ', [nir, cut(nir, 1, 3, 5, 7, 10, 13), ...corsican], [spoiled(nir), ...corsican.map(spoiled)])],
  ['es-dni', samplesOf('DNI ', ['54362315K', 'X3945287R'.replace(/.$/u, 'TRWAGMYFPDXBNJZSQVHLCKE'[3945287 % 23] ?? '')], ['54362315L', '12345678Z'])],
  ['it-codice-fiscale', samplesOf('Codice fiscale: ', [fiscale], [spoiled(fiscale)])],
  ['nl-bsn', samplesOf('BSN ', [bsn], [spoiled(bsn), '111222333'])],
  ['br-cpf', samplesOf('CPF ', [cpf, `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`], [spoiled(cpf), '11111111111'])],
  ['in-aadhaar', samplesOf('Aadhaar: ', [cut(aadhaar, 4, 8), aadhaar], [spoiled(aadhaar)])],
  ['ca-sin', samplesOf('SIN ', [cut(sin, 3, 6), sin], [spoiled(sin)])],
  ['pl-pesel', samplesOf('PESEL ', [pesel], [spoiled(pesel)])],
  ['ch-ahv', samplesOf('AHV-Nr. ', [`756.${ahv.slice(3, 7)}.${ahv.slice(7, 11)}.${ahv.slice(11)}`, ahv], [spoiled(ahv)])],
]);
