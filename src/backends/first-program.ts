import { accessSync, constants } from 'node:fs';

/**
 * Returns the first of these paths that the caller may execute. Callers pass fixed system paths, never paths from PATH
 * or a variable.
 */
export function firstProgram(places: readonly string[]): string | undefined {
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
