import { inputOf, milliseconds } from '../../audit/report/index.ts';
import type { StatePaths } from '../../sandbox/host/state-paths.ts';
import { filterOf, limitOf } from '../audit/filter-options.ts';
import { isSet, text, type CommandInput } from '../command.ts';
import { jsonText } from '../json-text.ts';
import { oneLine } from '../listing.ts';
import { callJson, callsOf, type ModelEntry, type TextsState, textsState } from './calls.ts';

const defaultLimit = 50;

/** A table of calls, newest last. */
export function logCalls(input: CommandInput, paths: StatePaths): number {
  const { values, io } = input;
  const limit = limitOf(input, defaultLimit);
  const { since, until, session } = values;
  const isChosen = ['provider', 'model', 'refused'].some((option) => values[option] !== undefined);
  // The journal knows nothing of what is chosen here.
  const all = callsOf(paths.journal, filterOf({ values: { since, until, session }, io }), isChosen ? undefined : limit + 1).filter(chosen(values));
  const shown = all.slice(-limit);
  const more = shown.length < all.length;
  if (isSet(values['json'])) io.stdout.write(jsonText({ more, calls: shown.map((entry) => callJson(entry, textsState(paths, entry))) }));
  else if (shown.length === 0) io.stdout.write('no calls of models\n');
  else io.stdout.write(`${table(shown.map((entry) => rowOf(entry, textsState(paths, entry))))}${more ? `the last ${limit} calls: --limit shows more` : `${shown.length} ${shown.length === 1 ? 'call' : 'calls'}`}\n`);
  return 0;
}

function chosen(values: CommandInput['values']): (entry: ModelEntry) => boolean {
  const [provider, model] = [globOf(text(values['provider'])), globOf(text(values['model']))];
  return (entry) => provider(entry.provider) && model(entry.model ?? '') && (!isSet(values['refused']) || entry.refusal !== undefined);
}

/** `*` stands for any characters. The texts between are looked for in their order, so that no pattern takes long. */
function globOf(pattern: string | undefined): (name: string) => boolean {
  if (pattern === undefined) return () => true;
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const last = rest.pop();
  return (given) => {
    const name = given.toLowerCase();
    if (last === undefined) return name === first;
    if (!name.startsWith(first)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return name.length - last.length >= at && name.endsWith(last);
  };
}

const titles = ['TIME', 'ID', 'PROVIDER', 'MODEL', 'STATUS', 'IN', 'OUT', 'USD', 'TOOK', 'FIRST', 'TOOLS', 'TEXTS'] as const;
/** Numbers, which stand at the right. */
const right: ReadonlySet<number> = new Set([1, 5, 6, 7, 8, 9, 10]);
const longestName = 40;

function rowOf(entry: ModelEntry, texts: TextsState): readonly string[] {
  const { time, seq, provider, model, status, tokens, usd, completeness, duration, firstByte, toolCalls, refusal } = entry;
  const answered = refusal === undefined ? `${status === 0 ? 'none' : status}${completeness === 'partial' ? ' cut' : ''}` : name(refusal.code);
  return [`${time.slice(0, '2026-01-31T12:00:00'.length).replace('T', ' ')}Z`, String(seq), name(provider), model === undefined ? '-' : name(model), answered, ...(tokens === undefined ? ['?', '?'] : [String(inputOf(tokens)), String(tokens.output)]), usd === null ? '?' : usd.toFixed(4), milliseconds(duration), firstByte === undefined ? '-' : milliseconds(firstByte), String(toolCalls.length), texts === 'none' ? '-' : texts];
}

function name(text: string): string {
  const shown = oneLine(text.slice(0, 1000));
  return shown.length <= longestName ? shown : `${shown.slice(0, longestName - 1)}…`;
}

function table(rows: readonly (readonly string[])[]): string {
  const all = [titles, ...rows];
  const widths = titles.map((_, index) => all.reduce((longest, row) => Math.max(longest, row[index]?.length ?? 0), 0));
  return all.map((row) => `${row.map((cell, index) => (right.has(index) ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0))).join('  ').trimEnd()}\n`).join('');
}
