import { isDeepStrictEqual } from 'node:util';
import { applyEdits, type JSONPath, modify, parse, type ParseError, printParseErrorCode } from 'jsonc-parser';
import { HoldfastError, isHoldfastError } from '../../errors/index.ts';
import { isObject } from '../hooks/json.ts';
import type { JsonObject } from '../hooks/types.ts';

/** One hook in the form that Claude Code, Codex and Gemini CLI share. */
export interface HookEntry {
  readonly type: 'command';
  readonly command: string;
  /** Seconds. Milliseconds for Gemini CLI. */
  readonly timeout: number;
  readonly name?: string;
  readonly onFailure?: 'block';
}

export interface WantedHooks {
  readonly events: readonly string[];
  readonly entry: HookEntry;
  /** Matches commands of our entries, of any version. */
  readonly own: RegExp;
  /** Returns the member that turns all hooks off, if one does. */
  readonly off: (settings: JsonObject) => string | undefined;
}

/**
 * Returns settings in which each event calls the entry once, or the same text if they do already. @throws HoldfastError
 * `HF_AGENT_SETTINGS`
 */
export function withEntries(text: string | undefined, { events, entry, own, off }: WantedHooks): string {
  const given = text === undefined || text.trim() === '' ? '{}\n' : text;
  const member = off(read(given));
  if (member !== undefined) throw brokenSettings(`${member} turns hooks off in it`);
  const group = { hooks: [entry] };
  const found = ownGroups(given, own);
  if (
    found.length === events.length &&
    found.every(({ event, value }) => events.includes(event) && isDeepStrictEqual(value, group)) &&
    new Set(found.map(({ event }) => event)).size === events.length
  )
    return given;
  const bare = withoutEntries(given, own) ?? '{}\n';
  return events.reduce((settings, event) => add(settings, event, group), bare);
}

/** Returns settings without our entries. Undefined if nothing else is left. */
export function withoutEntries(text: string, own: RegExp): string | undefined {
  const events = [...new Set(ownGroups(text, own).map(({ event }) => event))];
  const bare = events.reduce((settings, event) => {
    const left = othersOf(memberOf(hooksOf(read(settings)), event), own);
    return edit(settings, ['hooks', event], left.length === 0 ? undefined : left);
  }, text);
  const left =
    events.length > 0 && Object.keys(hooksOf(read(bare))).length === 0 ? edit(bare, ['hooks'], undefined) : bare;
  return Object.keys(read(left)).length === 0 && !/\/[/*]/u.test(left) ? undefined : left;
}

/** Returns the groups of an event without our hooks. */
function othersOf(groups: unknown, own: RegExp): readonly unknown[] {
  const isOwn = (hook: unknown): boolean =>
    isObject(hook) && typeof hook['command'] === 'string' && own.test(hook['command']);
  return (Array.isArray(groups) ? groups : []).flatMap((group: unknown) => {
    const hooks: unknown = isObject(group) ? group['hooks'] : undefined;
    if (!isObject(group) || !Array.isArray(hooks) || !hooks.some(isOwn)) return [group];
    const left = hooks.filter((hook) => !isOwn(hook));
    return left.length === 0 ? [] : [{ ...group, hooks: left }];
  });
}

function add(text: string, event: string, group: JsonObject): string {
  const groups = memberOf(hooksOf(read(text)), event);
  if (groups !== undefined && !Array.isArray(groups)) throw brokenSettings(`hooks.${event} is not a list`);
  return groups === undefined
    ? edit(text, ['hooks', event], [group])
    : edit(text, ['hooks', event], [...groups, group]);
}

interface OwnGroup {
  readonly event: string;
  /** Path of the whole group, or of one hook in a group with others. */
  readonly path: JSONPath;
  readonly value: unknown;
}

function ownGroups(text: string, own: RegExp): readonly OwnGroup[] {
  return Object.entries(hooksOf(read(text))).flatMap(([event, groups]) =>
    Array.isArray(groups) ? groups.flatMap((group: unknown, index) => ownOf(group, ['hooks', event, index], own)) : [],
  );
}

function ownOf(group: unknown, path: JSONPath, own: RegExp): readonly OwnGroup[] {
  const hooks: unknown = isObject(group) ? group['hooks'] : undefined;
  if (!Array.isArray(hooks)) return [];
  const places = hooks.flatMap((hook: unknown, index) =>
    isObject(hook) && typeof hook['command'] === 'string' && own.test(hook['command']) ? [index] : [],
  );
  const event = String(path[1]);
  if (places.length === hooks.length && places.length > 0) return [{ event, path, value: group }];
  return places.map((index) => ({ event, path: [...path, 'hooks', index], value: hooks[index] as unknown }));
}

function hooksOf(settings: JsonObject): JsonObject {
  const hooks = memberOf(settings, 'hooks');
  if (hooks === undefined) return {};
  if (isObject(hooks)) return hooks;
  throw brokenSettings('hooks is not an object');
}

function memberOf(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Parses with comments and trailing commas, as these agents do. */
function read(text: string): JsonObject {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined)
    throw brokenSettings(`line ${text.slice(0, first.offset).split('\n').length}: ${printParseErrorCode(first.error)}`);
  if (!isObject(value)) throw brokenSettings('it is not an object');
  return value;
}

/** Changes one member, and keeps all other bytes. */
function edit(text: string, path: JSONPath, value: unknown): string {
  const indent = /^(?<blank>[ \t]+)"/mu.exec(text)?.groups?.['blank'] ?? '  ';
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.startsWith('\t') ? 1 : indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
  const edited = applyEdits(text, modify(text, path, value, { formattingOptions }));
  const [first, second] = path.map(String);
  const now = second === undefined ? memberOf(read(edited), first ?? '') : memberOf(hooksOf(read(edited)), second);
  if (!isDeepStrictEqual(now, value)) throw brokenSettings('it has a form that cannot be changed without harm');
  return edited;
}

export function brokenSettings(
  problem: string,
  file?: string,
  remedy = 'correct the file first; nothing was changed',
): HoldfastError {
  const name = file === undefined ? 'the settings' : file;
  return new HoldfastError('HF_AGENT_SETTINGS', `${name} cannot be changed: ${problem}`, { remedy });
}

/** Puts errors of the system about this file, or one that belongs to it, into words. */
export function inSystem<Value>(file: string, doing: 'read' | 'written', work: () => Value): Value {
  try {
    return work();
  } catch (cause) {
    if (isHoldfastError(cause)) throw cause;
    const { code = 'an unknown error', path = file } = cause as NodeJS.ErrnoException;
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new HoldfastError('HF_DISK_FULL', `${path} cannot be ${doing}: the disk is full`, {
        remedy: 'free some space, and run the command again; the settings are unchanged',
        cause,
      });
    throw new HoldfastError('HF_AGENT_SETTINGS', `${path} cannot be ${doing}: ${code}`, {
      remedy: 'make it and its directory readable and writable for you; the settings are unchanged',
      cause,
    });
  }
}
