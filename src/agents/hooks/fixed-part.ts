import { invalidCall } from './failure.ts';

/** Characters. Attack: the server is held up by a pattern that is looked through again from each of its characters. */
const longest = 4096;

/**
 * Of a pattern of files, up to the first directory that is no plain name: what is read lies below it.
 *
 * @throws HoldfastError `HF_HOOK_INVALID` where what comes behind may lead elsewhere.
 */
export function fixedPart(pattern: string): string {
  if (pattern.length > longest) throw invalidCall(`a pattern has more than ${longest} characters`);
  const wild = pattern.search(/[*?[{(!\\]/u);
  if (wild === -1) return pattern;
  const start = pattern.lastIndexOf('/', wild) + 1;
  // A character that is escaped, or alone in its class, is that character.
  const rest = pattern.slice(start).replaceAll(/[\\[\]]/gu, '');
  if (mayGoUp(rest)) throw invalidCall('a pattern goes up with .. behind a wildcard');
  if (start === 0 && mayBeAbsolute(rest.trimStart())) throw invalidCall('a pattern has absolute paths among its alternatives');
  return pattern.slice(0, start) || '.';
}

/** Attack: `.{.,x}/secret`, which is `../secret` among others, and `..{/secret,x}`. */
function mayGoUp(rest: string): boolean {
  const pieces = rest.split(/[/{},()|!]/u);
  return pieces.includes('..') || (rest.includes('{') && pieces.filter((piece) => piece === '.').length > 1);
}

/** Attack: `{,x}/etc/passwd`, which is `/etc/passwd` among others. A range may have an alternative that is empty. */
function mayBeAbsolute(rest: string): boolean {
  if (!/^[!{(/]/u.test(rest)) return false;
  const hasEmpty = /[{,][,}]|\.\./u.test(rest);
  return /(?:^|[!{,(|])\s*[~/]/u.test(rest) || (hasEmpty && /\}\s*[~/]/u.test(rest));
}
