/**
 * Generates bash programs whose commands do not exist, so that a run only looks up names. Their loops are short, and
 * none of their builtins reaches beyond the shell.
 */
import { seeded, type Random } from './random.ts';
import { quoteName, words, type Nested } from './words.ts';

export type Dialect = 'bash' | 'posix';

/** With `posix`, few of them have syntax that only bash reads. */
export function generateProgram(seed: number, dialect: Dialect = 'bash'): string {
  const random = seeded(seed);
  const state = new Writing(random, dialect);
  const text = state.lines(1 + random.below(2));
  return state.hasPending() ? text + state.newline() : text;
}

const rare = 0.03;

class Writing implements Nested {
  readonly random: Random;
  private names = 0;
  private depth = 0;
  /**
   * In a substitution, where here-documents among other commands are opaque to the parser: few of them are written
   * there.
   */
  private inside = false;
  private pending: string[] = [];
  private functions: string[] = [];

  readonly choose: Nested['choose'];

  constructor(random: Random, dialect: Dialect) {
    this.random = random;
    this.choose = (everywhere, inBash) =>
      random.pick(dialect === 'bash' || random.chance(rare) ? [...everywhere, ...inBash] : everywhere);
  }

  hasPending(): boolean {
    return this.pending.length > 0;
  }

  /** Ends a line: bodies of here-documents follow it. */
  newline(): string {
    const comment = this.random.chance(0.08) ? this.random.pick([" # it's $(no", ' # `no', ' #"$(no)']) : '';
    const bodies = this.pending.join('');
    this.pending = [];
    return `${comment}\n${bodies}`;
  }

  /** A name that returns 0 when it ends in `t`. */
  name(): string {
    this.names += 1;
    return `q${this.names}${this.random.pick(['t', 't', 'f'])}`;
  }

  /** Commands for a substitution, with their here-documents. */
  nested(): string {
    if (this.depth > 2) return this.name();
    const outer = this.pending;
    this.pending = [];
    const { inside } = this;
    this.inside = true;
    const text = this.deeper(() => this.list(1 + this.random.below(2)));
    this.inside = inside;
    // Now and then a body follows the substitution. The comparison judges bash's reading of it.
    const carried = this.random.chance(0.02);
    const closed = this.hasPending() && !carried ? text + this.newline() : text;
    this.pending = [...outer, ...this.pending];
    return closed;
  }

  lines(count: number): string {
    return Array.from({ length: count }, () => this.list(1 + this.random.below(2))).reduce(
      (text, line) => text + line + this.newline(),
      '',
    );
  }

  private list(count: number): string {
    let text = this.statement();
    for (let more = 1; more < count; more++)
      text +=
        this.random
          .pick(['; ', ' && ', ' || ', ';', '&&', ' & ', ' ||\n', '\n'])
          .replace('\n', () => this.newlineAfter(text)) + this.statement();
    return text;
  }

  private newlineAfter(text: string): string {
    return text.endsWith('\\') ? ' \n' : this.pending.length > 0 ? this.newline() : '\n';
  }

  private statement(): string {
    const { random } = this;
    const stages = random.chance(0.2) ? 2 + random.below(2) : 1;
    const prefix = random.chance(0.05) ? this.choose(['! '], ['time ', 'time -p ', '! time ']) : '';
    return prefix + Array.from({ length: stages }, () => this.command()).join(this.choose([' | ', '|'], [' |& ']));
  }

  private command(): string {
    if (this.depth > 1 || this.random.chance(0.72)) return this.simple();
    return this.deeper(() => this.compound()) + (this.random.chance(0.15) ? ` ${this.redirect()}` : '');
  }

  private simple(): string {
    const { random } = this;
    const before = random.chance(0.15) ? `${this.assignment()} ` : '';
    const middle = random.chance(0.04) ? `${this.redirect()} ` : '';
    if (random.chance(0.12)) return (before + middle + this.builtin()).trimEnd();
    if (random.chance(0.05)) return (before || `${this.assignment()} `).trimEnd();
    const called =
      this.functions.length > 0 && random.chance(0.2) ? random.pick(this.functions) : quoteName(this.name(), this);
    const rest = Array.from({ length: random.below(3) }, () =>
      random.chance(0.15) ? this.redirect() : words.argument(this),
    );
    return [before + middle + called, ...rest].join(random.pick([' ', ' ', '  ', ' \\\n']));
  }

