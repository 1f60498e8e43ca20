import type { StaticWord, Word } from '../types.ts';
import { findOption } from './find-option.ts';
import { append } from './findings.ts';
import type { OptionSpec, ParsedArguments, ParsedOption, Role, ToolSpec, Unknown } from './types.ts';
import { mayBeOption, mayBeSeveral, plainText } from './words.ts';

/**
 * Parses the words after a program's name. Total: anything that the specification does not cover is in `unknown`. With
 * subcommands, the first operand ends the options; the operands are the subcommand and everything after it.
 */
export function parseArguments(spec: ToolSpec, words: readonly Word[]): ParsedArguments {
  if (spec.grammar === 'words') return { options: [], operands: words, unknown: [] };
  const reader: Reader = { spec, words, at: 0, options: [], operands: [], unknown: [] };
  const stopsAtOperand = spec.grammar.endsWith('-posix') || spec.subcommands !== undefined;
  for (let word = next(reader); word !== undefined; word = next(reader)) {
    if (readQuotedValue(reader, word)) continue;
    const kind = kindOf(word, spec);
    if (kind === 'end') return withRest(reader);
    if (kind === 'option') readOption(reader, word as StaticWord);
    else {
      if (kind === 'unclear') reader.unknown.push({ kind: 'dynamic-word', word });
      reader.operands.push(word);
      if (stopsAtOperand) return withRest(reader);
    }
  }
  return reader;
}

interface Reader {
  readonly spec: ToolSpec;
  readonly words: readonly Word[];
  at: number;
  readonly options: ParsedOption[];
  readonly operands: Word[];
  readonly unknown: Unknown[];
}

function next(reader: Reader): Word | undefined {
  return reader.words[reader.at++];
}

function withRest(reader: Reader): ParsedArguments {
  return { ...reader, operands: [...reader.operands, ...reader.words.slice(reader.at)] };
}

/** `--name="$x"` is that option for every `$x`, and its value is not known. */
function readQuotedValue(reader: Reader, word: Word): boolean {
  if (word.kind !== 'dynamic') return false;
  const [, bare, quoted, inner, rest] =
    /^(?:(--[a-z][\w-]*)=(".*")|"(--[a-z][\w-]*)=([^"]*)")$/su.exec(word.text) ?? [];
  const spelled = bare ?? inner ?? '';
  const option = optionNamed(reader.spec, spelled);
  const value = { ...word, text: quoted ?? `"${rest ?? ''}"` };
  const takesIt = option?.value !== undefined && option.value !== 'none' && !isCommandRole(option.role);
  if (option === undefined || !takesIt || mayBeSeveral(value)) return false;
  return reader.options.push({ spec: option, spelled, value }) > 0;
}

/** `unclear`: it may become an option, so nothing is known about it. A file may be called `-rf`. */
function kindOf(word: Word, spec: ToolSpec): 'end' | 'option' | 'operand' | 'unclear' {
  if (word.kind === 'dynamic') return mayBeOption(word) ? 'unclear' : 'operand';
  if (word.kind === 'glob')
    return (word.prefix === '' && !isHarmlessPattern(word.text, spec)) || looksLikeOption(word.prefix, spec)
      ? 'unclear'
      : 'operand';
  if (word.lead === 'home') return 'operand';
  if (word.value === '--') return 'end';
  return looksLikeOption(word.value, spec) && word.value.length > 1 ? 'option' : 'operand';
}

/** `*.md` matches `-rf.md`, which may be no option, or an error. */
function isHarmlessPattern(text: string, { anyOption }: ToolSpec): boolean {
  return anyOption === 'harmless' || (anyOption === 'never-with-suffix' && /^\*\.[A-Za-z0-9]+$/u.test(text));
}

/** `+` starts an option only if the specification has such options: `set +e`. */
function looksLikeOption(text: string, spec: ToolSpec): boolean {
  return (
    text.startsWith('-') ||
    (text.startsWith('+') && spec.options.some(({ names }) => names.some((name) => name.startsWith('+'))))
  );
}

function readOption(reader: Reader, word: StaticWord): void {
  // A few programs have names such as `-nv` besides letters.
  const isLong =
    reader.spec.grammar.startsWith('long') ||
    word.value.startsWith('--') ||
    (word.value.length > 2 && optionNamed(reader.spec, word.value) !== undefined);
  const isRead = isLong ? readLong(reader, word) : readCluster(reader, word);
  if (!isRead) reader.unknown.push({ kind: 'unknown-option', word });
}

