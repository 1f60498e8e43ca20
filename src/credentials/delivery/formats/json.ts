import { isMap, isPair, isScalar, parseDocument, visit } from 'yaml';
import type { SecretReader, FieldRole, SecretField } from '../fields.ts';

/** A string or number of a JSON or YAML file, with the keys that lead to it. */
export interface Leaf {
  /** Keys from the outermost inwards. Numbers are positions in lists. */
  readonly path: readonly string[];
  readonly value: string;
  readonly kind: 'string' | 'number';
  readonly start: number;
  readonly end: number;
}

/**
 * Returns every string and number of a JSON or YAML document, with the offsets of its token. Throws a `SyntaxError` for
 * any other text, and for aliases.
 */
export function leavesOf(text: string): readonly Leaf[] {
  const document = parseDocument(text, { prettyErrors: false, maxAliasCount: 0 } as object);
  if (document.errors.length > 0) throw new SyntaxError('it is neither JSON nor YAML');
  const leaves: Leaf[] = [];
  visit(document, {
    Alias() {
      // The value of an alias is written elsewhere, below another key.
      throw new SyntaxError('it holds an alias of YAML');
    },
    Scalar(key, node, parents) {
      if (key === 'key' || !isText(node.value) || node.range === undefined || node.range === null) return;
      const [start, end] = node.range;
      const read =
        typeof node.value === 'string'
          ? ({ kind: 'string', value: node.value } as const)
          : ({ kind: 'number', value: text.slice(start, end) } as const);
      leaves.push({
        path: [...pathOf(parents), ...(typeof key === 'number' ? [String(key)] : [])],
        ...read,
        start,
        end,
      });
    },
  });
  return leaves;
}

/** A number counts too, because a password may consist of digits. */
function isText(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

function pathOf(parents: readonly unknown[]): readonly string[] {
  return parents.flatMap((parent, index) => {
    if (isPair(parent)) return [isScalar(parent.key) ? String(parent.key.value) : ''];
    const child = parents[index + 1];
    return isMap(parent) || child === undefined || typeof parent !== 'object' || parent === null || !('items' in parent)
      ? []
      : [String((parent.items as unknown[]).indexOf(child))];
  });
}

/**
 * Google's application default credentials and service account keys. Source: Google Cloud documentation, "How
 * Application Default Credentials works".
 */
export const gcloudFields: SecretReader = (text) =>
  fieldsBy(
    text,
    (name, above) =>
      (
        ({
          refresh_token: 'secret',
          client_secret: 'key',
          private_key: 'key',
          access_token: 'secret',
          id_token: 'key',
          token: 'key',
          subject_token: 'key',
        }) as const
      )[name] ?? (above.includes('headers') ? 'key' : undefined),
  );

/**
 * Returns the secrets of a file of unknown origin: the fields whose names are names of secrets. Below such a key every
 * field counts, because any of them may be the secret. Commands in the file may have secrets in their arguments and
 * variables.
 */
export const jsonFields: SecretReader = (text) => {
  const leaves = leavesOf(text);
  return leaves.flatMap((leaf, index) => {
    const named = fieldBy(leaf, (name, above) =>
      isSecretKey(name) ? 'secret' : isPrivateName(name) || above.some(isSecretKey) ? 'key' : undefined,
    );
    return named.length > 0 ? named : isNamedBeside(leaves, leaf) ? keyField(leaf) : secretArgument(leaves, index);
  });
};

/**
 * Returns the field of an argument that holds a secret, either the whole argument or the part after its option:
 * `--token=…`.
 */
export function secretArgument(leaves: readonly Leaf[], index: number): readonly SecretField[] {
  const leaf = leaves[index];
  if (leaf?.kind !== 'string' || leaf.value === '' || !/^\d+$/u.test(leaf.path.at(-1) ?? '')) return [];
  const [, option = '', value = ''] = /^(--?[\w.-]+)=(.+)$/su.exec(leaf.value) ?? [];
  if (isSecretOption(option))
    return [{ ...keyed(leaf), value, encode: (other) => JSON.stringify(`${option}=${other}`) }];
  const before = leaves[index - 1];
  const isBehind = before?.path.slice(0, -1).join('\0') === leaf.path.slice(0, -1).join('\0');
  return isBehind && isSecretOption(before?.value ?? '') ? keyField(leaf) : [];
}

function isSecretOption(text: string): boolean {
  const [, name = ''] = /^--?([\w.-]+)$/u.exec(text) ?? [];
  return isSecretKey(name) || isPrivateName(name);
}

/** Returns true for the value of `{ "name": "API_TOKEN", "value": … }`. */
function isNamedBeside(leaves: readonly Leaf[], { path, value }: Leaf): boolean {
  if (value === '' || path.at(-1)?.toLowerCase() !== 'value') return false;
  const place = path.slice(0, -1).join('\0');
  return leaves.some(
    (other) =>
      other.path.slice(0, -1).join('\0') === place &&
      /^(?:name|key)$/iu.test(other.path.at(-1) ?? '') &&
      (isSecretKey(other.value) || isPrivateName(other.value)),
  );
}

function keyField(leaf: Leaf): readonly SecretField[] {
  return [keyed(leaf)];
}

function keyed({ start, end, value }: Leaf): SecretField {
  return { start, end, value, encode: JSON.stringify, role: 'key' };
}

function isSecretKey(name: string): boolean {
  return secretKey.test(snakeCase(name));
}

/** Names of secrets that no request carries unchanged, or names of values that may not be secrets. */
function isPrivateName(name: string): boolean {
  return privateName.test(snakeCase(name));
}

const secretKey =
  /(?:^|[_.-])(?:o?auth|password|passwd|passphrase|pwd|secret|token|bearer|authorization|(?:api|access|private|secret)[_-]?key|credential)s?$/u;
const privateName =
  /(?:^|[_.-])(?:pass|pat|jwt|cookie|(?:account|auth|deploy|encryption|license|master|service|session|shared|signing|storage)[_-]?key)s?$/u;

function snakeCase(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/gu, '$1_$2').toLowerCase();
}

type RoleOf = (name: string, above: readonly string[]) => FieldRole | undefined;

function fieldsBy(text: string, roleOf: RoleOf): readonly SecretField[] {
  return leavesOf(text).flatMap((leaf) => fieldBy(leaf, roleOf));
}

function fieldBy({ path, kind, value, start, end }: Leaf, roleOf: RoleOf): readonly SecretField[] {
  const keys = path.filter((key) => !/^\d+$/u.test(key));
  const role = roleOf(keys.at(-1) ?? '', keys.slice(0, -1));
  // `max_tokens: 4096` is an amount.
  const isAmount = kind === 'number' && /tokens?$/iu.test(keys.at(-1) ?? '');
  return role === undefined || value === '' || isAmount ? [] : [{ start, end, value, encode: JSON.stringify, role }];
}
