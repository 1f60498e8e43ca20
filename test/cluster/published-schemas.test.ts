import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Pod } from 'kubernetes-models/v1/Pod';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { AgentSandboxObject } from './agent-sandbox-types.ts';

/*
 * Checks the rendered objects against the published schemas: `kubernetes-models` 5.1.0 carries the OpenAPI schemas of
 * Kubernetes as types and as validators. A validator finds missing fields. The types also find unknown fields.
 */

type Manifest = Readonly<Record<string, unknown>> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec?: Readonly<Record<string, unknown>>;
};

const golden = resolve(import.meta.dirname, '../../src/cluster/golden');
const files = globSync('*.yaml', { cwd: golden });
const types: Readonly<Record<string, string>> = {
  ConfigMap: "import('kubernetes-models/v1/ConfigMap').IConfigMap",
  NetworkPolicy: "import('kubernetes-models/networking.k8s.io/v1/NetworkPolicy').INetworkPolicy",
  Pod: "import('kubernetes-models/v1/Pod').IPod",
};
const agentSandbox: readonly AgentSandboxObject['kind'][] = [
  'Sandbox',
  'SandboxTemplate',
  'SandboxClaim',
  'SandboxWarmPool',
];

/** The published type of an object's kind and version. */
function typeOf({ kind, apiVersion }: Manifest): string {
  if (!agentSandbox.some((each) => each === kind)) return types[kind] ?? 'never';
  return `Extract<import('../agent-sandbox-types.ts').AgentSandboxObject, { kind: '${kind}'; apiVersion: '${apiVersion}' }>`;
}

let folder: string;
beforeAll(() => {
  // Next to the types, because the compiler looks for packages above the file.
  folder = mkdtempSync(join(import.meta.dirname, 'published-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(files)(
  '%s has only fields of the published types',
  (file) => {
    expect(compiled(manifestsOf(file))).toBe('');
  },
  120_000,
);

test.each(files)('%s has the fields that the published schemas require', (file) => {
  for (const manifest of manifestsOf(file)) expect(() => validate(manifest)).not.toThrow();
});

describe('the findings of the checks', () => {
  test('a field that no server knows, at any depth', () => {
    const [pod] = manifestsOf('a-pod.yaml').filter(({ kind }) => kind === 'Pod');
    const changed = JSON.parse(
      JSON.stringify(pod).replace('"readOnlyRootFilesystem"', '"readOnlyRootFileSystem"'),
    ) as Manifest;
    expect(compiled([changed])).toContain('readOnlyRootFileSystem');
    const [sandbox] = manifestsOf('a-run.yaml').filter(({ kind }) => kind === 'Sandbox');
    expect(compiled([{ ...sandbox, spec: { ...sandbox?.spec, lifecycle: {} } } as unknown as Manifest])).toContain(
      'lifecycle',
    );
    const [claim] = manifestsOf('a-claim-beta.yaml');
    expect(compiled([{ ...claim, spec: { ...claim?.spec, warmpool: 'fast' } } as unknown as Manifest])).toContain(
      'warmpool',
    );
  }, 120_000);

  test('a container without a name', () => {
    const manifest: Manifest = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a' },
      spec: { containers: [{ image: 'b' }] },
    };
    expect(() => validate(manifest)).toThrow('name');
  });
});

function manifestsOf(file: string): readonly Manifest[] {
  const documents = parseAllDocuments(readFileSync(join(golden, file), 'utf8'));
  return documents.map((document) => document.toJS() as Manifest);
}

/** The compiler's messages about the objects as literals: there, it refuses unknown fields. */
function compiled(manifests: readonly Manifest[]): string {
  const file = join(folder, 'objects.ts');
  const lines = manifests.map(
    (manifest, index) => `export const object${index}: ${typeOf(manifest)} = ${JSON.stringify(manifest)};`,
  );
  writeFileSync(file, `${lines.join('\n')}\n`);
  const flags = ['--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2024', '--types', ''];
  try {
    return execFileSync('tsc', ['--noEmit', '--ignoreConfig', '--allowImportingTsExtensions', ...flags, file], {
      encoding: 'utf8',
    });
  } catch (error) {
    return String((error as { readonly stdout?: unknown }).stdout);
  }
}

/** Validates the pods of sandboxes and templates as separate pods. */
function validate(manifest: Manifest): void {
  const { kind, spec } = manifest;
  if (kind === 'ConfigMap') new ConfigMap(manifest as never).validate();
  else if (kind === 'NetworkPolicy') new NetworkPolicy(manifest as never).validate();
  else if (kind === 'Pod') new Pod(manifest as never).validate();
  else if (spec?.['podTemplate'] !== undefined)
    new Pod({ metadata: {}, ...(spec['podTemplate'] as object) }).validate();
}