/** `--name`, `--name=value`, `--name value`. False if the specification has no such option. */
function readLong(reader: Reader, word: StaticWord): boolean {
  const found = findOption(reader.spec, word.value);
  if (found === undefined) return false;
  const { option, spelled, attached } = found;
  if (option.value === undefined || option.value === 'none') {
    if (attached === undefined) reader.options.push({ spec: option, spelled });
    return attached === undefined;
  }
  if (attached !== undefined) return pushAttached(reader, { option, spelled, attached, word });
  return option.value === 'optional'
    ? reader.options.push({ spec: option, spelled }) > 0
    : readFollowing(reader, option, spelled);
}

/** Nobody writes more. A word of a million letters would cost seconds. */
const mostFlags = 64;
const mostDigits = 20;

/**
 * `-abc`, `-ofile`, `-o file`, `-20`. All or nothing: after one unknown letter, the meaning of the others is unknown.
 */
function readCluster(reader: Reader, word: StaticWord): boolean {
  const sign = word.value.slice(0, 1);
  const flags: ParsedOption[] = [];
  for (let at = 1; at < word.value.length; at++) {
    if (flags.length > mostFlags) return false;
    const digits = /^\d+/u.exec(word.value.slice(at, at + mostDigits))?.[0];
    const spelled = `${sign}${word.value.charAt(at)}`;
    const option = optionNamed(reader.spec, spelled);
    if (option === undefined && digits !== undefined) {
      const number = optionNamed(reader.spec, '-#');
      if (number === undefined) return false;
      flags.push({ spec: number, spelled: `-${digits}` });
      at += digits.length - 1;
      continue;
    }
    if (option === undefined) return false;
    if (option.value === undefined || option.value === 'none') {
      flags.push({ spec: option, spelled });
      continue;
    }
    append(reader.options, flags);
    const attached = word.value.slice(at + 1);
    if (attached !== '') return pushAttached(reader, { option, spelled, attached, word });
    return option.value === 'optional'
      ? reader.options.push({ spec: option, spelled }) > 0
      : readFollowing(reader, option, spelled);
  }
  append(reader.options, flags);
  return true;
}

function optionNamed(spec: ToolSpec, name: string): OptionSpec | undefined {
  return spec.options.find(({ names }) => names.includes(name));
}

interface Attached {
  readonly option: OptionSpec;
  readonly spelled: string;
  readonly attached: string;
  readonly word: StaticWord;
}

function pushAttached(reader: Reader, { option, spelled, attached, word }: Attached): boolean {
  const value: StaticWord = { kind: 'static', value: attached, span: word.span };
  if (isCommandRole(option.role))
    return (
      reader.options.push({ spec: option, spelled, value, words: [value, ...takeCommand(reader, option.role)] }) > 0
    );
  return reader.options.push({ spec: option, spelled, value }) > 0;
}

/** The value is the next word; for commands, the next words. */
function readFollowing(reader: Reader, option: OptionSpec, spelled: string): boolean {
  if (isCommandRole(option.role)) {
    const words = takeCommand(reader, option.role);
    if (words.length > 0) reader.options.push({ spec: option, spelled, words });
    return words.length > 0;
  }
  const value = next(reader);
  if (value === undefined) return false;
  if (mayBeSeveral(value)) reader.unknown.push({ kind: 'dynamic-word', word: value });
  return reader.options.push({ spec: option, spelled, value }) > 0;
}

type CommandRole = 'command' | 'command-list' | 'word-list';

function isCommandRole(role: Role | undefined): role is CommandRole {
  return role === 'command' || role === 'command-list' || role === 'word-list';
}

/** A list ends with `;`, or with `+` after `{}`. Without an end it takes all following words. */
function takeCommand(reader: Reader, role: CommandRole): readonly Word[] {
  const rest = reader.words.slice(reader.at);
  const end = role === 'command' ? -1 : rest.findIndex((word, place) => isListEnd(word, rest[place - 1]));
  reader.at = end === -1 ? reader.words.length : reader.at + end + 1;
  return end === -1 ? rest : rest.slice(0, end);
}

function isListEnd(word: Word, before: Word | undefined): boolean {
  const text = plainText(word);
  return text === ';' || (text === '+' && plainText(before) === '{}');
}
