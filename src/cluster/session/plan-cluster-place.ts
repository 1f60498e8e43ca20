import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nativeBackend } from '../../backends/native/native.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { PodCredential, ClusterRequest } from '../index.ts';
import { templatePlan } from '../../place/place-plan.ts';
import { planAs, policyOfPlace } from '../../place/planner.ts';
import { type Place, readPlace } from '../../place/place.ts';
import { projectFile } from '../../place/policy-texts.ts';
import { homeReads } from '../../policy/builtin/home-reads.ts';
import { type Credential, type CredentialFormat, groupOf, routeName } from '../../policy/credentials/types.ts';
import { credentialsOf } from '../../policy/credentials/credentials-of.ts';
import { buildEnvironment } from '../../policy/settings/build-environment.ts';
import type { SessionOptions } from '../../session/session-options.ts';

type Placed = Pick<ClusterRequest, 'plan' | 'workspace' | 'ofImage' | 'policies' | 'credentials' | 'secretVariables'>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Paths that every image has, or that the container's runtime makes. */
const ofEveryImage = [
  '/usr',
  '/etc',
  '/opt',
  '/bin',
  '/sbin',
  '/lib',
  '/lib64',
  '/nix',
  '/sys',
  '/var/cache',
  '/var/lib',
];

/** Plans a place for the launcher in a container, with the other facts that a manifest needs. */
export function planClusterPlace(
  options: SessionOptions,
  environment: Environment,
  argv: readonly string[],
): Placed & { readonly version: string } {
  const place = readPlace({ ...options, environment });
  const placed = planAs(place, environment, { backend: nativeBackend, named: 'nobody' });
  if (placed.manner === 'strict') throw strictInCluster();
  const template = templatePlan(placed);
  const box = buildEnvironment(placed.environment, environment);
  return {
    plan: { ...template, command: { argv, cwd: place.workspace.cwd, environment: box.environment } },
    workspace: place.workspace.root,
    // The base shows these files of a home if they exist: in the pod, those of the image.
    ofImage: [
      ...ofEveryImage,
      ...place.installation.visible,
      ...homeReads.map(({ pattern }) => pattern.replace('~', place.home)),
    ],
    policies: policiesOf(place),
    credentials: clusterCredentials(credentialsOf(policyOfPlace(place))),
    secretVariables: box.acknowledged.map(({ name }) => name),
    version: versionOf(place.installation.root),
  };
}

/** One for each group: its members share a source and a phantom. */
function clusterCredentials(credentials: readonly Credential[]): readonly PodCredential[] {
  return [...Map.groupBy(credentials, groupOf)].map(([name, members]) => {
    const [source] = members.map((member) => member.source);
    return {
      name,
      variable: source?.kind === 'env' ? source.variable : undefined,
      phantoms: members.flatMap(variablesOf),
      files: members.some(({ delivery }) => delivery.files.length > 0) ? 'some' : 'none',
      routes: members.flatMap((member) => (member.delivery.baseUrls.length === 0 ? [] : [routeName(member)])),
      unheld: members.flatMap(unheldParts),
    };
  });
}

/** libpq reads the file of authorities only from a variable, which the supervisor sets together with its phantom. */
function variablesOf({ delivery, injection }: Credential): readonly string[] {
  const names = [...delivery.environment, ...delivery.baseUrls].map((variable) => variable.name);
  return injection.kind === 'postgres' ? [...names, 'PGSSLROOTCERT'] : names;
}

/**
 * The pod has no file of this machine to copy. So the supervisor makes each one, which it can do only for these
 * formats.
 */
const generatedFormats: ReadonlySet<CredentialFormat> = new Set([
  'text',
  'netrc',
  'npmrc',
  'pgpass',
  'pip',
  'git',
  'docker',
  'aws',
]);

function unheldParts({ delivery: { files } }: Credential): readonly string[] {
  return files.flatMap(({ format, path }) =>
    generatedFormats.has(format) ? [] : [`the file ${JSON.stringify(path)} in the format ${format}`],
  );
}

/** Staged writes of the pod's own Holdfast would stay in the pod, and the option would not reach it. */
function strictInCluster(): HoldfastError {
  return new HoldfastError('HF_GUARANTEE_MISSING', 'a cluster cannot hold strict runs yet', {
    remedy: 'leave --strict and `strict = true` out: the changes of a run are staged here in any case',
  });
}

/** Returns the policies with their places in the container. Home and workspace have the same paths there as here. */
function policiesOf({ sources, home, workspace, paths }: Place): Placed['policies'] {
  const files = {
    managed: paths.managedPolicy,
    user: join(home, '.config/holdfast/policy.toml'),
    project: join(workspace.root, projectFile),
  };
  return sources.flatMap(({ kind, text }) => (kind === 'session' ? [] : [{ kind, file: files[kind], text }]));
}

function versionOf(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }).version;
}
