import type { DocumentFinding } from '../document/problem.ts';
import type { CredentialTable } from './schema.ts';
import { patternRoots } from '../patterns/resolve-path.ts';
import { deliveredVariables, repeatedIn } from './delivered-variables.ts';
import { findingsOf, type Read } from './read.ts';
import { readTable } from './read-table.ts';
import type { Credential } from './types.ts';

/** Returns all problems of one document's tables, in every layer. */
export function credentialFindings({
  credentials: tables = [],
}: {
  readonly credentials?: readonly CredentialTable[] | undefined;
}): readonly DocumentFinding[] {
  const results = tables.map((table, index) =>
    readTable(table, { at: `credentials[${index}]`, roots: anywhere, origin: nowhere }),
  );
  return [...duplicates(tables), ...results.flatMap(findingsOf), ...sharedVariables(results)];
}

/** Any paths work here: the validity of a table does not depend on the user's home and workspace. */
const anywhere = patternRoots({ home: '/home', workspace: '/workspace' });
const nowhere = { rule: '', layer: 'user', file: '', line: 0 } as const;

function duplicates(tables: readonly CredentialTable[]): readonly DocumentFinding[] {
  return repeatedIn(
    tables.map(({ name }, index) => ({ name, at: `credentials[${index}]` })),
    ({ name }) => name,
  ).map(({ item: { name, at }, first }) => ({
    at: `${at}.name`,
    message: `the name "${name}" is already used by ${first.at}`,
    remedy: 'give each credential a name of its own',
  }));
}

function sharedVariables(results: readonly Read<readonly Credential[]>[]): readonly DocumentFinding[] {
  const variables = results.flatMap((result, table) =>
    result.kind === 'read'
      ? result.value.flatMap((credential) =>
          deliveredVariables(credential, `credentials[${table}]`).map((variable) => ({
            ...variable,
            credential: credential.name,
          })),
        )
      : [],
  );
  return repeatedIn(variables, ({ name }) => name).map(({ item: { name, at }, first }) => ({
    at,
    message: `${name} is already delivered by "${first.credential}"`,
    remedy: sharedRemedy,
  }));
}

export const sharedRemedy = 'let one of the two name its variables: environment = […]';
