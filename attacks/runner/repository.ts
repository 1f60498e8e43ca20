import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { HoldfastError } from '../../src/errors/index.ts';

/**
 * The repository of a scenario, as one text. Its files have other names than their own, so that no passing program
 * obeys them. `-- NAME --` on a separate line begins a file (the txtar format of golang.org/x/tools).
 */
export const repositoryFile = 'repository.txtar';

/** Default files of scenarios. */
export const scenarioScripts = resolve(import.meta.dirname, '../world/scenario');

export interface RepositoryFile {
  readonly name: string;
  readonly text: string;
  readonly mode: number;
}

/**
 * Writes a repository into the workspace, with `$NAME` replaced by its value, and the code beside it that must not run.
 */
export function layOutRepository(archive: string, workspace: string, values: Readonly<Record<string, string>>): void {
  const trip = readFileSync(join(scenarioScripts, 'trip.sh'), 'utf8');
  for (const { name, text, mode } of [{ name: 'trip.sh', text: trip, mode: 0o644 }, ...parseRepository(archive)]) {
    const path = join(workspace, name);
    mkdirSync(dirname(path), { recursive: true });
    // Inserts the values, because it may run without the attack's variables.
    writeFileSync(
      path,
      Object.entries(values).reduce((filled, [key, value]) => filled.replaceAll(`$${key}`, value), text),
    );
    chmodSync(path, mode);
  }
}

/** Throws `HF_USAGE` for a name that leads elsewhere. A file that begins with `#!` is a program. */
export function parseRepository(archive: string): readonly RepositoryFile[] {
  const [, ...parts] = archive.split(/^-- (.+) --\n/mu);
  return parts.flatMap((name, index): readonly RepositoryFile[] => {
    if (index % 2 === 1) return [];
    if (isAbsolute(name) || name.split('/').includes('..'))
      throw new HoldfastError('HF_USAGE', `a fixture repository has the file ${name}`, {
        remedy: 'name files below the workspace',
      });
    const text = parts[index + 1] ?? '';
    return [{ name, text, mode: text.startsWith('#!') ? 0o755 : 0o644 }];
  });
}
