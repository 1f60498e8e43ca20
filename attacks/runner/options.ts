import { parseArgs } from 'node:util';
import { HoldfastError } from '../../src/errors/index.ts';
import { backends, users, type Backend, type UserName } from './attack.ts';

export interface RunnerOptions {
  readonly backends: readonly Backend[];
  readonly users: readonly UserName[];
  readonly only: readonly string[];
  /** `sample`: each attack by one user on one backend, and some again on slower ones. */
  readonly extent: 'whole' | 'sample';
  /** The number of cases of each attack, the first ones. Infinity: all. */
  readonly cases: number;
  readonly output: 'lines' | 'json';
  /** Directory with the attacks. Default: the directory of this runner. */
  readonly attacks: string | undefined;
}

export const usage = `usage: node attacks/runner/main.ts [--backend NAME,…] [--user root,user] [--only GLOB,…] [--sample] [--cases N] [--attacks DIR] [--json]`;

/** Throws `HF_USAGE` for unknown options. */
export function parseOptions(argv: readonly string[]): RunnerOptions {
  const { values } = parse(argv);
  return {
    backends: choose('backend', values.backend, backends),
    users: choose('user', values.user, users),
    only: (values.only ?? []).flatMap((list) => list.split(',')),
    extent: values.sample === true ? 'sample' : 'whole',
    cases: count(values.cases),
    output: values.json === true ? 'json' : 'lines',
    attacks: values.attacks,
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        backend: { type: 'string', multiple: true },
        user: { type: 'string', multiple: true },
        only: { type: 'string', multiple: true },
        sample: { type: 'boolean' },
        attacks: { type: 'string' },
        json: { type: 'boolean' },
        cases: { type: 'string' },
      },
    });
  } catch (cause) {
    throw new HoldfastError('HF_USAGE', cause instanceof Error ? cause.message : String(cause), {
      remedy: usage,
      cause,
    });
  }
}

function count(given: string | undefined): number {
  if (given === undefined) return Infinity;
  if (/^[1-9]\d{0,3}$/u.test(given)) return Number(given);
  throw new HoldfastError('HF_USAGE', `--cases ${given}: not a whole number from 1 on`, { remedy: usage });
}

function choose<Name extends string>(
  option: string,
  given: readonly string[] | undefined,
  known: readonly Name[],
): readonly Name[] {
  if (given === undefined) return known;
  const names = given.flatMap((list) => list.split(','));
  return names.map((name) => {
    const found = known.find((candidate) => candidate === name);
    if (found !== undefined) return found;
    throw new HoldfastError('HF_USAGE', `--${option} ${name}: not one of ${known.join(', ')}`, { remedy: usage });
  });
}
