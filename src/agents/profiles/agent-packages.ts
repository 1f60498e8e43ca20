import { lstatSync, readFileSync, realpathSync, readdirSync } from 'node:fs';
import { dirname, join, basename } from 'node:path';
import { HoldfastError } from '../../errors/index.ts';
import { credentialStores } from '../../policy/builtin/credential-stores.ts';
import { isObject } from '../hooks/json.ts';
import { type AgentProgramPlace, refuseLed } from './agent-links.ts';

export interface PackageOwner extends Pick<AgentProgramPlace, 'home' | 'access'> {
  /** Name of the agent. */
  readonly name: string;
}

/** Packages of one agent. Each is a mount of the box. */
const mostPackages = 256;

/**
 * Returns the package of a program and each package that it depends on. Returns a directory above them only if npm made
 * it for this program alone. Throws `HF_COMMAND_NOT_FOUND` if no package has a name, or a directory holds more than a
 * package.
 */
export function packagesOf(file: string, owner: PackageOwner): readonly string[] {
  const root = rootOf(file, owner);
  const tree = ownTreeOf(root);
  if (tree !== undefined && owner.access(tree) === 'hidden') {
    refuseWide(tree, owner);
    return [tree];
  }
  const packages: string[] = [root];
  const links: string[] = [];
  const met = new Set(packages);
  // A package inside another one needs no mount, but its dependencies may be outside. The set grows while the loop
  // runs.
  for (const each of met)
    for (const place of dependenciesOf(each)) {
      const real = realpathSync.native(place);
      if (!isCovered(place, packages)) links.push(place);
      if (met.has(real) || owner.access(real) !== 'hidden') continue;
      met.add(real);
      if (isCovered(real, packages)) continue;
      refuseLed(owner.name, place, owner.access);
      refuseWide(real, owner);
      packages.push(real);
      if (packages.length > mostPackages)
        throw refused(owner, `it depends on more than ${mostPackages} packages, the first of them ${root}`);
    }
  return [...new Set([...packages, ...links])];
}

/**
 * Returns the nearest directory whose `package.json` has a name. A `package.json` below it, as in `dist`, may only set
 * a type.
 */
function rootOf(file: string, owner: PackageOwner): string {
  for (let directory = dirname(file); directory !== dirname(directory); directory = dirname(directory)) {
    if (typeof manifestOf(directory)?.['name'] !== 'string') continue;
    refuseWide(directory, owner);
    return directory;
  }
  throw refused(owner, `it is in ${dirname(file)}, and no package.json there or above names its files`);
}

/** Attack: a `package.json` in the home directory, which would give the box the whole home. */
function refuseWide(directory: string, owner: PackageOwner): void {
  const { home } = owner;
  if (isWithin(home, directory)) throw refused(owner, `its package ${directory} holds the home directory`);
  const store = credentialStores
    .map(({ pattern }) => pattern.replace(/^~(?=\/)/u, home))
    .find((path) => isWithin(path, directory) || isWithin(directory, path));
  if (store !== undefined) throw refused(owner, `its package ${directory} holds credentials: ${store}`);
}

function refused({ name }: PackageOwner, why: string): HoldfastError {
  return new HoldfastError('HF_COMMAND_NOT_FOUND', `boxes do not see ${name}: ${why}`, {
    remedy: 'install it as a package of its own, or grant the directory that it needs: --read DIRECTORY',
  });
}

/** Returns the packages that a package depends on, as Node resolves them. */
function dependenciesOf(root: string): readonly string[] {
  const names = dependencyNames(manifestOf(root));
  return [...new Set(names)].filter(isPackageName).flatMap((name) => placeOf(name, root) ?? []);
}

/** Attack: a dependency with the name `..`. */
function isPackageName(name: string): boolean {
  return /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/u.test(name);
}

function placeOf(name: string, root: string): string | undefined {
  for (let directory = root; directory !== dirname(directory); directory = dirname(directory)) {
    const place = join(directory, 'node_modules', name);
    if (manifestOf(place) !== undefined) return place;
  }
  return undefined;
}

function manifestOf(directory: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const file = join(directory, 'package.json');
    if (lstatSync(file).size > largestManifest) return undefined;
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Bytes. */
const largestManifest = 1 << 20;

function isCovered(path: string, packages: readonly string[]): boolean {
  return packages.some((each) => isWithin(path, each));
}

function isWithin(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory === '/' ? '/' : `${directory}/`);
}

/**
 * Returns the `node_modules` directory of a package, if npm installed only that package and its dependencies there. One
 * mount then replaces hundreds. Undefined if a link leads out of it, or if its list of packages contains a registry
 * login.
 */
function ownTreeOf(root: string): string | undefined {
  const above = basename(dirname(root));
  const tree = above.startsWith('@') ? dirname(dirname(root)) : dirname(root);
  if (basename(tree) !== 'node_modules') return undefined;
  try {
    const listed = listedPackages(join(tree, listName));
    const names = entriesOf(tree);
    if (listed === undefined || names === undefined) return undefined;
    const needed = closureOf(root.slice(tree.length + 1), listed);
    return names.every((name) => needed.has(name)) ? tree : undefined;
  } catch {
    return undefined;
  }
}

/** npm 7 and later write it beside the packages. */
const listName = '.package-lock.json';
/** Bytes. */
const longestList = 16 << 20;
const login = /:\/\/[^/"]*@/u;

/** Returns the packages that each name depends on, in any of its versions. */
function listedPackages(file: string): ReadonlyMap<string, readonly string[]> | undefined {
  const { size } = lstatSync(file);
  if (size > longestList) return undefined;
  const text = readFileSync(file, 'utf8');
  const list: unknown = JSON.parse(text);
  if (login.test(text) || !isObject(list) || !isObject(list['packages'])) return undefined;
  const found = new Map<string, readonly string[]>();
  for (const [place, manifest] of Object.entries(list['packages'])) {
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    found.set(name, [...(found.get(name) ?? []), ...dependencyNames(manifest)]);
  }
  return found;
}

/** Returns the names of the packages that a manifest asks for. */
function dependencyNames(manifest: unknown): readonly string[] {
  if (!isObject(manifest)) return [];
  return ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((key) => {
    const value = manifest[key];
    return isObject(value) ? Object.keys(value) : [];
  });
}

function closureOf(first: string, listed: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const met = new Set([first]);
  for (const name of met) for (const each of listed.get(name) ?? []) met.add(each);
  return met;
}

/** Returns the directories of installed packages. Undefined if there is anything else. */
function entriesOf(tree: string): readonly string[] | undefined {
  const names: string[] = [];
  for (const entry of readdirSync(tree, { withFileTypes: true })) {
    if (entry.name === '.bin' || entry.name === listName) continue;
    if (!entry.isDirectory() || entry.name.startsWith('.')) return undefined;
    if (!entry.name.startsWith('@')) names.push(entry.name);
    else
      for (const scoped of readdirSync(join(tree, entry.name), { withFileTypes: true })) {
        if (!scoped.isDirectory()) return undefined;
        names.push(`${entry.name}/${scoped.name}`);
      }
  }
  return names;
}
