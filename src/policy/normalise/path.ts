/** Longer than any kernel path (PATH_MAX is 4,096 bytes), so that a giant text is refused cheaply. */
const longest = 32_768;

const slash = 0x2f;

/**
 * Returns the components of an absolute path, without empty ones and `.`. Resolves `..` by the text alone, so the
 * caller must resolve symlinks first. Undefined for relative, empty and over-long paths, and for paths with a NUL. Also
 * undefined for half a surrogate pair, which two programs would encode differently.
 */
export function pathComponents(path: string): readonly string[] | undefined {
  if (path.length === 0 || path.length > longest || path.charCodeAt(0) !== slash) return undefined;
  const components: string[] = [];
  let start = 1;
  for (let at = 1; at <= path.length; at += 1) {
    const unit = at === path.length ? slash : path.charCodeAt(at);
    if (unit === 0) return undefined;
    if (unit !== slash) continue;
    addComponent(components, path.slice(start, at));
    start = at + 1;
  }
  return path.isWellFormed() ? components : undefined;
}

/** Returns the one spelling of a path that rules match. Undefined for an invalid path. */
export function normalisePath(path: string): string | undefined {
  const components = pathComponents(path);
  return components === undefined ? undefined : `/${components.join('/')}`;
}

function addComponent(components: string[], component: string): void {
  if (component === '' || component === '.') return;
  if (component === '..') components.pop();
  else components.push(component);
}
