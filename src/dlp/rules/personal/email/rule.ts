import { endOf } from '../../lib/at.ts';
import { alphanumeric, isAlphanumeric } from '../../lib/characters.ts';
import type { Rule } from '../../types.ts';

/** RFC 5321 §4.5.3.1.1. */
const longestLocalPart = 64;
const ofLocalPart = "!#$%&'*+/=?^_`{|}~.-";
const domain = /@(?:[0-9A-Za-z](?:[0-9A-Za-z-]{0,61})\.){1,8}[A-Za-z]{2,24}(?![0-9A-Za-z@_-])/uy;

/** Addresses that nobody has: RFC 2606, RFC 6761. `git@…` and the like are names of services, and files have `@` in their names. */
const documented = /@(?:[\w.-]{1,255}\.)?(?:example|test|invalid|localhost|local|example\.(?:com|org|net|edu)|(?:domain|email|company|yourdomain|acme|foo|bar|test)\.com)$/u;
const services = /^(?:git|hg|svn|no-?reply|donotreply|noreply-[\w-]{1,60}|ssh|root|user|username|you|name|someone|me|foo|bar|test|example|john\.?doe|jane\.?doe)@|@users\.noreply\.github\.com$/u;
const files = /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|scss|js|mjs|cjs|ts|tsx|jsx|json|md|html?|map|py|rb|go|rs|java|txt|ya?ml|wasm|node|lock)$/u;

/** The address of a person, by its form alone. */
export const email: Rule = {
  name: 'email',
  leads: [[`${alphanumeric}_-+'!#$%&*/=?^\`{|}~.`, '@', alphanumeric]],
  match(text, at) {
    const end = endOf(domain, text, at + 1);
    if (end === undefined) return undefined;
    let start = at + 1;
    while (at + 1 - start < longestLocalPart && isOfLocalPart(text, start - 1)) start -= 1;
    // What quotes, paths and assignments leave before an address.
    while (start <= at && !isAlphanumeric(text.charCodeAt(start))) start += 1;
    const address = text.slice(start, end).toLowerCase();
    const isNobodys = start > at || documented.test(address) || services.test(address) || files.test(address);
    return isNobodys ? undefined : { start, end };
  },
  sources: ['https://www.rfc-editor.org/rfc/rfc5321', 'https://www.rfc-editor.org/rfc/rfc2606'],
};

function isOfLocalPart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (at < 0 || text[at] === '=' || text[at] === '/') return false;
  return isAlphanumeric(code) || ofLocalPart.includes(text[at] ?? ' ');
}
