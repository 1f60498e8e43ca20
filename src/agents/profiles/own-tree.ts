import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../hooks/json.ts';

/**
 * Returns the `node_modules` directory of a package, if npm installed nothing into it but that package and its
 * dependencies. One mount then shows what would be hundreds. Undefined where a link leads out of it, or where its list
 * of packages names a login of a registry.
 */
export function ownTreeOf(root: string): string | undefined {
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
export function dependencyNames(manifest: unknown): readonly string[] {
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

/** Returns the packages that are there, as directories, or undefined if there is anything else. */
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
