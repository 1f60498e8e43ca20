import { hash } from 'node:crypto';
import { type MapEntry, map, emptyMap, type ParsedValue, scalar } from './value.ts';

const frontMatter = /^---[ \t]*(?:\r\n|\n|\r)(?<yaml>[^]*?)(?:\r\n|\n|\r)(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/u;
/** A word with `@` loads a file: Claude Code in `CLAUDE.md` and in commands, Gemini CLI in `GEMINI.md`. */
const importWord = /(?:^|\s)@(?<file>[\w~./\\-][^\s`]*)/gu;
/**
 * Commands that an agent runs before the text goes to the model. Claude Code (in code blocks too), OpenCode and Gemini
 * CLI do so in commands and skills.
 */
const shellWord =
  /!`(?<command>[^`]+)`|^[ \t]*```![^\n]*\n(?<block>(?:(?![ \t]*```)[^\n]*\n?){1,200})|!\{(?<braces>(?:(?!!\{)[^}\r\n])+)\}/gmu;

/** Matches reported for one text, so that a very long text cannot fill the list. */
const mostFound = 200;

/**
 * Parses markdown that an agent reads. `front` is the front matter, `import` the files that it loads, and `command` the
 * commands that it runs. `text` is the length and hash of the text, since a person reads the file itself.
 */
export function parseMarkdown(text: string, parseYaml: (text: string) => ParsedValue): ParsedValue {
  const matter = frontMatter.exec(text);
  const front = matter === null ? undefined : parseYaml(matter.groups?.['yaml'] ?? '');
  const body = matter === null ? text : text.slice(matter[0].length);
  const found = [
    ...matchesOf(body, importWord).map((file): MapEntry => ['import', map([[file, scalar(file)]])]),
    ...matchesOf(body, shellWord).map(
      (command, index): MapEntry => ['command', map([[String(index), scalar(command)]])],
    ),
  ];
  const problem =
    front?.problem ??
    ambiguity(text, matter?.groups?.['yaml']) ??
    (found.length > mostFound ? `it loads and runs more than ${mostFound} things` : undefined);
  const value = map([
    ...(front === undefined ? [] : ([['front', front.value]] as const)),
    ...found.slice(0, mostFound),
    ['text', textValue(body)],
  ]);
  return problem === undefined ? { value } : { value, problem };
}

/** Readers find the start and the end with their own expressions, and some run the code of `---js`. */
function ambiguity(text: string, yaml: string | undefined): string | undefined {
  const isAmbiguous = yaml === undefined ? /^\s*---(?!-)/u.test(text) : yaml.includes('---');
  return isAmbiguous ? 'readers disagree on the lines of its front matter' : undefined;
}

function matchesOf(text: string, pattern: RegExp): readonly string[] {
  return [
    ...new Set(
      [...text.matchAll(pattern)].map(
        ({ groups = {} }) => Object.values(groups).find((group) => group !== undefined) ?? '',
      ),
    ),
  ];
}

function textValue(body: string): ParsedValue['value'] {
  if (body.trim() === '') return emptyMap;
  return scalar(`${body.split(/\r\n|\n|\r/u).length} lines, sha256 ${hash('sha256', body)}`);
}
