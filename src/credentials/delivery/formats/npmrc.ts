import { asIs, type FieldReader, type SecretField } from '../fields.ts';
import { type IniEntry, iniEntries } from './ini.ts';

/** `~/.npmrc`. Source: npm documentation, "npmrc" (auth related configuration). Values that name a variable hold no secret. */
export const npmrcFields: FieldReader = (text) => iniEntries(text, 'equals').flatMap(fieldOf);

function fieldOf({ key, value, start, end }: IniEntry): readonly SecretField[] {
  const [, registry, name = ''] = /^(?:\/\/(.+?):)?(_authToken|_auth|_password|keyfile|key)$/u.exec(key.replace(/^(['"]?)(.*?)(?:\[\])?\1$/u, '$2')) ?? [];
  if (name === '' || /^\$\{[^}]*\}$/u.test(value)) return [];
  const place = registry === undefined ? {} : placeOf(registry);
  switch (name) {
    case '_auth': {
      const [user = '', ...password] = decode(value).split(':');
      return [{ start, end, value: password.join(':'), user, encode: (other) => encode(`${user}:${other}`), role: 'secret', ...place }];
    }
    case '_password':
      return [{ start, end, value: decode(value), encode, role: 'secret', ...place }];
    case '_authToken':
      return [{ start, end, value, encode: asIs, role: 'secret', ...place }];
    default:
      return [{ start, end, value, encode: asIs, role: 'key', ...place }];
  }
}

/** `registry.example.com:8080/path/` */
function placeOf(registry: string): { readonly host: string; readonly port?: number } {
  const [authority = ''] = registry.split('/', 1);
  const [, host = '', port] = /^(.*?)(?::(\d{1,5}))?$/u.exec(authority.toLowerCase()) ?? [];
  return { host, ...(port === undefined ? {} : { port: Number(port) }) };
}

function decode(value: string): string {
  return Buffer.from(value, 'base64').toString('utf8');
}

function encode(value: string): string {
  return Buffer.from(value, 'utf8').toString('base64');
}
