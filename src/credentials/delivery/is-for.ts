import type { CredentialFormat } from '../../policy/credentials/types.ts';
import type { HostPattern } from '../../policy/patterns/host-pattern.ts';
import type { SecretField } from './fields.ts';
import { formats } from './formats/index.ts';

/** Returns true if a credential covers the field. A field without a host covers every host. */
export function isFor({ host, port, user }: SecretField, wanted: WantedSecret): boolean {
  if (wanted.user !== undefined && user !== undefined && user !== wanted.user) return false;
  return (
    host === undefined ||
    wanted.hosts.some((pattern) => names(pattern, host) && (port === undefined || hasPort(pattern, port)))
  );
}

function names({ host }: HostPattern, name: string): boolean {
  switch (host.kind) {
    case 'any':
      return true;
    case 'exact':
      return host.text === name.replace(/^\[(.*)\]$/u, '$1');
    case 'subdomains':
      return name.endsWith(`.${host.suffix}`);
    case 'localhost':
      return name === 'localhost' || name === '127.0.0.1' || name === '::1' || name === '[::1]';
    case 'network':
      return false;
  }
}

function hasPort({ ports }: HostPattern, port: number): boolean {
  return ports === undefined || (port >= ports.from && port <= ports.to);
}

export interface ExtractedSecret {
  readonly value: string;
  /** `accessKeyId` and `sessionToken`, if the format stores them with the secret. */
  readonly fields: Readonly<Record<string, string>>;
  readonly user?: string;
}

export interface WantedSecret {
  readonly hosts: readonly HostPattern[];
  /** User or profile. Absent: the first. */
  readonly user?: string;
}

/** Returns the secret of a credential file for `wanted`. Undefined if it holds none, or is not in its format. */
export function extractSecret(
  format: CredentialFormat,
  text: string,
  wanted: WantedSecret,
): ExtractedSecret | undefined {
  const fields = fieldsOf(format, text);
  const found = fields.find((field) => field.role === 'secret' && isFor(field, wanted));
  if (found === undefined) return undefined;
  const companions = fields.filter(
    (field) => field.role !== 'secret' && field.role !== 'key' && field.user === found.user,
  );
  return {
    value: found.value,
    fields: Object.fromEntries(companions.map(({ role, value }) => [role, value])),
    ...(found.user === undefined ? {} : { user: found.user }),
  };
}

function fieldsOf(format: CredentialFormat, text: string): readonly SecretField[] {
  try {
    return formats[format](text);
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
