import { checkCredentials, type CredentialCheck } from '../../credentials/session/check-credentials.ts';
import { readPlace } from '../../place/place.ts';
import type { FeatureName } from '../../policy/features/index.ts';
import { withEmptyWorkspace } from './empty-workspace.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What doctor looks at for a feature, and how it tells it: for what data in the feature itself cannot say. */
interface Probe {
  readonly look: (environment: Environment) => Promise<unknown>;
  /** Lines, of what `look` has found. */
  readonly describe: (found: never) => readonly string[];
}

/** By the feature that they are of. What one finds stands under its key in the answer of doctor. */
export const probes = {
  credentials: {
    look: credentialChecks,
    describe: (checks: readonly CredentialCheck[]) => checks.map(credentialLine),
  },
} as const satisfies { readonly [Name in FeatureName]?: Probe };

/** What all of them have found. */
export type Probed = { readonly [Name in keyof typeof probes]: Awaited<ReturnType<(typeof probes)[Name]['look']>> };

/** One after another: each may start boxes. */
export async function probe(environment: Environment): Promise<Probed> {
  const found: [string, unknown][] = [];
  for (const [name, { look }] of Object.entries(probes)) found.push([name, await look(environment)]);
  return Object.fromEntries(found) as Probed;
}

export function describeProbed(probed: Probed): readonly string[] {
  const rows: readonly [string, Probe][] = Object.entries(probes);
  return rows.flatMap(([name, { describe }]) => describe(probed[name as keyof Probed] as never));
}

/** Of the user's and the administrator's policy: those of a project have none. */
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
