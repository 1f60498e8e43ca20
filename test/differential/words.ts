import type { Random } from './random.ts';

/** The surroundings that words need in a program. */
export interface Nested {
  readonly random: Random;
  /** One of the common ones, or one that only bash has. */
  readonly choose: <T>(everywhere: readonly T[], inBash: readonly T[]) => T;
  readonly nested: () => string;
}

type Write = (program: Nested) => string;

/** An unusual name. */
export function quoteName(name: string, { random, choose }: Omit<Nested, 'nested'>): string {
  if (random.chance(0.5)) return name;
  const [head, tail] = [name.slice(0, 1), name.slice(1)];
  const hex = [...head].map((char) => `\\x${char.charCodeAt(0).toString(16)}`).join('');
  return choose(
    [
      `'${name}'`,
      `"${name}"`,
      `\\${name}`,
      `${head}\\\n${tail}`,
      `${head}''${tail}`,
      `${head}"${tail}"`,
      `"${head}\\\n${tail}"`,
    ],
    [`$'${hex}'${tail}`, `$'${name}'`],
  );
}

const plain: Write = ({ random }) =>
  random.pick([
    'x',
    'y',
    'z',
    '-rf',
    'a.b',
    '--a=b',
    'a/b',
    '~/z',
    '~',
    'a=b',
    '{a}',
    '1',
    'x,y',
    'a#b',
    '%1',
    '@',
    'a:~',
    '[',
    '^',
    'é',
    'È',
    '10',
  ]);
const quoted: Write = ({ choose }) =>
  choose(
    [
      "'a b'",
      '"a b"',
      '\\*',
      "''",
      '""',
      "'$(no)'",
      '"a\\"b"',
      '"\\`x"',
      "'it'\\''s'",
      '"a\\b"',
      '\\$x',
      '"\\$(no)"',
      '"a\\\nb"',
      "'#'",
      '"!"',
      '\\\\',
      "'\\'",
    ],
    ["$'a\\tb'", "$'\\x41\\'\\101'", '$"a"'],
  );
const pattern: Write = ({ choose }) =>
  choose(['*.zz', '?x', '[ab]x', 'x[!a]*', '{a,b}', 'x{1..3}', 'a{b,"c d"}e', '{,}'], ['@(a|b)', '!(x)', '+(a)b']);
const variable: Write = ({ choose }) =>
  choose(
    ['$x', '${x}', '$1', '$?', '$#', '${#x}', '$@', '$$', '$-'],
    ['${!HOME}', '${a[0]}', '${a[@]}', '${x^^}', '${x@Q}'],
  );

const command: Write = (program) => `$(${lead(program.nested())})`;
/** Line ends after backslashes are mostly opaque to the parser here, so few are written. */
const backticks: Write = (program) => {
  const text = program.nested().replace(/[\\`]/gu, '\\$&');
  return `\`${program.random.chance(0.03) ? text : text.replace(/\\+\n/gu, program.random.chance(0.02) ? '\\\n' : '')}\``;
};
const process: Write = (program) => `${program.random.pick(['<', '<', '>'])}(${program.nested()})`;

/** `$((` begins arithmetic. */
function lead(text: string): string {
  return text.startsWith('(') ? ` ${text}` : text;
}

const parameter: Write = (program) =>
  program.choose<Write>(
    [
      (p) => `\${x:-${value(p)}}`,
      (p) => `\${x:=${quotedExpansion(p)}}`,
      (p) => `\${x+${value(p)}}`,
      (p) => `\${HOME#${value(p)}}`,
      (p) => `\${HOME%%${value(p)}}`,
      (p) => `\${x:-'${substitution(p).replaceAll("'", '')}'}`,
    ],
    [(p) => `\${HOME/${value(p)}/${value(p)}}`, (p) => `\${HOME:${arithmetic(p)}:1}`, (p) => `\${a[${arithmetic(p)}]}`],
  )(program);

const substitution: Write = (program) => program.random.pick([command, command, backticks])(program);
const expansion: Write = (program) =>
  program.choose<Write>(
    [substitution, substitution, parameter, variable, (p) => `$((${arithmetic(p)}))`],
    [(p) => `$[${arithmetic(p)}]`],
  )(program);
const quotedExpansion: Write = (program) =>
  `"${program.random.pick(['', 'x ', "'", '\\"'])}${expansion(program)}${program.random.pick(['', ' y', "'", '\\`'])}"`;

const argument: Write = (program) => {
  const { random } = program;
  const part = program.choose(
    [plain, plain, plain, plain, quoted, quoted, quoted, quoted, pattern, variable, expansion, quotedExpansion],
    [process],
  );
  return random.chance(part === process ? 0.01 : 0.15)
    ? part(program) + random.pick([quoted, quotedExpansion, variable])(program)
    : part(program);
};

const value: Write = (program) => program.random.pick([plain, quoted, variable, expansion, quotedExpansion])(program);

/** Of `[[ ]]` and `case`. */
const operand: Write = (program) =>
  program.random.pick<Write>([() => 'x', quoted, variable, expansion, quotedExpansion])(program);

const arithmetic: Write = (program) =>
  program.random.pick<Write>([
    () => '1',
    () => '1 + 2',
    () => 'n',
    () => 'n ? 1 : 2',
    (p) => `1 + ${substitution(p)}0`,
    (p) => `(${arithmetic(p)}) * 2`,
    () => '$x 1 < 2',
    (p) => `"${command(p)}"0`,
    () => '1 << 2',
    (p) => `b[${arithmetic(p)}]`,
  ])(program);

const hereLine: Write = (program) =>
  program.random.pick<Write>([
    () => 'plain text',
    (p) => `a ${expansion(p)} b`,
    (p) => `it's "${substitution(p)}"`,
    () => '\\$(no) \\`no\\`',
    () => '# $x',
    (p) => `'${substitution(p)}'`,
  ])(program);

export const words = { argument, value, operand, arithmetic, quotedExpansion, hereLine };
