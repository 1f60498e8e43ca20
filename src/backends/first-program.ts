import { accessSync, constants } from 'node:fs';

/**
 * The first of these paths that the caller may execute. Callers give fixed places of the system: never PATH, nor what a
 * variable names.
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
