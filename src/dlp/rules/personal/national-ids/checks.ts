import { remainderOf, weightedSum } from '../../lib/remainders.ts';

/** No area 000, 666 or 900 to 999, no group 00, no serial 0000; and not the numbers of advertisements. */
export function isSsn(value: string): boolean {
  return /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/u.test(value) && !['078051120', '219099999', '123456789', '111223333', '123121234'].includes(value);
}

export function isNino(value: string): boolean {
  return !/^(?:BG|GB|KN|NK|NT|TN|ZZ)/u.test(value) && value !== 'QQ123456C' && value !== 'AB123456C';
}

/** Of the first ten digits one stands there two or three times, and the last is the check digit of ISO 7064, MOD 11,10. */
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

/** The key is 97 less the remainder; Corsica's departments count as 19 and 18. */
export function isNir(value: string): boolean {
  const digits = value.replace('2A', '19').replace('2B', '18');
  return 97 - remainderOf(digits.slice(0, 13), 97) === Number(digits.slice(13));
}

/** DNI and NIE: the letter is the remainder by 23. `X`, `Y` and `Z` count as 0, 1 and 2. */
export function isDni(value: string): boolean {
  const digits = value.slice(0, -1).replace(/^[XYZ]/u, (letter) => String('XYZ'.indexOf(letter)));
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(digits) % 23] === value.at(-1) && digits !== '12345678' && digits !== '00000000';
}

const oddPlaces = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

export function isCodiceFiscale(value: string): boolean {
  let sum = 0;
  for (const [place, character] of value.slice(0, 15).split('').entries()) {
    const number = /\d/u.test(character) ? Number(character) : character.charCodeAt(0) - 65;
    sum += place % 2 === 0 ? (oddPlaces[number] ?? 0) : number;
  }
  return String.fromCharCode(65 + (sum % 26)) === value[15] && value !== 'RSSMRA85T10A562S';
}

/** The eleven-test: the last digit counts as minus one. */
export function isBsn(value: string): boolean {
  return weightedSum(value, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && new Set(value).size > 2 && value !== '111222333' && value !== '123456782';
}

export function isCpf(value: string): boolean {
  const digitOf = (count: number): number => {
    const rest = (weightedSum(value, Array.from({ length: count }, (_, place) => count + 1 - place)) * 10) % 11;
    return rest === 10 ? 0 : rest;
  };
  return new Set(value).size > 1 && digitOf(9) === Number(value[9]) && digitOf(10) === Number(value[10]) && value !== '12345678909';
}

export function isPesel(value: string): boolean {
  return weightedSum(value, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0 && new Set(value).size > 2;
}

/** The check digit of an EAN. */
export function isAhv(value: string): boolean {
  return weightedSum(value, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0 && value !== '7569217076985' && value !== '7561234567897';
}
