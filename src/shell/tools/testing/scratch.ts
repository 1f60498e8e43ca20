/** A directory with a few distinguishable files, for running real programs in. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Scratch {
  readonly directory: string;
  readonly [Symbol.dispose]: () => void;
}

/** Name and marker of each file. A program that prints the marker has read the file. */
export const markers: readonly (readonly [string, string])[] = [
  ['a', 'markerofa'],
  ['b', 'markerofb'],
  ['sub/c', 'markerofc'],
  ['sub/deep/d', 'markerofd'],
];

export function makeScratch(): Scratch {
  const directory = mkdtempSync(join(tmpdir(), 'tools-'));
  mkdirSync(join(directory, 'sub/deep'), { recursive: true });
  mkdirSync(join(directory, 'empty'));
  for (const [name, marker] of markers) writeFileSync(join(directory, name), `${marker}\n1 x ${marker}\n`);
  return { directory, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) };
}

/**
 * Every path below, with its current state. For directories only rights and owner count, because their times change
 * with their entries.
 */
export function snapshot(directory: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const waiting = [directory];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const stat = lstatSync(path, { bigint: true });
    const rights = `${stat.mode} ${stat.uid} ${stat.gid}`;
    if (stat.isDirectory()) waiting.push(...readdirSync(path).map((name) => join(path as string, name)));
    if (path === directory) continue;
    if (stat.isDirectory()) found.set(path, rights);
    else if (stat.isSymbolicLink()) found.set(path, `${rights} -> ${readlinkSync(path)}`);
    else found.set(path, `${rights} ${stat.mtimeNs} ${stat.isFile() ? readFileSync(path, 'latin1') : ''}`);
  }
  return found;
}

/** New, removed or changed paths. */
export function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
}
