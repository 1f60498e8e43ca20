import type { FieldRole, SecretField, SecretReader } from '../fields.ts';
import { type Leaf, leavesOf, secretArgument } from './json.ts';

/** `~/.kube/config`, YAML or JSON. Source: Kubernetes reference, "Kubeconfig (v1)". */
export const kubeconfigFields: SecretReader = (text) => {
  const leaves = leavesOf(text);
  const hosts = hostsOf(leaves);
  return leaves.flatMap((leaf, index): readonly SecretField[] => {
    const [top, position = '', holder] = leaf.path;
    if (top !== 'users' || holder !== 'user' || leaf.value === '') return [];
    const role = kubeconfigRoles[leaf.path.at(-1)?.toLowerCase() ?? ''] ?? (isVariable(leaf) ? 'key' : undefined);
    if (role === undefined) return secretArgument(leaves, index);
    const user = at(leaves, ['users', position, 'name']) ?? '';
    const host = hosts.get(user);
    return [
      {
        start: leaf.start,
        end: leaf.end,
        value: leaf.value,
        encode: JSON.stringify,
        role,
        user,
        ...(host === undefined ? {} : host),
      },
    ];
  });
};

const kubeconfigRoles: Readonly<Record<string, FieldRole>> = {
  token: 'secret',
  password: 'secret',
  'access-token': 'secret',
  'id-token': 'secret',
  'refresh-token': 'secret',
  'client-secret': 'key',
  'client-key-data': 'key',
  'cmd-args': 'key',
};

/** A variable of the program that returns a token: `exec.env[].value`. */
function isVariable({ path }: Leaf): boolean {
  return path.at(-1) === 'value' && path.includes('env');
}

/** Maps each user to the server of the first context that names both. */
function hostsOf(leaves: readonly Leaf[]): ReadonlyMap<string, { readonly host: string; readonly port: number }> {
  const servers = new Map(
    named(leaves, 'clusters').flatMap(([position, name]) => {
      const server = at(leaves, ['clusters', position, 'cluster', 'server']);
      return server === undefined || !URL.canParse(server) ? [] : [[name, new URL(server)] as const];
    }),
  );
  const contexts = named(leaves, 'contexts').flatMap(([position]) => {
    const user = at(leaves, ['contexts', position, 'context', 'user']);
    const server = servers.get(at(leaves, ['contexts', position, 'context', 'cluster']) ?? '');
    return user === undefined || server === undefined
      ? []
      : [[user, { host: server.hostname.toLowerCase(), port: Number(server.port || 443) }] as const];
  });
  return new Map(contexts.toReversed());
}

function named(leaves: readonly Leaf[], list: string): readonly (readonly [position: string, name: string])[] {
  return leaves.flatMap(({ path, value }) =>
    path.length === 3 && path[0] === list && path[2] === 'name' ? [[path[1] ?? '', value] as const] : [],
  );
}

function at(leaves: readonly Leaf[], path: readonly string[]): string | undefined {
  return leaves.find((leaf) => leaf.path.join('\0') === path.join('\0'))?.value;
}
