/** A directory of a plan, mapped to a directory of Windows. */
export interface DriveMapping {
  readonly posix: string;
  /** For example `C:\` or `D:\work`. */
  readonly windows: string;
}

export type MappedPath =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'none'; readonly reason: string };
export type CanonicalPath =
  | { readonly kind: 'path'; readonly path: string; readonly stream?: string }
  | { readonly kind: 'none'; readonly reason: string };

/** Length of the longest path without a prefix, minus the length of a short file name. */
const longestPlain = 247;
const longestName = 255;
const longestPath = 32_000;

/**
 * Maps a plan's path to Windows, below the longest mapped directory. Never throws: an impossible path is returned with
 * the reason.
 */
export function windowsPath(posix: string, drives: readonly DriveMapping[]): MappedPath {
  const drive = drives
    .filter((each) => isBelow(posix, each.posix))
    .toSorted((a, b) => b.posix.length - a.posix.length)[0];
  if (drive === undefined) return none('no drive maps to it');
  const names = posix
    .slice(drive.posix.length)
    .split('/')
    .filter((name) => name !== '');
  const reason = names.map(nameProblem).find((problem) => problem !== undefined);
  if (reason !== undefined) return none(reason);
  const path = [drive.windows.replace(/(?<!\\)\\+$/u, ''), ...names].join('\\');
  if (path.length > longestPath) return none('it is too long');
  const whole = /^[A-Za-z]:$/u.test(path) ? `${path}\\` : path;
  return { kind: 'path', path: whole.length > longestPlain ? `\\\\?\\${whole}` : whole };
}

/**
 * Returns one spelling for every path of a local drive: `C:/a/./B`, `\\?\C:\a\b` and `c:\A\b::$DATA` are one file.
 * Refuses spellings that cannot be resolved: other machines (and this one by its name), devices, and paths relative to
 * a current directory. Refuses names that Windows changes, and names that may be short names of another file. Never
 * throws.
 */
export function canonicalPath(text: string): CanonicalPath {
  const verbatim = text.startsWith('\\\\?\\');
  const rest = verbatim ? text.slice(4) : text.replaceAll('/', '\\');
  if (/^unc\\/iu.test(rest) || (!verbatim && /^\\\\(?![.?]\\)/u.test(rest)))
    return none('it is on another machine, or is named as if');
  if (/^\\|^(?:globalroot|volume\{)/iu.test(rest)) return none('it is a device, or depends on the current drive');
  const [, letter, tail] = /^([A-Za-z]):\\(.*)$/su.exec(rest) ?? [];
  if (letter === undefined || tail === undefined) return none('it is not an absolute path of a drive');
  if (text.length > longestPath) return none('it is too long');
  const names = verbatim ? tail.split('\\') : resolved(tail.split('\\'));
  return fromNames(
    `${letter.toLowerCase()}:`,
    names.filter((name, index) => name !== '' || (verbatim && index < names.length - 1)),
  );
}

function fromNames(letter: string, names: readonly string[]): CanonicalPath {
  const [, last = '', stream] = /^([^:]*)(?::(.*))?$/su.exec(names.at(-1) ?? '') ?? [];
  const plain = names.length === 0 ? [] : [...names.slice(0, -1), last];
  const reason = plain.map(nameProblem).find((problem) => problem !== undefined);
  if (reason !== undefined) return none(reason);
  const path = folded(`${letter}\\${plain.join('\\')}`);
  return stream === undefined ? { kind: 'path', path } : { kind: 'path', path, stream };
}

/**
 * Folds letters as Windows file systems do: one by one, and only pairs of letters that map to each other. Attack: only
 * `toLowerCase` maps the Kelvin sign to `k`, so the entry of one file would also count for another.
 */
export function folded(text: string): string {
  return text.replaceAll(/\p{Lu}/gu, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length && lower.toUpperCase() === letter ? lower : letter;
  });
}

/** Device names of Windows, with any text after a dot. Source: Microsoft, "Naming Files, Paths, and Namespaces". */
const devices = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9\u00b9\u00b2\u00b3])$/iu;
/** `PROGRA~1`: a short name that the file system may give to a longer one. */
const shortName = /^[^.~]{1,6}~\d{1,6}(?:\.[^.]{0,3})?$/u;

/** Returns the reason that a name in a path is invalid or ambiguous. */
function nameProblem(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'it leads through no name';
  if (name.length > longestName || !name.isWellFormed()) return 'a name is too long or no text';
  if (name.includes(':')) return 'a colon names an alternate data stream';
  if (/[<>"|?*\\/\p{Cc}]/u.test(name)) return 'a name has characters that Windows reserves';
  if (/[. ]$/u.test(name)) return 'a name ends with a dot or a blank, which Windows takes away';
  if (devices.test((name.split('.', 1)[0] ?? '').trimEnd())) return 'a name is that of a device';
  if (shortName.test(name)) return 'a name could be the short one of another file';
  return undefined;
}

function resolved(names: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const name of names) {
    if (name === '..') kept.pop();
    else if (name !== '' && name !== '.') kept.push(name);
  }
  return kept;
}

function isBelow(path: string, directory: string): boolean {
  return directory === '/' ? path.startsWith('/') : path === directory || path.startsWith(`${directory}/`);
}

function none(reason: string): { readonly kind: 'none'; readonly reason: string } {
  return { kind: 'none', reason };
}
