/** How a path is held that was found when the box began. */
export type Held = 'hidden' | 'fixed';

export interface HeldPaths {
  /** Of a real path, or of what it lies in. */
  at(path: string): Held | undefined;
  /** Whether one of them lies at a path or below. */
  below(path: string): boolean;
}

export function heldPaths(found: readonly { readonly path: string; readonly how: Held }[]): HeldPaths {
  const held = new Map<string, Held>();
  const above = new Set<string>();
  for (const { path, how } of found) {
    if (held.get(path) !== 'hidden') held.set(path, how);
    for (let at = path; at !== '' && !above.has(at); at = parentOf(at)) above.add(at);
  }
  return {
    below: (path) => above.has(path),
    at(path) {
      let worst: Held | undefined;
      for (let at = path; at !== '' && worst !== 'hidden'; at = parentOf(at)) worst = held.get(at) ?? worst;
      return worst;
    },
  };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
