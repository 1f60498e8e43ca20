import { each, flags, inOrder, takes, tool } from '../notation.ts';
import type { HostEffect, Opacity, Word } from '../../types.ts';
import type { Refine, ToolSpec } from '../types.ts';
import { wordAsTyped, plainText } from '../words.ts';
import { hasOption } from '../parsed-options.ts';

const refineAwk: Refine = ({ options, operands }) => {
  const program = operands[0];
  if (program === undefined || hasOption({ options }, '-f')) return {};
  const text = plainText(program);
  if (text === undefined)
    return {
      opaque: [
        {
          kind: 'inline-code',
          message: `the program \`${wordAsTyped(program)}\` of \`awk\` is not known`,
          span: program.span,
        },
      ],
    };
  const why = whyNotTrivial(text);
  if (why === undefined) return { hosts: hostsOf(operands.slice(1)) };
  const bound: Pick<Opacity, 'atMost'> = whyNotTrivial(text, 'reading') === undefined ? { atMost: 'reads' } : {};
  const message = `the program of \`awk\` has ${why}`;
  return {
    hosts: hostsOf(operands.slice(1)),
    opaque: [{ kind: 'inline-code', message, span: program.span, ...bound }],
  };
};

/** The GNU version connects to such a file. Measured with 5.2.1. */
function hostsOf(files: readonly Word[]): readonly HostEffect[] {
  return files.flatMap((word) => {
    const text = plainText(word);
    const found = /^\/inet[46]?\/\w+\/[^/]*\/([^/]+)\/([^/]+)/u.exec(text ?? '');
    if (text === undefined || !text.startsWith('/inet')) return [];
    const port = Number(found?.[2]);
    return [{ host: found?.[1], port: Number.isInteger(port) ? port : undefined, text }];
  });
}

/** Longer programs come from generators, or are made to cost time. */
const longest = 8192;

const tokens = String.raw`[ \t]+|\\\n|\n|#[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"|[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|&&|\|\||\|&|\+\+|--|\*\*|>>|!~|[-+*/%^<>!=]=|[-+*/%^<>=!~?:;,{}()[\]$|&]`;

const plain = new RegExp(tokens, 'uy');

const withRegexp = new RegExp(String.raw`\/(?:\\[^\n]|[^/\\\n])*\/|${tokens}`, 'uy');

/** After these no value ends, so that a slash begins a regexp. The empty text is the beginning. */
const opensRegexp = /^(?:|\n|[;{}(,~&|?:!<>=%^*+-]|&&|\|\||\*\*|>>|!~|[-+*%^<>!=]=|print|printf|return|else|do|exit)$/u;

/** After these a value has ended, so that a slash divides. */
const endsValue = /^(?:[\w.]+|\]|".*"|\/.+\/)$/su;

/** Words that may precede a regexp in one version of awk, and a division in another. */
const unclearWord =
  /^(?:case|default|in|length|next|nextfile|break|continue|delete|func|function|BEGIN|END|BEGINFILE|ENDFILE|getline)$/u;

/** A regexp, or the text between two divisions. */
const between = /\/((?:\\[\s\S]|[^/\\\n])*)\//uy;

/** Standard streams of every awk, as a whole target. */
const standardStream = />>?[ \t]*"(?:\/dev\/(?:stderr|stdout|null))"[ \t]*(?=[;}\n])/uy;

/** Only options of every awk: the long options of one are unknown to the others. */
export const awk: ToolSpec = tool('awk gawk mawk nawk original-awk', {
  grammar: 'getopt-posix',
  operands: inOrder(['text'], 'read'),
  options: [
    ...takes('text', '-F', '-v'),
    { names: ['-f'], value: 'required', role: 'code-file', operands: each('read') },
    ...flags('--version'),
  ],
  refine: refineAwk,
});

const unknown = /system|\bARG[VC]\b|\bPROCINFO\b|\bFPAT\b|\bsplit_file\b|\bload\b|\binclude\b|\beval\b|\bexec\b/u;

/** Also what reads more than the operands. */
const unknownOrReading = new RegExp(String.raw`${unknown.source}|getline|\bENVIRON\b|\bclose\b`, 'u');

/** From the operands, or from a file with a plain name. Two strings in a row are one name in some versions. */
const plainGetline = /getline(?:[ \t]+[A-Za-z_]\w*)?[ \t]*(?:<[ \t]*"(?!\/inet)[^"\\\n]*"[ \t]*)?(?=[;})\n])/uy;

