import { parseSync, visitorKeys } from 'oxc-parser';

/** The facts about one file for the measures. */
export interface Source {
  readonly path: string;
  /** All of its lines. */
  readonly lines: number;
  /** Lines that are neither blank nor comments alone. */
  readonly codeLines: number;
  readonly wideLines: number;
  /** The lines of each function, shortest first. */
  readonly functions: readonly number[];
  /** As written, including those of types and of `import()`. */
  readonly imports: readonly string[];
  /** Declared names. Re-exported names of other files are not among them. */
  readonly exports: readonly string[];
  readonly isReexport: boolean;
}

/** The widest line that reads without scrolling. */
const width = 120;
const functionTypes: ReadonlySet<string> = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** Throws for a text that does not parse. */
export function readSource(path: string, text: string): Source {
  const { program, module, comments, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const rows = text.trimEnd().split('\n');
  const starts = lineStarts(text);
  const lineAt = (position: number): number => starts.findLastIndex((start) => start <= position);
  const entries = module.staticExports.flatMap((statement) => statement.entries);
  const declared = entries.flatMap(({ moduleRequest, exportName }) =>
    moduleRequest === null && exportName.name !== null ? [exportName.name] : [],
  );
  return {
    path,
    lines: rows.length,
    codeLines: withoutComments(text, comments)
      .split('\n')
      .filter((line) => line.trim() !== '').length,
    wideLines: rows.filter((row) => row.length > width).length,
    functions: functionsOf(program as Node)
      .map(({ start, end }) => lineAt(end - 1) - lineAt(start) + 1)
      .toSorted((a, b) => a - b),
    imports: [
      ...new Set([
        ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
        ...entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
        ...lazyImports(program as Node),
      ]),
    ],
    exports: [...new Set(declared)],
    isReexport: program.body.length > 0 && program.body.every(isPassedOn),
  };
}

function lineStarts(text: string): readonly number[] {
  return [0, ...[...text.matchAll(/\n/gu)].map(({ index }) => index + 1)];
}

/** Comments become spaces, and their line breaks stay. */
function withoutComments(text: string, comments: readonly Pick<Node, 'start' | 'end'>[]): string {
  return comments
    .toReversed()
    .reduce(
      (rest, { start, end }) =>
        rest.slice(0, start) + rest.slice(start, end).replaceAll(/[^\n]/gu, ' ') + rest.slice(end),
      text,
    );
}

function isPassedOn(statement: object): boolean {
  const { type, source } = statement as Node & { readonly source?: object | null };
  return (
    type === 'ImportDeclaration' ||
    type === 'ExportAllDeclaration' ||
    (type === 'ExportNamedDeclaration' && source !== null)
  );
}

function functionsOf(node: Node): readonly Node[] {
  return descendants(node).filter(({ type }) => functionTypes.has(type));
}

function lazyImports(node: Node): readonly string[] {
  return descendants(node).flatMap((each) => {
    const { type, source } = each as Node & { readonly source?: { readonly value?: unknown } };
    return (type === 'ImportExpression' || type === 'TSImportType') && typeof source?.value === 'string'
      ? [source.value]
      : [];
  });
}

function descendants(node: Node): readonly Node[] {
  const found: Node[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    found.push(next);
    const fields = next as unknown as Readonly<Record<string, unknown>>;
    for (const key of visitorKeys[next.type] ?? [])
      waiting.push(
        ...[fields[key]].flat().filter((child): child is Node => typeof child === 'object' && child !== null),
      );
  }
  return found;
}
