import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import * as v from 'valibot';
import { HoldfastError } from '../../src/errors/index.ts';
import { attackSchema, type Attack, type Trial, type UserName } from './attack.ts';
import { isScenario, scenarioScripts } from './repository.ts';

export const rowsFile = 'rows.tsv';
const required = ['README.md', 'setup.sh', 'attack.sh', 'verify.sh'];

/** Every folder with an `attack.json`, in the order of their names. Throws `HF_USAGE` for one that is not complete. */
export function loadAttacks(root: string): readonly Attack[] {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory() && existsSync(join(root, entry.name, 'attack.json')));
  return folders.map(({ name }) => loadAttack(join(root, name), name)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function loadAttack(directory: string, name: string): Attack {
  const parsed = v.safeParse(attackSchema, readJson(join(directory, 'attack.json')));
  if (!parsed.success) throw broken(name, v.flatten<typeof attackSchema>(parsed.issues));
  const attack: Attack = { ...parsed.output, name, directory, rows: rowsOf(directory) };
  const files = attack.runs === 2 ? [...required, 'attack2.sh'] : required;
  const places = isScenario(directory) ? [directory, scenarioScripts] : [directory];
  const absent = files.filter((file) => !places.some((place) => existsSync(join(place, file))));
  if (absent.length > 0) throw broken(name, `${absent.join(', ')} missing`);
  if (!name.startsWith(`${attack.family}-`)) throw broken(name, `its name does not begin with its family, ${attack.family}`);
  if (new Set(attack.rows).size < attack.rows.length) throw broken(name, `two rows of ${rowsFile} have one name`);
  return attack;
}

/** `NAME<tab>…` on each line. */
function rowsOf(directory: string): readonly string[] {
  const file = join(directory, rowsFile);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => line.split('\t', 1)[0] ?? '');
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new HoldfastError('HF_USAGE', `${path} is no JSON`, { remedy: 'put it right', cause });
  }
}

function broken(name: string, what: unknown): HoldfastError {
  return new HoldfastError('HF_USAGE', `the attack ${name} is not complete: ${typeof what === 'string' ? what : JSON.stringify(what)}`, { remedy: 'see attacks/README.md' });
}

export interface Selection {
  /** Globs over trial names; empty means all. */
  readonly only: readonly string[];
  readonly users: readonly UserName[];
  /** So many of each attack, the first ones. Default: all. */
  readonly cases?: number;
}

/** The trials of the chosen attacks: one for each case and user. */
export function selectTrials(attacks: readonly Attack[], { only, users, cases = Infinity }: Selection): readonly Trial[] {
  return attacks
    .filter((attack) => only.length === 0 || only.some((glob) => matchesGlob(attack.name, glob)))
    .flatMap((attack) => (attack.cases ?? [undefined]).slice(0, cases).flatMap((variant) => users.filter((user) => attack.users.includes(user)).map((user): Trial => ({ attack, variant, user }))));
}
