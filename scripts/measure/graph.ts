import { posix } from 'node:path';
import type { Source } from './source.ts';

/** The imports of each file within `sources`, by path. */
export type Graph = ReadonlyMap<string, readonly string[]>;

export function importGraph(sources: readonly Source[]): Graph {
  const known = new Set(sources.map(({ path }) => path));
  return new Map(
    sources.map(({ path, imports }) => [
      path,
      [
        ...new Set(
          imports.flatMap((name) => resolved(path, name).filter((target) => target !== path && known.has(target))),
        ),
      ],
    ]),
  );
}

/** Imports name the file itself. Sources that are compiled before they run name the compiled file. */
function resolved(from: string, name: string): readonly string[] {
  if (!name.startsWith('.')) return [];
  const target = posix.join(posix.dirname(from), name);
  return [
    target,
    target.replace(/\.(m|c)?js$/u, '.$1ts'),
    `${target}.ts`,
    `${target}.js`,
    `${target}/index.ts`,
    `${target}/index.js`,
  ];
}

/** The number of importing files for each. */
export function importers(graph: Graph): ReadonlyMap<string, number> {
  const counts = new Map([...graph.keys()].map((path) => [path, 0]));
  for (const target of [...graph.values()].flat()) counts.set(target, (counts.get(target) ?? 0) + 1);
  return counts;
}

/** Groups of files that import each other, after Tarjan: each group follows the groups that it imports. */
export function components(graph: Graph): readonly (readonly string[])[] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  const visit = (path: string): number => {
    const index = order.size;
    order.set(path, index);
    const start = open.push(path) - 1;
    let low = index;
    for (const target of graph.get(path) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (open.includes(target)) low = Math.min(low, order.get(target) ?? index);
    }
    if (low === index) found.push(open.splice(start));
    return low;
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return found;
}

/** The files of the longest chain of imports. Files that import each other count as one step each. */
export function longestChain(graph: Graph): number {
  const depths = new Map<string, number>();
  for (const component of components(graph)) {
    const below = component.flatMap((path) => graph.get(path) ?? []).filter((target) => !component.includes(target));
    const depth = component.length + Math.max(0, ...below.map((target) => depths.get(target) ?? 0));
    for (const path of component) depths.set(path, depth);
  }
  return Math.max(0, ...depths.values());
}