/**
 * Returns why an awk program might do more than compute and print; undefined means understood. It must call no shell,
 * open no file, and read the same in every version of awk. Everything else is not understood. With `reading`, it may read
 * further files and the environment.
 */
export function whyNotTrivial(program: string, mode: 'strict' | 'reading' = 'strict'): string | undefined {
  if (program.length > longest) return `more than ${longest} characters`;
  const word = (mode === 'strict' ? unknownOrReading : unknown).exec(program)?.[0];
  if (word !== undefined) return `\`${word}\``;
  const reader: Reader = { program, at: 0, before: '', braces: 0, parens: 0 };
  while (reader.at < program.length) {
    const problem = readToken(reader);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Reader {
  readonly program: string;
  at: number;
  /** The last token: it distinguishes a division from a regexp. */
  before: string;
  braces: number;
  parens: number;
}

function readToken(reader: Reader): string | undefined {
  const token = tokenAt(reader);
  if (token === undefined) return `\`${reader.program.slice(reader.at, reader.at + 20)}\``;
  const problem = slashProblem(reader, token);
  if (problem !== undefined) return problem;
  const stream = token.startsWith('>') ? standardStreamAt(reader) : undefined;
  if (stream !== undefined) {
    reader.at += stream.length;
    reader.before = '"stream"';
    return undefined;
  }
  if (token === 'getline') {
    plainGetline.lastIndex = reader.at;
    const read = plainGetline.exec(reader.program)?.[0];
    if (read === undefined) return '`getline`';
    reader.at += read.length;
    reader.before = 'getline';
    return undefined;
  }
  // A loop may print at its beginning: `for (print > "f"; ;)`.
  if (reader.parens > 0 && /^printf?$/u.test(token)) return `\`${token}\` in parentheses`;
  if (/^\|&?$/u.test(token)) return '`|`, which runs a command';
  // A comparison in a pattern or in parentheses. Elsewhere it may write a file.
  if (/^>>?$/u.test(token) && !(token === '>' && (reader.braces === 0 || reader.parens > 0)))
    return '`>`, which writes a file';
  if (token === '{') reader.braces++;
  if (token === '}') reader.braces--;
  if (token === '(') reader.parens++;
  if (token === ')') reader.parens--;
  if (reader.braces < 0 || reader.parens < 0) return '`)` or `}` without a beginning';
  reader.at += token.length;
  if (!/^(?:[ \t]|\\\n|#)/u.test(token)) reader.before = token;
  return undefined;
}

function tokenAt({ program, at, before }: Reader): string | undefined {
  const pattern = opensRegexp.test(before) ? withRegexp : plain;
  pattern.lastIndex = at;
  return pattern.exec(program)?.[0];
}

function standardStreamAt({ program, at }: Reader): string | undefined {
  standardStream.lastIndex = at;
  return standardStream.exec(program)?.[0];
}

/** A slash must read the same in every version: a regexp can hide a quote, a comment and what follows it. */
function slashProblem({ program, at, before }: Reader, token: string): string | undefined {
  if (!token.startsWith('/')) return undefined;
  if (token !== '/' && token !== '/=') return regexpProblem(token);
  // The GNU version reads `1 /=/` as a regexp.
  if (token === '/' && endsValue.test(before) && !unclearWord.test(before)) return undefined;
  between.lastIndex = at;
  const found = between.exec(program);
  return found === null || /^[^"#\\{}()[\]]*$/u.test(found[1] ?? '') ? undefined : `\`${found[0]}\``;
}

/** A slash in brackets ends the regexp in some versions of awk. */
function regexpProblem(token: string): string | undefined {
  const text = token.slice(1, -1).replaceAll(/\\./gu, 'x');
  const closed = text.lastIndexOf(']') + 1;
  const open = text.slice(0, closed).replaceAll(/\[\^?\]?[^\]]*\]/gu, '') + text.slice(closed);
  return open.includes('[') || !closesBrackets(text) ? `\`${token}\`` : undefined;
}

/** As POSIX reads brackets: `[]a]`, `[[:alpha:]_]`. */
function closesBrackets(text: string): boolean {
  const inner = /\[\^?\]?(?:\[:\w*:\]|\[(?![:.=])|[^\][])*(\]?)/uy;
  let at = text.indexOf('[');
  while (at !== -1) {
    inner.lastIndex = at;
    const found = inner.exec(text);
    if (found?.[1] !== ']') return false;
    at = text.indexOf('[', inner.lastIndex);
  }
  return true;
}
