import type { ParseArgsOptionsConfig } from 'node:util';
import { HoldfastError } from '../errors/index.ts';
import type { Recovered } from '../staged/apply/unmake.ts';
import { escapeHidden, escapeJson } from '../text/escape-hidden.ts';

/** One subcommand. Its file holds the options and the printing; the library does the work. */
export interface Command {
  readonly name: string;
  /** Text of `holdfast NAME --help`, without the trailing newline. A function loads it when someone asks. */
  readonly usage: string | (() => Promise<string>);
  readonly options: ParseArgsOptionsConfig;
  /**
   * Words after `--` are never parsed. Before it: none, any, or a `program` that ends the options, because the words
   * after it are its own.
   */
  readonly positionals: 'none' | 'any' | 'program';
  /** Its default action: `holdfast trash` lists. Default: none. */
  readonly alone?: string;
  /** `works`: runs in a box too. All others refuse there, because their state is outside. */
  readonly inBox?: 'works';
  /** Resolves to the exit status. Throws a `HoldfastError` for faults that the user can fix. */
  run(input: CommandInput): Promise<number>;
}

export async function usageOf({ usage }: Command): Promise<string> {
  return typeof usage === 'string' ? usage : usage();
}

export type OptionValue = string | boolean | readonly (string | boolean)[] | undefined;

export interface CommandInput {
  readonly values: Readonly<Record<string, OptionValue>>;
  readonly positionals: readonly string[];
  /** Words after `--`. Undefined without `--`. */
  readonly rest: readonly string[] | undefined;
  readonly io: CommandIo;
}

/** Edges that a command may touch, so that tests can run it without a process. */
export interface CommandIo {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the texts of a repeatable option. */
export function optionTexts(value: OptionValue): readonly string[] {
  if (value === undefined || typeof value === 'boolean') return [];
  return typeof value === 'string' ? [value] : value.filter((item) => typeof item === 'string');
}

export function optionText(value: OptionValue): string | undefined {
  return optionTexts(value).at(-1);
}

export function isSet(value: OptionValue): value is true {
  return value === true;
}

/**
 * Prints a result: one JSON value with `--json`, otherwise lines for a person. Both may hold names that a box chose.
 */
export function printResult({ values, io }: Pick<CommandInput, 'values' | 'io'>, value: unknown, lines: string): void {
  io.stdout.write(isSet(values['json']) ? jsonText(value) : safeText(lines));
}

/** Returns the outcome of a killed accept or undo as a line for a terminal. */
export function recoveredLine({ layer, outcome, conflicts, kept }: Recovered): string {
  const what = {
    'rolled-back': 'an accept was interrupted: all of it is staged again',
    completed: 'an accept was interrupted after its last step: it is complete',
    undone: 'an undo was interrupted: it is complete now',
  }[outcome];
  const rest =
    conflicts.length === 0
      ? ''
      : `; left as they are, because someone changed them: ${conflicts.map((path) => JSON.stringify(path)).join(' ')}; their earlier content is in ${kept}`;
  return `${safeText(`holdfast: layer ${layer}: ${what}${rest}`)}\n`;
}

/**
 * Returns a message for a terminal. It may quote names that a box chose. Line breaks and tabs stay, because messages
 * may have several lines.
 */
export function safeText(text: string): string {
  return escapeHidden(text, 'lines');
}

/** Returns a message of one line: a name with a line break would forge a second message. */
export function safeLine(text: string): string {
  return escapeHidden(text);
}

/** Returns the port of `--port`. Default: 0, for a free one. */
export function portOf(value: OptionValue): number {
  const given = optionText(value);
  const port = Number(given ?? 0);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new HoldfastError('HF_USAGE', `expected a port, got ${JSON.stringify(given)}`, {
    remedy: 'use a number from 1 to 65535, as in --port 3128',
  });
}

/** Returns JSON for `--json`, safe for a terminal: names that a box chose are in it. */
export function jsonText(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, undefined, 2))}\n`;
}

/** Returns JSON on one line, safe for a terminal. */
export function jsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}

/** A guest backend: `lima`, `lima:INSTANCE`, `wsl2` or `wsl2:DISTRIBUTION`. */
export interface AskedGuest {
  readonly kind: 'lima' | 'wsl2';
  readonly name: string | undefined;
}

export function askedGuest({ values }: Pick<CommandInput, 'values'>): AskedGuest | undefined {
  const [, kind, name] = /^(lima|wsl2)(?::(.+))?$/su.exec(optionText(values['backend']) ?? '') ?? [];
  return kind === 'lima' || kind === 'wsl2' ? { kind, name } : undefined;
}
