import { absolute, isOfProject, type Place } from '../tools/paths.ts';
import { toolFor } from '../tools/tool-for.ts';
import type { ToolSpec } from '../tools/types.ts';
import type { Word } from '../types.ts';

/** What a command's first word names. */
export type Program =
  | { readonly kind: 'none' }
  /** `name` is bare; `spec` where something is known of it. */
  | { readonly kind: 'named'; readonly name: string; readonly spec: ToolSpec | undefined }
  /** A file that is no program of the system: the project's own, or anybody's. */
  | { readonly kind: 'file'; readonly path: string | undefined; readonly within: 'project' | 'elsewhere' }
  | { readonly kind: 'dynamic' };

export function programOf(word: Word | undefined, place: Place): Program {
  if (word === undefined) return { kind: 'none' };
  if (word.kind !== 'static') return { kind: 'dynamic' };
  if (word.lead === 'home') return { kind: 'file', path: absolute(place.home + word.value, place), within: 'elsewhere' };
  if (!word.value.includes('/')) return { kind: 'named', name: word.value, spec: toolFor(word.value) };
  return fileAt(word.value, place);
}

/**
 * Programs of the system are what their names say. Only a plain path is taken at its word: `/proc/self/root/bin/sh` and
 * `/bin/../tmp/ls` lead elsewhere.
 */
function fileAt(path: string, place: Place): Program {
  const [, directory = '', name = ''] = /^(.*)\/([^/]*)$/su.exec(path.replace(/\/{2,}/gu, '/')) ?? [];
  const isLoader = /^ld(?:64|-linux[\w.-]*|-musl-\w+)?\.so(?:\.\d+)*$/u.test(name);
  if (systemDirectory.test(directory) || (isLoader && libraryDirectory.test(directory))) return { kind: 'named', name, spec: toolFor(isLoader ? 'ld.so' : name) };
  const found = absolute(path, place);
  return { kind: 'file', path: found, within: isOfProject(found, place) ? 'project' : 'elsewhere' };
}

const systemDirectory = /^(?:(?:\/usr(?:\/local)?)?\/s?bin|\/usr\/games|\/opt\/homebrew\/s?bin|\/nix\/store\/[\w.+-]+\/bin|\/run\/current-system\/sw\/bin)$/u;
const libraryDirectory = /^(?:\/usr)?\/lib(?:64|32|x32)?(?:\/[\w]+-linux-[\w]+)?$/u;
