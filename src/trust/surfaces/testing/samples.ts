import { stringify as tomlText } from 'smol-toml';
import { stringify as yamlText } from 'yaml';
import { shownPath } from '../../extract/extract-fields.ts';
import { splitPath } from '../../extract/match-fields.ts';
import type { Surface } from '../../types.ts';

export interface Sample {
  readonly text: string;
  /** Name of the field that the test must find in it. */
  readonly path: string;
}

/** One file for each pattern of a row, in the row's format. It has the pattern's field and another one. */
export function sampleOf({ format, fields }: Surface): readonly Sample[] {
  if (fields.length === 0) return [{ text: 'echo hello\n', path: '' }];
  return fields.flatMap(({ path }) => {
    const keys = splitPath(path).flatMap((key) =>
      key === '**' ? [] : [key.replaceAll('*', 'x').replaceAll('?', 'y')],
    );
    const text = write[format](keys.length === 0 ? ['anything'] : keys);
    return text === undefined
      ? []
      : [{ text, path: shownPath(foundKeys(format, keys.length === 0 ? ['anything'] : keys)) }];
  });
}

const value = './evil';
const nested = (keys: readonly string[]): unknown =>
  keys.reduceRight<unknown>((inner, key) => ({ [key]: inner, 'zz-else': '1' }), value);

type Writer = (keys: readonly string[]) => string | undefined;

/** Undefined if the format cannot hold such a field. */
const write: Readonly<Record<Surface['format'], Writer>> = {
  json: (keys) => JSON.stringify(nested(keys)),
  jsonc: (keys) => `// sample\n${JSON.stringify(nested(keys), null, 2).replace(/\n\}$/u, ',\n}')}\n`,
  toml: (keys) => tomlText(nested(keys) as Record<string, unknown>),
  yaml: (keys) => yamlText(nested(keys)),
  ini: (keys) =>
    keys.length === 1
      ? `${keys[0]}=${value}\n`
      : keys.length === 2
        ? `[${keys[0]}]\n${keys[1]} = ${value}\n`
        : undefined,
  dotenv: ([name = '']) => `export ${name}="${value}"\nELSE=1\n`,
  'git-attributes': ([pattern = '', name = '']) => `# sample\n${pattern} ${name}=driver text\n`,
  'git-config': (keys) =>
    keys.length === 2
      ? `[${keys[0]}]\n\t${keys[1]} = ${value}\n`
      : keys.length === 3
        ? `[${keys[0]} "${keys[1]}"]\n\t${keys[2]} = ${value}\n`
        : undefined,
  xml: (keys) =>
    `<?xml version="1.0"?>\n<!-- sample -->\n<project>${elements(keys.length === 1 ? ['element', ...keys] : keys)}<else/></project>\n`,
  markdown: (keys) => markdownText(keys),
  source: () => undefined,
};

function elements([tag = '', inner = '', ...rest]: readonly string[]): string {
  return rest.length === 0 ? `<${tag} ${inner}="${value}"/>` : `<${tag}>${elements([inner, ...rest])}</${tag}>`;
}

function markdownText(keys: readonly string[]): string | undefined {
  if (keys[0] === 'front') return keys.length > 1 ? `---\n${yamlText(nested(keys.slice(1)))}---\ntext\n` : undefined;
  if (keys[0] === 'import') return 'See @docs/x for more.\n';
  if (keys[0] === 'command') return 'First !`./evil`, then go on.\n';
  return 'Some text.\n';
}

function foundKeys(format: Surface['format'], keys: readonly string[]): readonly string[] {
  if (format === 'dotenv') return keys.slice(0, 1);
  if (format === 'xml') return ['project', ...(keys.length === 1 ? ['element'] : []), ...keys];
  if (format !== 'markdown' || keys[0] === 'front') return keys;
  return keys[0] === 'import' ? ['import', 'docs/x'] : keys[0] === 'command' ? ['command', '0'] : ['text'];
}
