import { hash } from 'node:crypto';
import { loadsCode } from '../../shell/loads-code.ts';
import { present } from '../../text/index.ts';

/** Characters of a value that are shown. A longer one has its hash beside it, so that a change is seen. */
const longest = 2000;
const longestKey = 200;

/** Filtered, and cut with a count and the hash of the whole. */
export function shownValue(text: string): string {
  const shown = present('report', text.slice(0, longest)).text;
  return text.length <= longest ? shown : `${shown}… (${text.length - longest} more characters, sha256 ${hash('sha256', text)})`;
}

/** Keys by dots, filtered; a key that has a dot itself has a backslash before it. */
export function shownPath(keys: readonly string[]): string {
  return keys.map((key) => present('file-name', key.length <= longestKey ? key : `${key.slice(0, longestKey)}…${hash('sha256', key).slice(0, 16)}`).text.replaceAll('.', '\\.')).join('.');
}

/** What stands instead of a secret. */
export const secretValue = '(a secret, not shown)';

const holders = new Set(['env', 'environment', 'headers', 'http_headers', 'remoteEnv', 'containerEnv', 'auth', 'oauth']);
const secretName = /(?:^|[_\-.])(?:token|secret|password|passwd|passphrase|credentials?|api[_-]?key|apikey|key|authorization|cookie|jwt|pat)(?:$|[_\-.])/iu;

/** Whether the value is somebody's key rather than something that does anything: `env.API_TOKEN`, `headers.Authorization`. */
export function isSecret(keys: readonly string[]): boolean {
  const name = keys.at(-1) ?? '';
  return keys.slice(0, -1).some((key) => holders.has(key)) && secretName.test(name) && !loadsCode(name);
}
