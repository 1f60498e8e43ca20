import type { CredentialFormat, HostPattern } from '../../policy/index.ts';
import type { SecretField } from './fields.ts';
import { formats } from './formats/index.ts';
import { isFor } from './is-for.ts';

export interface Extracted {
  readonly value: string;
  /** `accessKeyId` and `sessionToken`, where the format has them beside the secret. */
  readonly fields: Readonly<Record<string, string>>;
  readonly user?: string;
}

export interface Wanted {
  readonly hosts: readonly HostPattern[];
  /** The user or profile; absent: the first. */
  readonly user?: string;
}

/** The secret that a credential file holds for `wanted`, or undefined where it holds none. A file that is not in its format holds none. */
export function extractSecret(format: CredentialFormat, text: string, wanted: Wanted): Extracted | undefined {
  const fields = fieldsOf(format, text);
  const found = fields.find((field) => field.role === 'secret' && isFor(field, wanted));
  if (found === undefined) return undefined;
  const companions = fields.filter((field) => field.role !== 'secret' && field.role !== 'key' && field.user === found.user);
  return { value: found.value, fields: Object.fromEntries(companions.map(({ role, value }) => [role, value])), ...(found.user === undefined ? {} : { user: found.user }) };
}

function fieldsOf(format: CredentialFormat, text: string): readonly SecretField[] {
  try {
    return formats[format](text);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
