import { parseGitConfig } from '../../git-config/index.ts';
import { type MapEntry, map, type ParsedValue, scalar } from './value.ts';

/** Parses settings as git does. `filter.L F.clean` is a path of three keys, with any text in the middle one. */
export function parseGitSettings(text: string): ParsedValue {
  const { settings, malformed } = parseGitConfig(text);
  const value = map(settings.map(({ key, value: given = 'true' }) => nested(keysOf(key), given)));
  return malformed === undefined ? { value } : { value, problem: 'git stops reading it, and ignores all of it' };
}

function keysOf(key: string): readonly string[] {
  const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
  return first === last
    ? [key.slice(0, first), key.slice(first + 1)]
    : [key.slice(0, first), key.slice(first + 1, last), key.slice(last + 1)];
}

function nested([key = '', ...rest]: readonly string[], text: string): MapEntry {
  return [key, rest.length === 0 ? scalar(text) : map([nested(rest, text)])];
}
