import { lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { pathFact } from '../host/path-facts.ts';
import { readText } from '../host/read-text.ts';
import { isInside } from '../host/workspace.ts';
import { hookNames, runningKeys } from '../../git-config/keys.ts';
import { type GitSetting, parseGitConfig } from '../../git-config/parse.ts';
import { homeLinks } from './home-links.ts';
import { hooksIn } from './hooks.ts';
import { modulesIn } from './modules.ts';
import { stampFile, stampLinks, stampListing, variablesOf, type FileStamp, type GitConfigStamp } from './stamp.ts';

export interface GitWorkspace {
  readonly workTree: string;
  /** Git directories outside of the work tree that belong to it. */
  readonly gitDirectories: readonly string[];
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Targets of git's configuration, hooks and links of the home, and the current files that name them. */
export interface GitPrograms {
  /** Absolute paths as they are named, every symlink on the way, and their targets. */
  readonly paths: readonly string[];
  /** The files of configuration, with everything that they include. Some may be missing. */
  readonly configs: readonly string[];
  readonly stamp: GitConfigStamp;
}

/** Far more than a person configures. Each path is compared with every name of the work tree. */
const most = { paths: 256, files: 256 };

/**
 * Reads the configuration of the repository, of its worktree and submodules, of the user and of the system, with all
 * included files.
 * Then reads the hooks, and follows the links of the home.
 */
export function readGitPrograms(place: GitWorkspace): GitPrograms {
  const { paths, files, hooks } = readConfiguration(place);
  const configs = [...files.keys()];
  const started = hooks.flatMap(({ directory, workTree }) => hooksIn(directory, workTree));
  const { linked, seen, places } = homeLinks(place.home);
  for (const path of [...hooks.map(({ directory }) => directory), ...started.map((hook) => hook.path), ...seen])
    files.set(path, stampListing(path));
  for (const path of [...started.flatMap((hook) => hook.leads), ...linked])
    for (const way of waysTo(path)) paths.add(way);
  // A link on the way to a program may lead elsewhere later.
  const later = [...places.map(stampLinks), ...[...paths].map(stampListing)];
  const here = [...paths].filter((path) => isInside(path, place.workTree));
  return {
    // A box could write paths of the work tree, so they come first and the others never displace them.
    paths: [...new Set([...here, ...paths])].slice(0, most.paths),
    configs,
    stamp: { files: [...files.values(), ...later], variables: variablesOf(place.environment) },
  };
}

interface Configuration {
  readonly paths: Set<string>;
  readonly files: Map<string, FileStamp>;
  /** Directories that contain hooks, with the directory in which git starts them. */
  readonly hooks: readonly { readonly directory: string; readonly workTree: string }[];
}

function readConfiguration(place: GitWorkspace): Configuration {
  const paths = new Set<string>();
  const files = new Map<string, FileStamp>();
  const own = [gitDirectoryOf(place.workTree), ...place.gitDirectories];
  const modules = own
    .flatMap((directory) => modulesIn(directory, (path) => path))
    .map((directory) => ({ directory, workTree: workTreeOf(directory) }));
  const hooks = [
    ...own.map((directory) => ({ directory: join(directory, 'hooks'), workTree: place.workTree })),
    ...modules.map(({ directory, workTree }) => ({ directory: join(directory, 'hooks'), workTree })),
  ];
  const waiting = [
    ...configFiles(place, own).map((file) => ({ file, workTree: place.workTree })),
    ...modules.flatMap(({ directory, workTree }) => configsIn(directory).map((file) => ({ file, workTree }))),
  ];
  for (let next = waiting.shift(); next !== undefined && files.size < most.files; next = waiting.shift()) {
    const { file, workTree } = next;
    if (files.has(file)) continue;
    // Stamped before the read, so that the next check notices a change made meanwhile.
    files.set(file, stampFile(file));
    for (const setting of parseGitConfig(readText(file)).settings) {
      const named = namedPrograms(setting, { directory: dirname(file), workTree, home: place.home, isFile });
      for (const path of named) for (const way of waysTo(path)) paths.add(way);
      // Ignores the condition of an include, because it may hold for the next command.
      if (setting.key.startsWith('include')) waiting.push(...named.map((included) => ({ file: included, workTree })));
      if (setting.key === 'core.hookspath')
        hooks.push(...named.filter((path) => !isFile(path)).map((directory) => ({ directory, workTree })));
    }
  }
  return { paths, files, hooks };
}

function configFiles(
  { workTree, home, environment }: GitWorkspace,
  gitDirectories: readonly string[],
): readonly string[] {
  const configHome = environment['XDG_CONFIG_HOME'] ?? join(home, '.config');
  const user =
    environment['GIT_CONFIG_GLOBAL'] === undefined
      ? [join(configHome, 'git/config'), join(home, '.gitconfig')]
      : [environment['GIT_CONFIG_GLOBAL']];
  const system = environment['GIT_CONFIG_SYSTEM'] ?? '/etc/gitconfig';
  return [system, ...user, join(workTree, '.git'), ...gitDirectories.flatMap(configsIn)];
}

function configsIn(directory: string): readonly string[] {
  return [join(directory, 'config'), join(directory, 'config.worktree')];
}

/** The work tree of a submodule. */
function workTreeOf(gitDirectory: string): string {
  const { settings } = parseGitConfig(readText(join(gitDirectory, 'config')));
  const told = settings.findLast(({ key }) => key === 'core.worktree')?.value ?? '';
  return resolve(gitDirectory, told);
}

/**
 * `.git`, or the directory that a `.git` file names. Reading another repository's configuration can only protect too
 * much.
 */
function gitDirectoryOf(workTree: string): string {
  const pointer = join(workTree, '.git');
  const target = /^gitdir: (.+?)\n?$/su.exec(readText(pointer))?.[1];
  return target === undefined ? pointer : resolve(workTree, target);
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

interface NamingPlace {
  /** Directory of the file that contains a setting. */
  readonly directory: string;
  readonly workTree: string;
  readonly home: string;
  /** Whether something other than a directory exists there. */
  readonly isFile: (path: string) => boolean;
}

/** Returns absolute paths that a setting makes git run or obey. */
function namedPrograms({ key, value = '' }: GitSetting, place: NamingPlace): readonly string[] {
  const use = runningKeys.find((entry) => entry.key.test(key))?.use;
  if (use === undefined || value === '') return [];
  if (use === 'path') return pathsOf(key, value, place);
  return use === 'alias' && !value.startsWith('!') ? [] : commandFiles(value, place);
}

/** Included files are relative to the including file, and all other paths to the top of the work tree. */
function pathsOf(key: string, value: string, place: NamingPlace): readonly string[] {
  const path = absolute(value, key.startsWith('include') ? place.directory : place.workTree, place.home);
  // The work tree as a whole must stay writable, and hooks in it have protected names.
  return key === 'core.hookspath' && path === place.workTree ? hookNames.map((name) => join(path, name)) : [path];
}

const wordBreaks = /[\s"'`;|&<>(){}$=\\]+/u;
const shells = /^(?:.*\/)?(?:sh|bash|dash|zsh|node|python[\d.]*|ruby|perl)$/u;
const looksLikePath = /^(?:\/|~\/|\.{1,2}\/)/u;

/**
 * Returns the words of a command that are files. A program with a slash in its name counts even if it does not exist
 * yet. A bare name is looked up in PATH, which leads to no writable root.
 */
function commandFiles(command: string, { workTree, home, isFile }: NamingPlace): readonly string[] {
  const words = command
    .replace(/^!/u, '')
    .split(wordBreaks)
    .filter((word) => word !== '');
  return words.flatMap((word, index) => {
    const path = absolute(word, workTree, home);
    const isStarted = index === 0 || (index === 1 && shells.test(words[0] ?? ''));
    const named = looksLikePath.test(word) || (isStarted && word.includes('/'));
    return path !== workTree && (named ? !path.endsWith('/') : index > 0 && isFile(path)) ? [path] : [];
  });
}

function absolute(path: string, base: string, home: string): string {
  const expanded = path.startsWith('~/') ? join(home, path.slice(2)) : path;
  return isAbsolute(expanded) ? resolve(expanded) : resolve(base, expanded);
}

/**
 * Returns the path, the symlinks on the way and their targets. A change of any of them makes the path lead elsewhere.
 */
function waysTo(path: string): readonly string[] {
  const missing: string[] = [];
  for (let above = path; ; above = dirname(above)) {
    const fact = pathFact(above);
    if (fact.kind === 'present') return [path, ...fact.symlinks, join(fact.real, ...missing)];
    if (above === '/') return [path];
    missing.unshift(above.slice(above.lastIndexOf('/') + 1));
  }
}
