/** Whether digits and letters of both cases stand in a value. Of 43 random characters of base62 all but one in 2000 have them; names in code hardly ever. */
export function isMixed(value: string): boolean {
  return /\d/u.test(value) && /[a-z]/u.test(value) && /[A-Z]/u.test(value);
}
