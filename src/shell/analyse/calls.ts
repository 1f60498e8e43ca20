import type { ParsedCommand } from '../parse/index.ts';
import { textOf } from '../tools/words.ts';
import type { Command, Scope } from './command.ts';

/** Whether a command of a text calls a function of that text. Only a definition that stands before the call, at the beginning of a line or statement, is taken for certain. */
export function callOf({ argv, span }: ParsedCommand, { defined }: Scope, text: string): Command['calls'] {
  const name = textOf(argv[0]);
  if (name === undefined || !defined.has(name)) return 'program';
  const escaped = name.replace(/[^\w]/gu, '\\$&');
  const definition = new RegExp(`(?:^|[;\\n])[ \\t]*(?:function[ \\t]+${escaped}(?![^\\s(){};])|${escaped}[ \\t]*\\([ \\t]*\\))`, 'u');
  return definition.test(text.slice(0, span.start)) ? 'function' : 'either';
}
