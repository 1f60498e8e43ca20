import { posix } from 'node:path';

/** The files that one argument of a command may name, as paths relative to the root. */
export interface CallLogFile {
  readonly candidates: readonly string[];
  /** Reported as missing if none of the files exists. Set if the argument can only be a file. */
  readonly expected?: string;
}

export interface NamingFile {
  /** Path of the file with the commands. */
  readonly path: string;
  /** Components of its surface. */
  readonly components: readonly string[];
  readonly root: string;
  /** Working directories of its commands, as the file names them. Default: none. */
  readonly directories?: readonly string[];
}

/** Characters of all commands of a file. Longer text is generated, and its hash still shows a change. */
const mostCharacters = 256 << 10;
const mostWords = 2000;
const longestWord = 512;
/** Directories that are tried for one argument. */
const mostBases = 12;
/** Options between an interpreter and its script. */
const mostOptions = 6;

/**
 * Returns the files of the repository that the commands of a file may name, without checking that they exist.
 * Interpreters, shells, `npx` and hooks resolve names from different directories. These are the directories of the file
 * and of the configuration, the root, a directory that the file names, and the target of a `cd`. All of them count.
 */
export function namedFiles(commands: readonly string[], naming: NamingFile): readonly CallLogFile[] {
  const text = commands.join('\n').slice(0, mostCharacters);
  const words = wordsOf(text).slice(0, mostWords);
  const entered = words.filter((_, index) => entering.test(words[index - 1] ?? ''));
  const bases = basesOf(naming, entered);
  const named = words.map((word, index) =>
    namedFile(word, words.slice(Math.max(0, index - mostOptions), index), { bases, naming }),
  );
  const spaced = spacedWords(commands, text).map(
    (word): CallLogFile => ({ candidates: namedFile(word, [], { bases, naming }).candidates }),
  );
  const unique = new Map(
    [...named, ...spaced].filter(({ candidates }) => candidates.length > 0).map((file) => [file.candidates[0], file]),
  );
  return [...unique.values()];
}

/** Words before a directory in which the command continues. */
const entering = /^(?:cd|pushd|-C|--prefix|--cwd|--dir|--directory)$/u;

function basesOf(
  { path, components, root, directories = [] }: NamingFile,
  entered: readonly string[],
): readonly string[] {
  const parts = path.split('/');
  const owner = parts.slice(0, Math.max(0, parts.length - components.length)).join('/');
  const own = [owner, parts.slice(0, -1).join('/'), ''];
  const named = [...directories.flatMap((directory) => wordsOf(directory).slice(0, 1)), ...entered].map((word) =>
    word.startsWith(`${root}/`) ? word.slice(root.length + 1) : word,
  );
  const inner = named
    .filter((word) => !word.startsWith('/'))
    .flatMap((word) => own.map((base) => posix.join(base, word)));
  return [...new Set([...own, ...inner])].slice(0, mostBases);
}

/** A path with blanks is a whole argument, or is quoted. */
function spacedWords(commands: readonly string[], text: string): readonly string[] {
  const quoted = [...text.matchAll(/"(?<double>[^"\n]{1,512})"|'(?<single>[^'\n]{1,512})'/gu)].map(
    ({ groups = {} }) => groups['double'] ?? groups['single'] ?? '',
  );
  return [...commands, ...quoted]
    .map((word) => word.replaceAll(variablePrefix, './').trim())
    .filter((word) => /\s/u.test(word) && word.length <= longestWord && scriptName.test(word))
    .slice(0, mostWords);
}

/**
 * `$CLAUDE_PROJECT_DIR/`, `${workspaceFolder}/`, `$PROJECT_DIR$/`, `{{config_root}}/`, `$(git rev-parse
 * --show-toplevel)/`: each of these likely leads to the repository.
 */
const variablePrefix =
  /(?:"?\$\{[^}\s]{1,100}\}"?|"?\$\([^)\n]{1,200}\)"?|"?\$\w{1,100}\$?"?|\{\{[^}\s]{1,100}\}\}|%\w{1,100}%)[\\/]/gu;
const wordBreaks = /[\s"'`;|&<>(){}$=,]+/u;

function wordsOf(command: string): readonly string[] {
  return command
    .replaceAll(variablePrefix, ' ./')
    .split(wordBreaks)
    .filter((word) => word !== '' && word.length <= longestWord);
}

interface Naming {
  readonly bases: readonly string[];
  readonly naming: NamingFile;
}

const interpreters =
  /^(?:.*\/)?(?:node|deno|bun|tsx|ts-node|npx|python[\d.]*|ruby|perl|php|lua|sh|bash|zsh|dash|ksh|fish|pwsh|source|\.|exec|env)$/u;

function namedFile(word: string, before: readonly string[], { bases, naming }: Naming): CallLogFile {
  if (before.at(-1) === '-m' && /^[\w.]+$/u.test(word))
    return { candidates: inBases(moduleFiles(word.replaceAll('.', '/')), bases) };
  const path = word.startsWith(`${naming.root}/`) ? word.slice(naming.root.length + 1) : word;
  const isRun = before.some((each) => interpreters.test(each));
  if (/^[-/~]|:\/\/|^\.*$/u.test(path) || (!/[./]/u.test(path) && !isRun) || hiddenAnyway.test(path))
    return { candidates: [] };
  const candidates = inBases(variants(path, isRun), bases).filter((candidate) => candidate !== naming.path);
  const first = candidates[0];
  const isExpected = /^\.{1,2}\/./u.test(path) || (path.includes('/') && scriptName.test(path));
  return first !== undefined && isExpected ? { candidates, expected: first } : { candidates };
}

/** Boxes do not get this file (`policy/builtin/hidden.ts`) because it holds secrets, so its bytes need not be kept. */
const hiddenAnyway = /(?:^|\/)\.env(?:\.[^/]*)?$/u;

/** Completes a name as Node, Bun and Python do. */
function variants(path: string, isRun: boolean): readonly string[] {
  if ((!path.includes('/') && !isRun) || scriptName.test(path)) return [path];
  return [
    path,
    ...['.js', '.mjs', '.cjs', '.ts', '.sh', '/index.js', '/index.ts', '/__main__.py', '/package.json'].map(
      (ending) => `${path.replace(/\/$/u, '')}${ending}`,
    ),
  ];
}

function moduleFiles(path: string): readonly string[] {
  return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`];
}

/** Returns normalised paths below the root. */
function inBases(paths: readonly string[], bases: readonly string[]): readonly string[] {
  const all = bases.flatMap((base) => paths.map((path) => posix.normalize(posix.join(base, path))));
  return [...new Set(all)].filter(
    (path) => path !== '.' && path !== '..' && !path.startsWith('../') && !path.startsWith('/') && !path.endsWith('/'),
  );
}

/** A file that an interpreter runs. */
export const scriptName = /\.(?:sh|bash|zsh|fish|js|mjs|cjs|ts|mts|cts|tsx|jsx|py|rb|pl|php|lua|ps1|cmd|bat|exe)$/iu;
