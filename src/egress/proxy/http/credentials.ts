import { valuesOf } from '../../http/fields.ts';
import type { Fields } from '../../http/message.ts';
import type { ProxyGuard } from '../guard.ts';

/** Whether one `Proxy-Authorization: Basic` field holds the name and the secret. Source: RFC 7617 §2. */
export function isAuthorised(fields: Fields, guard: ProxyGuard): boolean {
  const [value = '', ...more] = valuesOf(fields, 'proxy-authorization');
  const parts = /^basic +([\w+/-]{1,400}={0,2})$/iu.exec(value);
  if (parts === null || more.length > 0) return false;
  const text = Buffer.from(parts[1] ?? '', 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon !== -1 && guard.admits(text.slice(0, colon), text.slice(colon + 1));
}
