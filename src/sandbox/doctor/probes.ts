import { homedir } from 'node:os';
import { centralStanding, standingFaults } from '../../central/standing.ts';
import { centralPaths } from '../../central/store.ts';
import type { KnownBundle } from '../../central/types.ts';
import { checkCredentials, type CredentialCheck } from '../../credentials/session/check-credentials.ts';
import { isHoldfastError } from '../../errors/index.ts';
import { statePaths } from '../../place/host/state-paths.ts';
import { readPlace } from '../../place/place.ts';
import type { FeatureName } from '../../policy/features/index.ts';
import { withEmptyWorkspace } from './empty-workspace.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Doctor's check of a feature, with its report, for facts that the feature's own data cannot state. */
interface Probe {
  readonly look: (environment: Environment) => Promise<unknown>;
  /** Returns lines about the findings of `look`. */
  readonly describe: (found: never) => readonly string[];
}

/** Probes by feature. Each finding is under the feature's key in doctor's answer. */
export const probes = {
  credentials: {
    look: credentialChecks,
    describe: (checks: readonly CredentialCheck[]) => checks.map(credentialLine),
  },
  central: { look: lookAtCentral, describe: describeCentral },
} as const satisfies { readonly [Name in FeatureName]?: Probe };

/** Findings of all probes. */
export type Probed = { readonly [Name in keyof typeof probes]: Awaited<ReturnType<(typeof probes)[Name]['look']>> };

/** Runs the probes one after another, because each may start boxes. */
export async function probe(environment: Environment): Promise<Probed> {
  const found: [string, unknown][] = [];
  for (const [name, { look }] of Object.entries(probes)) found.push([name, await look(environment)]);
  return Object.fromEntries(found) as Probed;
}

export function describeProbed(probed: Probed): readonly string[] {
  const rows: readonly [string, Probe][] = Object.entries(probes);
  return rows.flatMap(([name, { describe }]) => describe(probed[name as keyof Probed] as never));
}

/** Checks the user's and the administrator's policy. A project's policy has no credentials. */
function credentialChecks(environment: Environment): Promise<readonly CredentialCheck[]> {
  return withEmptyWorkspace((workspace) =>
    checkCredentials(readPlace({ cwd: workspace, workspace, environment }), environment),
  );
}

function credentialLine({ name, source, state }: CredentialCheck): string {
  switch (state.kind) {
    case 'readable':
      return `credential ${name}: ${source}, which can be read`;
    case 'asks':
      return `credential ${name}: ${source}; ${state.program} is asked when a request first needs it`;
    case 'captured':
      return `credential ${name}: ${source}`;
    case 'missing':
      return `credential ${name}: MISSING: ${state.reason}; ${state.remedy}`;
  }
}

/** The central policy of this machine. An expired one stays in force, so doctor reports that it has expired. */
type CentralCheck =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'bundle'; readonly name: string; readonly faults: readonly string[] } & KnownBundle)
  | { readonly kind: 'unknown'; readonly reason: string; readonly remedy: string };

async function lookAtCentral(environment: Readonly<Record<string, string | undefined>>): Promise<CentralCheck> {
  const paths = centralPaths(statePaths(homedir(), environment).managedPolicy);
  try {
    const standing = centralStanding(paths, Date.now());
    if (standing.kind === 'none') return standing;
    const { record, current } = standing;
    return { kind: 'bundle', name: record.pin.name, ...current, faults: standingFaults(standing, paths) };
  } catch (error) {
    if (!isHoldfastError(error)) throw error;
    return { kind: 'unknown', reason: error.message, remedy: error.remedy };
  }
}

function describeCentral(check: CentralCheck): readonly string[] {
  switch (check.kind) {
    case 'none':
      return [];
    case 'bundle':
      return [
        `central policy ${check.name} ${check.serial} of ${check.source}, until ${check.expires}`,
        ...check.faults,
      ];
    case 'unknown':
      return [`central policy: UNKNOWN: ${check.reason}; ${check.remedy}`];
  }
}
