import { each, flags, inOrder, takes, tool } from '../notation.ts';
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
  return why === undefined
    ? {}
    : { opaque: [{ kind: 'inline-code', message: `the program of \`awk\` has ${why}`, span: program.span }] };
};

/** Longer programs come from generators, or are made to cost time. */
const longest = 8192;

const tokens = String.raw`[ \t]+|\\\n|\n|#[^\n]*|"(?:\\[\s\S]|[^"\\\n])*"|[A-Za-z_]\w*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|&&|\|\||\|&|\+\+|--|\*\*|>>|[-+*/%^<>!=]=|!~|[-+*/%^<>=!~?:;,{}()[\]$|&]`;

const plain = new RegExp(tokens, 'uy');

const withRegexp = new RegExp(String.raw`\/(?:\\[^\n]|[^/\\\n])*\/|${tokens}`, 'uy');

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

/**
 * Returns why an awk program might do more than compute and print; undefined means understood. It must call no shell,
 * open no file, and read the same in every version of awk. Everything else is not understood.
 */
export function whyNotTrivial(program: string): string | undefined {
  if (program.length > longest) return `more than ${longest} characters`;
  const word =
    /system|getline|@|\bARG[VC]\b|\bPROCINFO\b|\bENVIRON\b|\bFPAT\b|\bclose\b|\bsplit_file\b|\bload\b|\binclude\b|\beval\b|\bexec\b/u.exec(
      program,
    )?.[0];
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
  if (token.startsWith('/') && token !== '/' && token !== '/=') {
    const problem = regexpProblem(token);
    if (problem !== undefined) return problem;
  }
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

/** A regexp can only occur where no value precedes it. */
function tokenAt({ program, at, before }: Reader): string | undefined {
  const pattern = /^(?:\n|;|[{(,!~&|?:]|&&|\|\||)$/u.test(before) ? withRegexp : plain;
  pattern.lastIndex = at;
  return pattern.exec(program)?.[0];
}

/** A slash in brackets ends the regexp in some versions of awk. */
function regexpProblem(token: string): string | undefined {
  const text = token.slice(1, -1).replaceAll(/\\./gu, '');
  const closed = text.lastIndexOf(']') + 1;
  const open = text.slice(0, closed).replaceAll(/\[\^?\]?[^\]]*\]/gu, '') + text.slice(closed);
  return open.includes('[') ? `\`${token}\`` : undefined;
}