  private builtin(): string {
    const { random } = this;
    const word = (): string => words.argument(this);
    return this.choose(
      [
        () => `: ${word()}`,
        () => `echo ${word()} ${word()}`,
        () => `test ${words.quotedExpansion(this)} = x`,
        () => `[ -n ${words.quotedExpansion(this)} ]`,
        () => `export v=${words.value(this)}`,
        () => `printf '%s' ${word()}`,
        () => `( exec ${quoteName(this.name(), this)} ${word()} )`,
        () => `command ${random.pick(['', '-p ', '-v ', '-- '])}${quoteName(this.name(), this)} ${word()}`,
      ],
      [
        () => `declare w=${words.value(this)} x`,
        () => `[[ ${words.operand(this)} == ${words.operand(this)} && -n ${words.operand(this)} ]]`,
        () => `[[ ! ( ${words.operand(this)} < ${words.operand(this)} || -z ${words.operand(this)} ) ]]`,
        () => `(( ${words.arithmetic(this)} ))`,
        () => `let ${words.quotedExpansion(this)}`,
        () => `( exec ${random.pick(['-a x', '-c', '--'])} ${quoteName(this.name(), this)} )`,
      ],
    )();
  }

  private assignment(): string {
    const { random } = this;
    return this.choose(
      [() => `a=${words.value(this)}`, () => `c=`, () => `a=~/${random.pick(['x', 'x:~', '"y"'])}`],
      [() => `a+=${words.value(this)}`, () => this.element()],
    )();
  }

  /** Few of them, because commands within an array are mostly opaque to the parser. */
  private element(): string {
    return this.random.pick([
      () => `b=(${words.argument(this)} ${words.argument(this)})`,
      () => `b+=( [1]=${words.value(this)} ${words.argument(this)} )`,
      () => `b[${words.arithmetic(this)}]=${words.value(this)}`,
    ])();
  }

  /** A relative name: damage that shortens it creates nothing outside the directory. */
  private redirect(): string {
    const { random } = this;
    return this.choose(
      [
        () => '>null',
        () => '2>&1',
        () => '>> null',
        () => '<null',
        () => '<> null',
        () => '2>&-',
        () => '>| null',
        () => (this.inside && random.chance(0.85) ? '>null' : this.hereDocument()),
        () => (this.inside && random.chance(0.85) ? '2>null' : this.hereDocument()),
      ],
      [
        () => '&>null',
        () => '&>> null',
        () => '>&null',
        () => '10>null',
        () => '{fd}>null',
        () => `<<<${words.argument(this)}`,
        () => `< <(${this.nested()})`,
        () => `> >(${this.nested()})`,
      ],
    )();
  }

  private hereDocument(): string {
    const { random } = this;
    const end = `E${this.pending.length}x${random.below(90)}`;
    const dash = random.chance(0.3);
    const quoted = random.chance(0.4);
    const body = quoted
      ? random.pick(['$(no) `no` "x\n', "it's ${no\n", 'plain\n\n'])
      : `${words.hereLine(this)}\n${random.chance(0.3) ? 'x\\\ny\n' : ''}`;
    const tab = dash && random.chance(0.6) ? '\t' : '';
    this.pending.push(`${tab}${body}${tab}${end}\n`);
    return `<<${dash ? '-' : ''}${quoted ? random.pick([`'${end}'`, `"${end}"`, `\\${end}`, `E''${end.slice(1)}`]) : end}`;
  }

  private compound(): string {
    const { random } = this;
    const body = (): string => `${this.list(random.chance(0.2) ? 2 : 1)}${this.separator()}`;
    return this.choose(
      [
        () => `( ${this.list(1)} )`,
        () => `(${this.list(1)})`,
        () => `{ ${body()}}`,
        () =>
          `if ${body()}then ${body()}${random.chance(0.3) ? `elif ${body()}then ${body()}` : ''}${random.chance(0.5) ? `else ${body()}` : ''}fi`,
        () => `for i in ${words.argument(this)} ${words.argument(this)}; do ${body()}done`,
        () => `while ${body()}do ${body()}break; done`,
        () => `until ${body()}do ${body()}break; done`,
        () =>
          `case ${words.operand(this)} in (${words.operand(this)}|${random.pick(['x', '*', '"y"'])}) ${body()}${this.choose([';;'], [';&', ';;&'])} *) ${body()}esac`,
        () => this.functionDefinition(),
      ],
      [
        () => `for ((i=0;i<${random.below(3)};i++)); do ${body()}done`,
        () => `for (( ${words.arithmetic(this)}; 0; )) do ${body()}done`,
        () => (random.chance(0.3) ? `coproc ${random.pick(['{ ', 'C { '])}${body()}}` : `{ ${body()}}`),
        () => (random.chance(0.2) ? `coproc ${quoteName(this.name(), this)} x` : `( ${this.list(1)} )`),
      ],
    )();
  }

  private functionDefinition(): string {
    // A unique function name, so that none calls itself.
    const name = `g${(this.names += 1)}n`;
    const head = this.choose([`${name}() {`, `${name} () {`], [`function ${name} {`, `function ${name}() {`]);
    const text = `${head} ${this.list(1)}${this.separator()}}`;
    this.functions.push(name);
    return text;
  }

  private separator(): string {
    return this.random.chance(0.6) ? '; ' : this.newline();
  }

  private deeper(write: () => string): string {
    this.depth += 1;
    const text = write();
    this.depth -= 1;
    return text;
  }
}
