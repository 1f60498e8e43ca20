import { isSet, type CommandInput } from './command.ts';
import { jsonText } from './json-text.ts';
import { safeText } from './safe-text.ts';

/** What came of a command: one JSON value with `--json`, lines for a person otherwise. Both may hold names that a box chose. */
export function printResult({ values, io }: Pick<CommandInput, 'values' | 'io'>, value: unknown, lines: string): void {
  io.stdout.write(isSet(values['json']) ? jsonText(value) : safeText(lines));
}
