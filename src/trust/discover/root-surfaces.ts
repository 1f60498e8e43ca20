import { type Dirent, readdirSync } from 'node:fs';
import { surfaces } from '../surfaces/index.ts';
import { lowered, nameMatcher, nowhere, type Standing } from './name-matcher.ts';

/** Of the table, once: a session asks for every box. */
let matcher: ReturnType<typeof nameMatcher> | undefined;

/**
 * Which names at the root itself are hidden until they are approved, as far as their names say: `.mcp.json`, `.claude`,
 * `.github/prompts`. Looks at no file, and only into directories that the table names; well under a millisecond. By name.
 */
export function rootSurfaces(root: string): readonly string[] {
  matcher ??= nameMatcher(surfaces.filter(({ gate }) => gate === 'hidden'));
  return below(root, '', nowhere).sort();
}

function below(root: string, path: string, standing: Standing): string[] {
  return entriesOf(`${root}/${path}`).flatMap((entry) => {
    const name = path === '' ? entry.name : `${path}/${entry.name}`;
    const match = matcher?.match(entry.name, standing, path === '' ? 'any' : 'going');
    if (match === undefined || (match.surface === undefined && match.standing === nowhere)) return [];
    if (match.surface !== undefined || match.standing.within.length > 0) return [name];
    return entry.isDirectory() && lowered(entry.name) !== '.git' ? below(root, name, match.standing) : [];
  });
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}
