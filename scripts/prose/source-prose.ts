import { parseSync, visitorKeys } from 'oxc-parser';

/** Text in a source file for a human reader. */
export interface SourceProse {
  readonly kind: 'comment' | 'message';
  readonly line: number;
  /** Inserted values are one word each. */
  readonly text: string;
}

/**
 * Comments, docstrings, and the strings that are sentences: three words or more. Throws for a source that does not
 * parse.
 */
export function proseOfSource(path: string, source: string): readonly SourceProse[] {
  const { program, comments, errors } = parseSync(path, source);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const lineAt = (position: number): number => source.slice(0, position).split('\n').length;
  return [
    ...joinLines(comments, source).map(({ start, value }) => ({
      kind: 'comment' as const,
      line: lineAt(start),
      text: value,
    })),
    ...messagesOf(program as Node).map(({ start, value }) => ({
      kind: 'message' as const,
      line: lineAt(start),
      text: value,
    })),
  ];
}

/** Finds no comments that start with `//`, because the C programs have none. */
export function commentsOfC(source: string): readonly SourceProse[] {
  const parts = source.matchAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*([\s\S]*?)\*\//gu);
  return [...parts].flatMap(({ 1: text, index }) =>
    text === undefined
      ? []
      : [
          {
            kind: 'comment',
            line: source.slice(0, index).split('\n').length,
            text: text.replaceAll(/^\s*\* ?/gmu, ''),
          },
        ],
  );
}

/** Three words in a row, as no program or pattern has them. */
const sentence = /(?:^|\s)\p{L}+,? \p{L}+,? \p{L}+/u;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

interface Text {
  readonly start: number;
  readonly value: string;
}

/** A comment of several `//` lines is one text. */
function joinLines(
  comments: readonly { readonly type: string; readonly start: number; readonly end: number; readonly value: string }[],
  source: string,
): readonly Text[] {
  const texts: Text[] = [];
  let lineEnd: number | undefined;
  const standsAlone = (start: number): boolean => /(?:^|\n)[ \t]*$/u.test(source.slice(0, start));
  for (const { type, start, end, value } of comments) {
    const last = texts.at(-1);
    const goesOn = lineEnd !== undefined && last !== undefined && /^\n[ \t]*$/u.test(source.slice(lineEnd, start));
    if (type === 'Line' && goesOn) texts[texts.length - 1] = { start: last.start, value: `${last.value}\n${value}` };
    else texts.push({ start, value: value.replaceAll(/^\s*\* ?/gmu, '') });
    lineEnd = type === 'Line' && standsAlone(start) ? end : undefined;
  }
  return texts;
}

function messagesOf(root: Node): readonly Text[] {
  const found: Text[] = [];
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const value = textOf(next);
    if (value !== undefined && sentence.test(value)) found.push({ start: next.start, value });
    const fields = next as unknown as Readonly<Record<string, unknown>>;
    for (const key of visitorKeys[next.type] ?? [])
      waiting.push(
        ...[fields[key]].flat().filter((child): child is Node => typeof child === 'object' && child !== null),
      );
  }
  return found.toSorted((a, b) => a.start - b.start);
}

function textOf(node: Node): string | undefined {
  const { type, value, quasis } = node as Node & {
    readonly value?: unknown;
    readonly quasis?: readonly { readonly value: { readonly cooked: string | null } }[];
  };
  if (type === 'Literal' && typeof value === 'string') return value;
  return type === 'TemplateLiteral' ? quasis?.map((part) => part.value.cooked ?? '').join('x') : undefined;
}
