import type { CredentialFormat } from '../../policy/credentials/types.ts';

/** Content of a generated file. */
export interface HostSecret {
  readonly host: string;
  readonly port?: number;
  readonly user?: string;
  readonly phantom: string;
  /** Phantom of the access key ID, for `aws`. */
  readonly accessKeyId?: string;
}

/** Returns a credential file that the host does not have. Undefined if the format needs more than a phantom. */
export function generatedFile(
  format: CredentialFormat,
  { host, port, user, phantom, accessKeyId }: HostSecret,
): string | undefined {
  const authority = port === undefined ? host : `${host}:${port}`;
  const encoded = encodeURIComponent(phantom);
  switch (format) {
    case 'text':
      return phantom;
    case 'netrc':
      return `machine ${host}\nlogin ${user ?? 'token'}\npassword ${phantom}\n`;
    case 'npmrc':
      return `//${authority}/:_authToken=${phantom}\n`;
    case 'pgpass':
      return `${host}:${port ?? '*'}:*:${user ?? '*'}:${phantom}\n`;
    case 'pip':
      return `[global]\nindex-url = https://${user ?? '__token__'}:${encoded}@${authority}/simple\n`;
    case 'git':
      return `https://${user ?? 'x-access-token'}:${encoded}@${authority}\n`;
    case 'docker':
      return `${JSON.stringify({ auths: { [authority]: { auth: Buffer.from(`${user ?? 'token'}:${phantom}`).toString('base64') } } }, null, 2)}\n`;
    case 'aws':
      return accessKeyId === undefined
        ? undefined
        : `[${user ?? 'default'}]\naws_access_key_id = ${accessKeyId}\naws_secret_access_key = ${phantom}\n`;
    case 'kubeconfig':
    case 'gcloud':
    case 'json':
    case 'dotenv':
      return undefined;
  }
}
