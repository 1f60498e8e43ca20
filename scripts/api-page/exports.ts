import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

export interface Declared {
  readonly name: string;
  /** The declaration with its docstring, as the package has it. */
  readonly text: string;
}

const reexport = /^export (?:type )?(?:\{([^}]*)\}|\*) from '([^']+)';$/gmu;

/** All exports of a file of declarations, followed to their declarations. Throws for a name without a declaration. */
export function exportsOf(file: string): readonly Declared[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(reexport)].flatMap(([, names, path = '']) => {
    const from = resolve(dirname(file), path.replace(/\.js$/u, '.d.ts'));
    return names === undefined
      ? exportsOf(from)
      : names
          .split(',')
          .map((each) => each.trim())
          .filter((each) => each !== '')
          .map((each) => named(from, each));
  });
}

/** `each` as written in an import: `type A as B`. */
function named(file: string, each: string): Declared {
  const [inside = '', outside = inside] = each.replace(/^type /u, '').split(' as ');
  const text = declarationOf(file, inside);
  if (text === undefined) throw new Error(`${file} declares no ${inside}`);
  return { name: outside, text };
}

function declarationOf(file: string, name: string): string | undefined {
  const text = readFileSync(file, 'utf8');
  const found = new RegExp(
    `^export (?:declare )?(?:abstract )?(?:class|interface|type|function|const) ${name}\\b`,
    'mu',
  ).exec(text);
  if (found !== null) return `${docBefore(text, found.index)}${upToEnd(text.slice(found.index))}`;
  for (const [, names, path = ''] of text.matchAll(reexport)) {
    const from = resolve(dirname(file), path.replace(/\.js$/u, '.d.ts'));
    const inner = names
      ?.split(',')
      .map((each) => each.trim().replace(/^type /u, ''))
      .find((each) => (each.split(' as ')[1] ?? each) === name);
    const again =
      names === undefined ? declarationOf(from, name) : inner === undefined ? undefined : named(from, inner).text;
    if (again !== undefined) return again;
  }
  return undefined;
}

/** The docstring directly before a declaration. */
function docBefore(text: string, index: number): string {
  return /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n$/u.exec(text.slice(0, index))?.[0] ?? '';
}

/** A declaration ends at the next line that begins with another one, or with a docstring. */
function upToEnd(text: string): string {
  const end = text.slice(1).search(/^(?:export|declare|import|\/\*\*|interface |type )/mu);
  return (end === -1 ? text : text.slice(0, end + 1)).replace(/^export (?:declare )?/u, '').trimEnd();
}
