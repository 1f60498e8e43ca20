import { below, isPlainPath, unmapped, type Mapped } from '../mapping.ts';
import type { Automount } from './conf.ts';

export interface WslPlaces {
  readonly distribution: string;
  readonly automount: Automount;
}

/** Names that Windows gives to devices, with any extension. */
const devices = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?$/iu;
// eslint-disable-next-line no-control-regex
const forbidden = /[<>:"|?*\u0000-\u001f\\/]/u;

/**
 * Where a path of Windows lies in the distribution. `C:\a b` is below the automount root, `\\wsl$\NAME\home` and
 * `\\wsl.localhost\NAME\home` are paths of the distribution itself; other servers are not there. Whatever Windows would understand
 * otherwise than it is written (`.`, `..`, trailing dots and blanks, streams, devices, paths that depend on a current drive) is not mapped.
 */
export function toWslGuest(path: string, { distribution, automount }: WslPlaces): Mapped {
  const spelled = path.replaceAll('/', '\\');
  const drive = /^(?:\\\\\?\\)?([a-zA-Z]):(\\.*)$/su.exec(spelled);
  if (drive !== null) return automount.kind === 'none' ? unmapped('the distribution does not mount the drives of Windows') : joined(`${automount.root}/${(drive[1] ?? '').toLowerCase()}`, drive[2] ?? '');
  const share = /^\\\\(?:wsl\$|wsl\.localhost)\\([^\\]+)(\\.*)?$/isu.exec(spelled);
  if (share === null) return unmapped(spelled.startsWith('\\\\') ? 'it is on another computer, or no path of a file' : 'it is no absolute path');
  return (share[1] ?? '').toLowerCase() === distribution.toLowerCase() ? joined('', share[2] ?? '') : unmapped('it belongs to another distribution');
}

function joined(root: string, rest: string): Mapped {
  const names = namesIn(rest);
  if (names === undefined) return unmapped('Windows does not take it as it is written');
  return { kind: 'mapped', path: `${root}${names.map((name) => `/${name}`).join('')}` || '/', access: 'writable' };
}

/** The names of `\a\b\`. */
function namesIn(rest: string): readonly string[] | undefined {
  const names = rest.split('\\').slice(1);
  const whole = names.at(-1) === '' ? names.slice(0, -1) : names;
  return whole.every(isPlainName) ? whole : undefined;
}

function isPlainName(name: string): boolean {
  return name !== '' && !/[. ]$/u.test(name) && !forbidden.test(name) && !devices.test(name);
}

/** Where a path of the distribution lies in Windows; names that Windows cannot have are not mapped. */
export function toWslHost(path: string, { distribution, automount }: WslPlaces): Mapped {
  if (!isPlainPath(path)) return unmapped('it is no absolute path in its plain form');
  const names = path === '/' ? [] : path.slice(1).split('/');
  if (!names.every(isPlainName)) return unmapped('Windows cannot have such a name');
  const drive = automount.kind === 'at' ? /^\/([a-z])(\/.*)?$/su.exec(below(automount.root, path) ?? '') : null;
  const windows = drive === null ? `\\\\wsl.localhost\\${distribution}${path}` : `${(drive[1] ?? '').toUpperCase()}:${drive[2] ?? '/'}`;
  return { kind: 'mapped', path: windows.replaceAll('/', '\\'), access: 'writable' };
}
