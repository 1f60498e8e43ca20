/** Expensive texts, for the tests and for the bench that measures their cost. */
export interface HostileText {
  readonly name: string;
  readonly text: string;
  /** Whether it is nested so deep that no parser may claim to have read it. */
  readonly isDeep: boolean;
}

const row = (name: string, text: string): HostileText => ({ name, text, isDeep: false });
const deep = (name: string, text: string): HostileText => ({ name, text, isDeep: true });

export const hostileTexts: readonly HostileText[] = [
  row('a long word', `ls ${'a'.repeat(60_000)}`),
  row('a long name in arithmetic', `((${'a'.repeat(60_000)}))`),
  row('many brackets', `ls ${'['.repeat(60_000)}`),
  row('many quotes in arithmetic', `((${"'".repeat(60_000)}))`),
  row('many slashes before a name', `cp a ${'/'.repeat(60_000)}b`),
  row('many brackets of a program', `awk '/${'['.repeat(50_000)}/'`),
  row('many backslashes', `ls ${'\\'.repeat(60_000)} $(`),
  row('many numbers before another word', `mtr ${'4 '.repeat(60)}!`),
  row('many words', `ls ${'a '.repeat(30_000)}`),
  row('many commands', 'ls;'.repeat(20_000)),
  row('many stages', `ls${' | cat'.repeat(9000)}`),
  row('many lists', `true${' && a'.repeat(10_000)}`),
  row('many assignments', 'a=1 '.repeat(15_000)),
  row('many redirects', `ls ${'> a '.repeat(15_000)}`),
  row('many functions', 'f() { :; }; f; '.repeat(4000)),
  row(
    'many functions of their own',
    Array.from({ length: 3000 }, (_, index) => `f${index}() { :; }; f${index};`).join(' '),
  ),
  row('many options', `rm ${'-r '.repeat(20_000)}`),
  row('one long cluster', `rm -${'r'.repeat(60_000)}`),
  row('many substitutions', 'ls $(pwd);'.repeat(6000)),
  row('many shells', "sh -c 'ls';".repeat(5000)),
  row('many here-documents', 'cat <<E\na\nE\n'.repeat(400)),
  row('a long here-document', `cat <<E\n${'a\n'.repeat(30_000)}E\n`),
  row('many cds', 'cd a && '.repeat(7000)),
  row('many evals', "eval 'ls';".repeat(6000)),
  row('an empty text of blanks', ' '.repeat(60_000)),
  row('many comments', '# a\n'.repeat(15_000)),
  row('many loop words', 'for '.repeat(15_000)),
  row('many expansions', '${a} '.repeat(12_000)),
  row('many braces', '{a,b}'.repeat(12_000)),
  row('many globs', '* '.repeat(30_000)),
  deep('nested parentheses', `${'('.repeat(20_000)}ls${')'.repeat(20_000)}`),
  deep('nested groups', `${'{ '.repeat(10_000)}ls${'; }'.repeat(10_000)}`),
  deep('nested substitutions', `${'ls $('.repeat(5000)}pwd${')'.repeat(5000)}`),
  deep('nested substitutions in quotes', `${'ls "$('.repeat(2000)}pwd${')"'.repeat(2000)}`),
  deep('unclosed substitutions', 'ls $('.repeat(10_000)),
  deep('unclosed backticks', '`'.repeat(20_001)),
  deep('unclosed quotes', `ls ${'"\''.repeat(20_001)}"`),
  deep('unclosed here-documents', 'cat <<E\n'.repeat(400)),
  deep('nested arithmetic', `ls $((${'('.repeat(10_000)}1${')'.repeat(10_000)}))`),
  deep('nested expansions', `ls ${'${a:-'.repeat(5000)}b${'}'.repeat(5000)}`),
  deep('nested process substitutions', `${'cat <('.repeat(5000)}ls${')'.repeat(5000)}`),
  deep('nested ifs', `${'if '.repeat(10_000)}ls`),
  deep('nested cases', `${'case a in a) '.repeat(4000)}ls`),
  deep('wrappers in wrappers', `${'nice '.repeat(12_000)}rm a`),
  deep('evals in evals', `${'eval '.repeat(12_000)}rm a`),
  deep('shells in shells', `${'sh -c "'.repeat(50)}ls${'"'.repeat(50)}`),
  deep('a text that is too long', 'ls;'.repeat(100_000)),
  deep('many NULs', '\0'.repeat(50_000)),
];
