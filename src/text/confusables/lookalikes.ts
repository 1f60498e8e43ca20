import { once } from '../unicode/once.ts';

/** The ASCII character that the character looks like in common fonts, or undefined. ASCII itself looks like itself. */
export function lookalikeOf(point: number): string | undefined {
  if (point < 0x80) return String.fromCharCode(point);
  const variant = compatibilityVariant(point);
  return variant ?? table().get(point);
}

/**
 * Letters of other alphabets drawn like ASCII ones. Chosen by hand from the single characters that confusables.txt of
 * UTS #39 (revision 32) maps to an ASCII letter or digit; left out: letters that only resemble one (ю, π), and those
 * that languages in Latin letters need (ı, ł, ß).
 */
export const letters: Readonly<Record<string, string>> = {
  a: '251,3b1,430', b: '184,42c,13cf,15af', c: '3f2,441,1d04,2ca5,abaf', d: '501,13e7,146f', e: '435,4bd,212e', f: '584,a799', g: '18d,261,581,1d83',
  h: '4bb,570,13c2', i: '269,3b9,456,a647,ab75,13a5', j: '3f3,458', k: '3ba,138', l: '196,1c0,4c0,4cf,5c0,5d5,5df,627,7ca,2d4f,a4f2', m: '1d0d', n: '578,57c',
  o: '3bf,3c3,43e,585,5e1,647,665,966,9e6,a66,ae6,b66,be6,c66,ce6,d66,d82,e50,ed0,101d,1040,10ff,1d0f,2c9f', p: '3c1,440,2ca3', q: '51b,563,566', r: '433,1d26,2c85,ab81', s: '1bd,455,a731',
  t: '3c4,1d1b', u: '28b,3c5,446,57d,1d1c', v: '3bd,475,5d8,1d20,aba9', w: '26f,461,51d,561,1d21,ab83', x: '445,1541,157d', y: '443,4af,263,28f,3b3,1eff,10e7', z: '1d22,ab93',
  A: '391,410,13aa,15c5,a4ee', B: '392,412,13f4,15f7,a4d0', C: '421,3f9,13df,2ca4,a4da', D: '13a0,15de,a4d3', E: '395,415,13ac,2d39,a4f0', F: '3dc,15b4,a4dd', G: '50c,13c0,13f3,a4d6', H: '397,41d,13bb,157c,2c8e,a4e7',
  I: '399,406,2c92', J: '37f,408,13ab,148d,a4d9', K: '39a,41a,13e6,16d5,2c94,a4d7', L: '13de,14aa,2cd0,a4e1', M: '39c,3fa,41c,13b7,15f0,16d6,2c98,a4df', N: '39d,2c9a,a4e0', O: '39f,41e,555,7c0,12d0,2c9e,2d54,a4f3',
  P: '3a1,420,13e2,146d,2ca2,a4d1', Q: '51a,2d55', R: '1a6,13a1,13d2,1587,a4e3', S: '405,54f,13d5,13da,a4e2', T: '3a4,422,13a2,2ca6,a4d4', U: '54d,144c,a4f4', V: '474,13d9,142f,2d38,a4e6', W: '51c,13b3,13d4,a4ea',
  X: '3a7,425,166d,16b7,2cac,2d5d,a4eb', Y: '3a5,4ae,423,13a9,13bd,2ca8,a4ec', Z: '396,13c3,a4dc', 2: '1a7,3e8,14bf,a644', 3: '1b7,21c,417,4e0,2ccc,a76a,a7ab', 4: '13ce', 5: '1bc', 6: '431,13ee,2cd2', 8: '222,223,9ea,a6a', 9: '9ed,a67,b68,d6d,a76e,2cca',
};

const table = once(() => new Map(Object.entries(letters).flatMap(([ascii, points]) => points.split(',').map((point) => [Number.parseInt(point, 16), ascii] as const))));

/** Fullwidth forms and the alphabets of mathematics, which NFKC folds to ASCII. */
function compatibilityVariant(point: number): string | undefined {
  if (point >= 0xff01 && point <= 0xff5e) return String.fromCharCode(point - 0xfee0);
  if (point >= 0x1d7ce && point <= 0x1d7ff) return String((point - 0x1d7ce) % 10);
  if (point < 0x1d400 || point > 0x1d6a3) return undefined;
  const index = (point - 0x1d400) % 52;
  return String.fromCharCode(index < 26 ? 0x41 + index : 0x61 + index - 26);
}
