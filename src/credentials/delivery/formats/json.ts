import { isMap, isPair, isScalar, parseDocument, visit } from 'yaml';
import type { SecretReader, FieldRole, SecretField } from '../fields.ts';

/** A string or number of a JSON or YAML file, with its path of keys. */
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
      // Its value is written elsewhere, below another key.
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

/** A password may consist of digits. */
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
    (name) =>
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
      )[name],
  );

/**
 * A file of unknown origin: the fields with names of secrets. Below such a key every field counts, because any may be
 * the secret.
 */
export const jsonFields: SecretReader = (text) =>
  fieldsBy(text, (name, above) => (isSecretKey(name) ? 'secret' : above.some(isSecretKey) ? 'key' : undefined));

function isSecretKey(name: string): boolean {
  return secretKey.test(snakeCase(name));
}

const secretKey =
  /(?:^|[_.-])(?:auth|password|passwd|passphrase|pwd|secret|token|bearer|authorization|api[_-]?key|access[_-]?key|private[_-]?key|credential)s?$/u;

function snakeCase(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/gu, '$1_$2').toLowerCase();
}

function fieldsBy(
  text: string,
  roleOf: (name: string, above: readonly string[]) => FieldRole | undefined,
): readonly SecretField[] {
  return leavesOf(text).flatMap(({ path, kind, value, start, end }) => {
    const keys = path.filter((key) => !/^\d+$/u.test(key));
    const role = roleOf(keys.at(-1) ?? '', keys.slice(0, -1));
    // `max_tokens: 4096` is an amount.
    const isAmount = kind === 'number' && /tokens?$/iu.test(keys.at(-1) ?? '');
    return role === undefined || value === '' || isAmount ? [] : [{ start, end, value, encode: JSON.stringify, role }];
  });
}
