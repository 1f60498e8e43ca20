import { normaliseHost } from '../../../policy/index.ts';
import type { Destination } from '../../types.ts';

/** A port as a sender generates it: no sign, no leading zeros. */
const form = /^(\[[\da-f:.]{2,45}\]|[\w.-]{1,254})(?::([1-9]\d{0,4}))?$/iu;

/**
 * Reads `host:port`. Credentials, escapes, zones and bytes that are not ASCII are refused: another parser could read
 * another host in them. Without `otherwise` the port must be there, as in CONNECT.
 */
export function parseAuthorityForm(text: string, otherwise?: number): Destination | undefined {
  const parts = form.exec(text);
  if (parts === null) return undefined;
  const [, name = '', said] = parts;
  const host = normaliseHost(name);
  const port = said === undefined ? otherwise : Number(said);
  return host === undefined || port === undefined || port > 65_535 ? undefined : { host: host.text, port };
}
