import { createHash } from 'node:crypto';

/** The answer to `AuthenticationMD5Password`. `salt` has four octets. Source: PostgreSQL 15 documentation, 55.2.1. */
export function md5Answer(login: { readonly user: string; readonly password: string }, salt: Buffer): string {
  return `md5${digest(Buffer.concat([Buffer.from(digest(Buffer.from(login.password + login.user))), salt]))}`;
}

function digest(data: Buffer): string {
  return createHash('md5').update(data).digest('hex');
}
