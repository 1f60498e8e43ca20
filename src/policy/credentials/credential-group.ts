import type { Problem } from '../document/problem.ts';
import { lineOf, type PolicyDocument } from '../document/types.ts';
import { HoldfastError } from '../../errors/index.ts';
import { knownHost } from '../kinds/known-pattern.ts';
import type { Origin } from '../origin.ts';
import type { HostPattern } from '../patterns/host-pattern.ts';
import type { Roots } from '../patterns/resolve-path.ts';
import type { LayerKind } from '../verdict.ts';
import { deliveredVariables } from './delivered-variables.ts';
import { onPort } from './read-binding.ts';
import { defaultPort } from './read-injection.ts';
import { readTable } from './read-table.ts';
import type { Credential } from './types.ts';

/** The credentials of one table, with the places that a problem with the rest of the policy points to. */
export interface CredentialGroup {
  readonly name: string;
  readonly credentials: readonly Credential[];
  readonly origin: Origin;
  /** Hosts that the table spells out, with their lines. Empty if the provider gives them. */
  readonly hosts: readonly { readonly pattern: HostPattern; readonly origin: Origin }[];
  /** Variables that the group delivers, by name. */
  readonly variables: readonly { readonly name: string; readonly origin: Origin }[];
  /** Problems of the group in this workspace. */
  readonly problems: readonly Problem[];
}

/** Returns every table of a document. Throws `HF_POLICY_INVALID` for an unchecked one. */
export function credentialGroups(document: PolicyDocument, kind: LayerKind, roots: Roots): readonly CredentialGroup[] {
  return (document.value.credentials ?? []).map((table, index): CredentialGroup => {
    const at = `credentials[${index}]`;
    const originAt = (path: string): Origin => ({
      rule: table.name,
      layer: kind,
      file: document.file,
      line: lineOf(document, path),
    });
    const credentials = readTable(table, { at, roots, origin: originAt(at) });
    if (credentials.kind === 'wrong') throw invalid(document.file, credentials.findings[0]);
    const own = credentials.value.at(-1);
    const port = own === undefined ? 0 : defaultPort(own.injection, own.binding.transport);
    return {
      name: table.name,
      credentials: credentials.value,
      origin: originAt(at),
      hosts: (table.hosts ?? []).map((host, item) => ({
        pattern: onPort(knownHost(host), port),
        origin: originAt(`${at}.hosts[${item}]`),
      })),
      variables: (own === undefined ? [] : deliveredVariables(own, at)).map((variable) => ({
        name: variable.name,
        origin: originAt(variable.at),
      })),
      problems: placeProblems(own, roots, { file: document.file, lineOf: (path) => lineOf(document, `${at}.${path}`) }),
    };
  });
}

function invalid(
  file: string,
  finding: { readonly message: string; readonly remedy: string } | undefined,
): HoldfastError {
  return new HoldfastError(
    'HF_POLICY_INVALID',
    `${file}: ${finding?.message ?? 'a table of credentials is not valid'}`,
    { remedy: finding?.remedy ?? 'check the policy with `holdfast policy check`' },
  );
}

interface Lines {
  readonly file: string;
  readonly lineOf: (path: string) => number;
}

/**
 * Attack: a path that the box can write, so that it chooses the secret that is read, or the text around the phantom.
 */
function placeProblems(
  credential: Credential | undefined,
  { workspaceComponents }: Roots,
  { file, lineOf: line }: Lines,
): readonly Problem[] {
  if (credential === undefined) return [];
  const { name, source, delivery } = credential;
  const isInside = (path: string): boolean =>
    workspaceComponents.every((component, index) => path.split('/')[index + 1] === component);
  const files = delivery.files.flatMap(({ path }, index) =>
    isInside(path)
      ? [
          {
            at: `files[${index}].path`,
            message: `the credential "${name}" would cover "${path}" in the workspace with its own file`,
          },
        ]
      : [],
  );
  const read =
    (source.kind === 'file' && isInside(source.path)) || (source.kind === 'command' && isInside(source.argv[0] ?? ''));
  const sources = read
    ? [{ at: 'source', message: `the secret of "${name}" is in the workspace, where the box can write` }]
    : [];
  return [...files, ...sources].map(
    ({ at, message }): Problem => ({
      code: 'HF_POLICY_INVALID',
      file,
      line: line(at),
      message,
      remedy: 'name a source outside of the workspace',
    }),
  );
}
