/** `holdfast policy sign|fetch|rollback|bundles`. Has its own bundle, which no other command loads. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { downloadBundle, type Downloaded, readBundleFile } from '../../central/download.ts';
import { centralStanding, standingFaults, type Standing } from '../../central/standing.ts';
import { centralPaths } from '../../central/store.ts';
import { type CentralMachine, type InForce, rollBack, takeBundle } from '../../central/take-bundle.ts';
import type { KnownBundle } from '../../central/types.ts';
import { HoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import type { Place } from '../../place/place.ts';
import type { SignTone } from '../../text/signs.ts';
import { parsePublicKey } from '../../trust/signatures/verify-bundle.ts';
import { type CommandInput, isSet, jsonText, optionText, printResult, safeText } from '../command.ts';
import { lookOf } from '../terminal/look.ts';
import { type TableColumn, terminalTable } from '../terminal/terminal-table.ts';
import { readNamedFile } from '../trust/read-named-file.ts';
import { authoritiesInForce, checkManaged, withManagedPlace } from './managed-policy.ts';

export { signPolicy } from './sign.ts';

/** `holdfast policy fetch URL|FILE`: exits with 1 if the policy in force is expired or damaged afterwards. */
export async function fetchPolicy(input: CommandInput, from: string | undefined): Promise<number> {
  if (from === undefined) throw usage('expected the URL or the file of a bundle', 'see `holdfast policy --help`');
  const { values } = input;
  const named = { key: givenKey(input), name: optionText(values['name']), policy: givenDigest(input) };
  return withManagedPlace(input.io, async (place) => {
    const machine = machineOf(place);
    const foreign = isSet(values['replace']) ? 'replace' : 'keep';
    const taken = takeBundle(machine, { ...(await downloaded(place, from, input.io)), ...named, foreign });
    return tellForce(input, machine, taken);
  });
}

function downloaded(
  place: Place,
  from: string,
  { cwd, environment }: CommandInput['io'],
): Downloaded | Promise<Downloaded> {
  if (!/^[a-z][a-z0-9+.-]*:/iu.test(from)) return readBundleFile(resolve(cwd, from));
  const authorities = authoritiesInForce(place).map((file) => readFileSync(file, 'utf8'));
  return downloadBundle({ url: from, environment, authorities });
}

/** `holdfast policy rollback [--to SERIAL]` */
export async function rollBackPolicy(input: CommandInput): Promise<number> {
  const to = optionText(input.values['to']);
  if (to !== undefined && !/^[1-9]\d{0,15}$/u.test(to))
    throw usage(`${JSON.stringify(to)} is not a serial`, 'name one that `holdfast policy bundles` lists');
  return withManagedPlace(input.io, async (place) => {
    const machine = machineOf(place);
    return tellForce(input, machine, rollBack(machine, to === undefined ? undefined : Number(to)));
  });
}

function tellForce(input: CommandInput, { paths }: CentralMachine, { change, name, bundle }: InForce): number {
  const faults = standingFaults(centralStanding(paths, Date.now()), paths);
  printResult(
    input,
    { change, name, ...bundle, file: paths.policy, faults },
    `${name} ${bundle.serial} is in force${changes[change]} until ${bundle.expires}: ${paths.policy}\nSHA-256 of the policy: ${bundle.policy}\n`,
  );
  for (const fault of faults) input.io.stderr.write(safeText(`holdfast: ${fault}\n`));
  return faults.length === 0 ? 0 : 1;
}

const changes: Readonly<Record<InForce['change'], string>> = {
  fetch: '',
  restore: ' again',
  rollback: ' again',
  none: ' already,',
};

/** `holdfast policy bundles`: exits with 1 if the policy in force is expired or damaged. */
export function listBundles(input: CommandInput): number {
  const paths = centralPaths(statePaths(homedir(), input.io.environment).managedPolicy);
  const standing = centralStanding(paths, Date.now());
  const faults = standingFaults(standing, paths);
  if (isSet(input.values['json']))
    input.io.stdout.write(
      jsonText(standing.kind === 'none' ? { bundles: [], faults } : { ...standing.record, faults }),
    );
  else
    input.io.stdout.write(
      standing.kind === 'none'
        ? 'no bundle is in force here: take one with `holdfast policy fetch URL --key FILE`\n'
        : `${safeText(`${standing.record.pin.name}, for ${paths.policy}\n`)}${bundleTable(standing, input)}${safeText(faults.map((fault) => `${fault}\n`).join(''))}`,
    );
  return faults.length === 0 ? 0 : 1;
}

type Shown = Extract<Standing, { readonly kind: 'bundle' }>;

function bundleTable({ record: { bundles, current } }: Shown, { io }: CommandInput): string {
  const stateOf = ({ serial }: KnownBundle): string =>
    serial === current ? 'in force' : serial < current ? 'earlier' : 'rolled back';
  const columns: readonly TableColumn<KnownBundle>[] = [
    { head: 'SERIAL', of: ({ serial }) => String(serial) },
    {
      head: 'STATE',
      of: stateOf,
      tone: ({ serial }): SignTone => (serial === current ? 'allowed' : 'plain'),
      least: 11,
    },
    { head: 'TAKEN', of: ({ taken }) => taken },
    { head: 'EXPIRES', of: ({ expires }) => expires },
    { head: 'SHA256', of: ({ policy }) => policy.slice(0, 12) },
    { head: 'SOURCE', of: ({ source }) => source, cut: 'start' },
  ];
  return terminalTable(bundles.toReversed(), columns, lookOf(io));
}

function machineOf(place: Place): CentralMachine {
  const { managedPolicy: file, journal } = place.paths;
  return {
    paths: centralPaths(file),
    journal,
    now: Date.now,
    check: (text) => checkManaged(place, { file, text }),
  };
}

function givenKey({ values, io }: CommandInput): string | undefined {
  const file = optionText(values['key']);
  if (file === undefined) return undefined;
  const { key, id } = parsePublicKey(readNamedFile(resolve(io.cwd, file)));
  if (id === undefined) return key;
  throw usage(`${file} is a key of minisign, and a bundle has a plain Ed25519 signature`, 'name a PEM of Ed25519');
}

function givenDigest({ values }: CommandInput): string | undefined {
  const text = optionText(values['sha256']);
  if (text === undefined || /^[0-9a-f]{64}$/u.test(text)) return text;
  throw usage(
    '--sha256 expects 64 hexadecimal digits',
    'copy them from `holdfast policy sign`, or from `sha256sum` of the policy',
  );
}

function usage(message: string, remedy: string): HoldfastError {
  return new HoldfastError('HF_USAGE', message, { remedy });
}
