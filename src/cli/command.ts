import type { ParseArgsOptionsConfig } from 'node:util';

/** One subcommand. Its file holds the options and the printing; what it does lives in the library. */
export interface Command {
  readonly name: string;
  /** One line for `holdfast help`. */
  readonly summary: string;
  /** Text of `holdfast NAME --help`, without the trailing newline. */
  readonly usage: string;
  readonly options: ParseArgsOptionsConfig;
  /** Words after `--` are never parsed; `strict` commands refuse words before it. */
  readonly positionals: 'none' | 'any';
  /** Resolves to the exit status. Throws `HoldfastError` for what the user can put right. */
  run(input: CommandInput): Promise<number>;
}

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined;

export interface CommandInput {
  readonly values: Readonly<Record<string, OptionValue>>;
  readonly positionals: readonly string[];
  /** Words after `--`, or undefined when there was no `--`. */
  readonly rest: readonly string[] | undefined;
  readonly io: CommandIo;
}

/** The edges a command may touch, so that tests can run it without a process. */
export interface CommandIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The texts given to an option that may be repeated. */
export function texts(value: OptionValue): readonly string[] {
  if (value === undefined || typeof value === 'boolean') return [];
  return typeof value === 'string' ? [value] : value.filter((item) => typeof item === 'string');
}

export function text(value: OptionValue): string | undefined {
  return texts(value).at(-1);
}

export function isSet(value: OptionValue): value is true {
  return value === true;
}
