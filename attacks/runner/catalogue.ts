import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, matchesGlob } from 'node:path';
import * as v from 'valibot';
import { HoldfastError } from '../../src/errors/index.ts';
import { attackPath, attackSchema, textOf, type Attack, type Trial, type UserName } from './attack.ts';
import { parseAttackText, proseFile, type AttackFile } from './attack-text.ts';
import { repositoryFile, scenarioScripts } from './repository.ts';

const rowsFile = 'rows.tsv';
const required = [proseFile, 'attack.json', 'setup.sh', 'attack.sh', 'verify.sh'];

/** Every Markdown file in a folder of `root`, in the order of their names. Throws `HF_USAGE` for an incomplete one. */
export function loadAttacks(root: string): readonly Attack[] {
  const names = globSync('*/*.md', { cwd: root }).map((path) => `${dirname(path)}-${basename(path, '.md')}`);
  return names.toSorted().map((name) => loadAttack(root, name));
}

export function loadAttack(root: string, name: string): Attack {
  const files = filesOf(root, name);
  const parsed = v.safeParse(attackSchema, jsonOf(files, name));
  if (!parsed.success) throw broken(name, v.flatten<typeof attackSchema>(parsed.issues));
  const attack: Attack = { ...parsed.output, name, files, rows: rowsOf(files) };
  const absent = (attack.runs === 2 ? [...required, 'attack2.sh'] : required).filter(
    (file) => textOf(attack, file) === undefined && !isShared(attack, file),
  );
  if (absent.length > 0) throw broken(name, `${absent.join(', ')} missing`);
  if (!name.startsWith(`${attack.family}-`))
    throw broken(name, `it does not lie in the folder of its family, ${attack.family}`);
  if (new Set(attack.rows).size < attack.rows.length) throw broken(name, `two rows of ${rowsFile} have one name`);
  return attack;
}

function filesOf(root: string, name: string): readonly AttackFile[] {
  const parsed = parseAttackText(utf8Of(join(root, attackPath(name)), name));
  if (parsed.kind === 'broken') throw broken(name, `line ${parsed.line}: ${parsed.what}`);
  return parsed.files;
}

function utf8Of(path: string, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (cause) {
    throw broken(name, cause instanceof Error ? cause.message : String(cause));
  }
}

/** Whether a scenario may omit this file. */
function isShared(attack: Attack, file: string): boolean {
  return textOf(attack, repositoryFile) !== undefined && existsSync(join(scenarioScripts, file));
}

/** `NAME<tab>…` on each line. */
function rowsOf(files: readonly AttackFile[]): readonly string[] {
  const lines = textOf({ files }, rowsFile)?.split('\n') ?? [];
  return lines.filter((line) => line !== '').map((line) => line.split('\t', 1)[0] ?? '');
}

function jsonOf(files: readonly AttackFile[], name: string): unknown {
  try {
    return JSON.parse(textOf({ files }, 'attack.json') ?? '');
  } catch {
    throw broken(name, 'its attack.json is not JSON');
  }
}

function broken(name: string, what: unknown): HoldfastError {
  return new HoldfastError(
    'HF_USAGE',
    `the attack ${name} is not complete: ${typeof what === 'string' ? what : JSON.stringify(what)}`,
    { remedy: 'see attacks/README.md' },
  );
}

export interface Selection {
  /** Globs over trial names. Empty means all. */
  readonly only: readonly string[];
  readonly users: readonly UserName[];
  /** The number of cases of each attack, the first ones. Default: all. */
  readonly cases?: number;
}

/** The trials of the chosen attacks: one for each case and user. */
export function selectTrials(
  attacks: readonly Attack[],
  { only, users, cases = Infinity }: Selection,
): readonly Trial[] {
  return attacks
    .filter((attack) => only.length === 0 || only.some((glob) => matchesGlob(attack.name, glob)))
    .flatMap((attack) =>
      (attack.cases ?? [undefined])
        .slice(0, cases)
        .flatMap((variant) =>
          users.filter((user) => attack.users.includes(user)).map((user): Trial => ({ attack, variant, user })),
        ),
    );
}
