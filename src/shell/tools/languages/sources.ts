import type { HostEffect, Word } from '../../types.ts';
import { locationOfUrl } from '../hosts.ts';
import { unknownHost } from '../notation.ts';
import type { Refine } from '../types.ts';
import { wordAsTyped, plainText } from '../words.ts';

/**
 * Packages named by a location instead of a name: `git+https://…`, `name @ https://…`, `github:owner/name`,
 * `owner/name`.
 */
export const packageSources: Refine = (parsed) => ({ hosts: parsed.operands.flatMap(hostsOf) });

function hostsOf(word: Word): readonly HostEffect[] {
  const text = plainText(word) ?? wordAsTyped(word);
  // Longer texts are not names, and the patterns below could be slow on them.
  if (text.length > 2048) return [unknownHost(`${text.slice(0, 40)}…`)];
  const slashes = text.indexOf('://');
  if (slashes !== -1) {
    const scheme = /[a-z][a-z\d.-]*$/iu.exec(text.slice(0, slashes))?.[0] ?? 'https';
    const where = locationOfUrl(scheme + (text.slice(slashes).split(/\s/u, 1)[0] ?? ''));
    return where.kind === 'host' ? [where.host] : [];
  }
  if (/^(?:github:)?(?!@)[\w-]+\/[\w.-]+(?:#.*)?$/u.test(text)) return [{ host: 'github.com', port: 443, text }];
  return /^(?:gitlab|bitbucket|gist|npm|git|jsr):|^[\w.-]+@[\w.-]+:/u.test(text) ? [unknownHost(text)] : [];
}
