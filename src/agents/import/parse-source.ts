import { visit as visitJson } from 'jsonc-parser';
import { parse as parseTomlText, TomlError } from 'smol-toml';
import { type Document, isScalar, parseDocument, visit } from 'yaml';
import { HoldfastError } from '../../errors/index.ts';

const largest = 1 << 20;
const mostAliases = 100;

/** Refuses texts larger than any real settings file before parsing them. */
export function checkSourceSize(text: string): void {
  if (text.length > largest)
    throw new HoldfastError('HF_POLICY_TOO_LARGE', `the file has ${text.length} characters, ${largest} are read`, {
      remedy: 'name a file of settings',
    });
}

export function jsonSource(text: string): unknown {
  checkDepth(text);
  try {
    const value: unknown = JSON.parse(text);
    refuseRepeated(text);
    return value;
  } catch (cause) {
    throw broken('JSON', cause);
  }
}

/**
 * Refuses repeated keys. A parser takes the last of two keys with one name, but the author of the first relies on it.
 */
function refuseRepeated(text: string): void {
  const open: Set<string>[] = [];
  visitJson(text, {
    onObjectBegin: () => void open.push(new Set()),
    onObjectEnd: () => void open.pop(),
    onObjectProperty: (key) => {
      const keys = open.at(-1);
      if (keys?.has(key) === true)
        throw new Error(`the key ${JSON.stringify(key.slice(0, 60)).replaceAll(/[^ -~]/gu, '?')} is there twice`);
      keys?.add(key);
    },
  });
}

export function tomlSource(text: string): unknown {
  try {
    return parseTomlText(text, { maxDepth: 32, unsafeKeyBehaviour: 'throw' });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    throw broken(
      'TOML',
      new Error(`line ${cause.line}: ${(cause.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')}`),
    );
  }
}

/** Parses one document without tags. Follows at most a hundred aliases, so a bomb of them is refused. */
export function yamlSource(text: string): unknown {
  checkDepth(text);
  try {
    const document = parseDocument(text, { schema: 'core', uniqueKeys: true, prettyErrors: true });
    const [error] = [...document.errors, ...document.warnings];
    if (error !== undefined) throw error;
    refuseMerges(document);
    return document.toJS({ maxAliasCount: mostAliases }) as unknown;
  } catch (cause) {
    throw broken('YAML', cause);
  }
}

/**
 * Without the merged table a rule would change its meaning. With it, nested merges are a bomb that no limit of aliases
 * stops.
 */
function refuseMerges(document: Document): void {
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key) && key.value === '<<')
        throw new Error('tables that are merged with "<<" are not read: write their keys out');
    },
  });
}

const deepest = 200;

/** Counts nested brackets, because recursive parsers would end the process. */
function checkDepth(text: string): void {
  let depth = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    if ((character === ']' || character === '}') && depth > 0) depth -= 1;
    if (depth > deepest)
      throw new HoldfastError('HF_POLICY_INVALID', `brackets are nested deeper than ${deepest} levels`, {
        remedy: 'name a file of settings',
      });
  }
}

function broken(language: string, cause: unknown): HoldfastError {
  const message = (cause instanceof Error ? cause.message : String(cause)).split('\n')[0] ?? '';
  return new HoldfastError('HF_POLICY_INVALID', `the file is not valid ${language}: ${message}`, {
    remedy: 'correct the file: none of it was imported',
    cause,
  });
}
