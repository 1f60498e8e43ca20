import { type MapEntry, map, type ParsedValue, scalar, type Value } from './value.ts';

/** Every line break that some reader recognises. */
const lineBreak = /\r\n|\n|\r/u;

/**
 * Parses INI as npm, pip, setuptools and Java properties do. Sections are `[name]`, settings have `=` or `:`, and
 * values continue in indented lines. For npm and Java an indented line is a separate setting. So a line that looks like
 * one counts as both. Keys before the first section are at the top. Every text is valid.
 */
export function parseIni(text: string): ParsedValue {
  const top: MapEntry[] = [];
  const sections: MapEntry[] = [];
  let entries = top;
  for (const line of text.split(lineBreak)) {
    const section = /^\s*\[(?<name>[^\]]*)\]\s*(?:[#;].*)?$/u.exec(line)?.groups?.['name'];
    const last = entries.at(-1);
    if (section !== undefined) {
      entries = [];
      sections.push([section.trim(), { kind: 'map', entries }]);
    } else if (/^[ \t]+\S/u.test(line) && last?.[1].kind === 'scalar') {
      entries[entries.length - 1] = [last[0], scalar(`${last[1].text}\n${line.trim()}`.trim())];
      if (/^\s*[^#;!\s=:][^=:]*(?:=|:(?!\/\/))/u.test(line)) entries.splice(-1, 0, setting(line));
    } else if (!/^\s*(?:[#;!].*)?$/u.test(line)) entries.push(setting(line));
  }
  return { value: map([...top, ...sections]) };
}

/** npm's scopes have a colon in the key: `@scope:registry=…`, `//host/:_authToken=…`. */
function setting(line: string): MapEntry {
  const equals = line.indexOf('=');
  const at = equals === -1 ? line.indexOf(':') : equals;
  if (at === -1) return [plainKey(line), scalar('true')];
  return [
    plainKey(line.slice(0, at)),
    scalar(
      line
        .slice(at + 1)
        .trim()
        .replace(/^(?<quote>["'])(?<inner>.*)\k<quote>$/u, '$<inner>'),
    ),
  ];
}

/** npm removes quotes from keys and resolves escapes in them. Java resolves escapes without quotes. */
function plainKey(key: string): string {
  const bare = key
    .trim()
    .replace(/^(?<quote>["'])(?<inner>.*)\k<quote>$/u, '$<inner>')
    .replace(/\[\]$/u, '');
  return bare.replaceAll(
    /\\u(?<digits>[\da-f]{4})|\\(?<other>.)/giu,
    (_, digits: string | undefined, other: string | undefined) =>
      other ?? String.fromCharCode(Number.parseInt(digits ?? '', 16)),
  );
}

/** Parses variables like dotenv, direnv's `dotenv` and shells: `export`, quotes, values over several lines. */
export function parseDotenv(text: string): ParsedValue {
  const assignment =
    /^[ \t]*(?:export[ \t]+)?(?<name>[\w.-]+)[ \t]*[=:][ \t]*(?:"(?<double>(?:[^"\\]|\\[^])*)"|'(?<single>[^']*)'|`(?<back>[^`]*)`|(?<plain>[^\r\n]*))/gmu;
  const found = [...text.matchAll(assignment)];
  const entries = found.map(
    ({ groups = {} }): MapEntry => [
      groups['name'] ?? '',
      scalar(groups['double'] ?? groups['single'] ?? groups['back'] ?? plainValue(groups['plain'] ?? '')),
    ],
  );
  const known = new Set(found.map(({ index }) => index));
  const others = linesOf(text).flatMap(({ index, entry }) => (known.has(index) ? [] : [entry]));
  return { value: map([...entries, ...others]) };
}

/** Reads line by line, as Docker and systemd do. There, quotes end with the line. */
function linesOf(text: string): readonly { readonly index: number; readonly entry: MapEntry }[] {
  const line = /^[ \t]*(?:export[ \t]+)?(?<name>[\w.-]+)[ \t]*=[ \t]*(?<plain>[^\r\n]*)/gmu;
  return [...text.matchAll(line)].map(({ index, groups = {} }) => ({
    index,
    entry: [groups['name'] ?? '', scalar(plainValue(groups['plain'] ?? ''))] as const,
  }));
}

function plainValue(text: string): string {
  return text.replace(/(?:^|\s)#.*$/u, '').trim();
}

const attribute = /^(?<name>[^\s=]+)=(?<value>.*)$/u;

/** gitattributes(5): a pattern, quoted if it has blanks, and attributes. `[attr]name` defines a macro. */
export function parseGitAttributes(text: string): ParsedValue {
  const entries = text.split(lineBreak).flatMap((line): readonly MapEntry[] => {
    const { pattern, rest } = /^\s*(?<pattern>"(?:[^"\\]|\\.)*"|[^\s#]\S*)\s+(?<rest>.*)$/u.exec(line)?.groups ?? {};
    if (pattern === undefined || rest === undefined) return [];
    return [[pattern, map(rest.split(/\s+/u).flatMap(assigned))]];
  });
  return { value: map(entries) };
}

function assigned(word: string): readonly MapEntry[] {
  const { name, value } = attribute.exec(word)?.groups ?? {};
  return name === undefined || value === undefined ? [] : [[name, scalar(value) satisfies Value]];
}
