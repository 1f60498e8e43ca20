/** RFC 3454 C.1.2: spaces that become the one of ASCII. */
const spaces = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000]/gu;
/** RFC 3454 B.1: what is dropped. */
const nothing = /\u00ad|\u034f|\u1806|[\u180b-\u180d]|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/gu;
/** RFC 3454 C.2 to C.9, by the categories of today's Unicode. */
const prohibited = /[\p{Cc}\p{Cn}\p{Co}\p{Cs}\u2028\u2029\ufff9-\ufffd\u2ff0-\u2ffb\u200e\u200f\u202a-\u202e\u206a-\u206f]|\u0340|\u0341/u;

/**
 * A password as PostgreSQL hashes it: by SASLprep (RFC 4013), and as it is where that refuses it (pg_saslprep). Rules
 * about the direction of writing are not looked at; ASCII stays as it is.
 */
export function prepare(password: string): string {
  // oxlint-disable-next-line no-control-regex -- ASCII, all of it
  if (/^[\u0000-\u007f]*$/u.test(password)) return password;
  const prepared = password.replaceAll(spaces, ' ').replaceAll(nothing, '').normalize('NFKC');
  return prepared === '' || prohibited.test(prepared) ? password : prepared;
}
