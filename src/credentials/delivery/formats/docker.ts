import type { FieldReader, SecretField } from '../fields.ts';
import { type Leaf, leavesOf } from './json.ts';

/** `~/.docker/config.json`. Source: Docker documentation, "docker login" (credential stores). Go, which reads it, does not mind the case of keys. */
export const dockerFields: FieldReader = (text) => leavesOf(text).flatMap(fieldOf);

function fieldOf({ path, value, start, end }: Leaf): readonly SecretField[] {
  const [top, registry = '', name = ''] = path.map((key, depth) => (depth === 1 ? key : key.toLowerCase()));
  if (value === '') return [];
  if (top === 'httpheaders') return [{ start, end, value, encode: JSON.stringify, role: 'key' }];
  if (top !== 'auths') return [];
  const place = { host: hostOf(registry) };
  if (name === 'auth') {
    const [user = '', ...password] = Buffer.from(value, 'base64').toString('utf8').split(':');
    return [{ start, end, value: password.join(':'), user, encode: (other) => JSON.stringify(Buffer.from(`${user}:${other}`).toString('base64')), role: 'secret', ...place }];
  }
  return ['identitytoken', 'registrytoken', 'password'].includes(name) ? [{ start, end, value, encode: JSON.stringify, role: 'secret', ...place }] : [];
}

/** `https://index.docker.io/v1/` or `registry.example.com:5000` */
function hostOf(registry: string): string {
  return registry.replace(/^https?:\/\//u, '').split(/[/:]/u, 1)[0]?.toLowerCase() ?? '';
}
