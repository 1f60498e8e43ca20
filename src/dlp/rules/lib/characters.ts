export const digit = '0123456789';
const upper = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const asciiLetters = `${upper}${upper.toLowerCase()}`;
export const alphanumeric = `${digit}${asciiLetters}`;
/** Characters of base64url and of names. */
export const wordOrDash = `${alphanumeric}_-`;

/** Returns true for `0-9`, `A-Z`, `a-z`, `_`. False for NaN, which `charCodeAt` returns outside a text. */
export function isWord(code: number): boolean {
  return isAlphanumeric(code) || code === 95;
}

export function isAlphanumeric(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}
