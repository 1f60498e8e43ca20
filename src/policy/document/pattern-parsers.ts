import { lookalikeFindings } from '../../text/confusables/lookalike-findings.ts';
import type { PatternLanguage } from '../features/pattern-language.ts';
import { registryParts } from '../normalise/registry-key.ts';
import { parseCommandPattern, type PatternProblem, patternProblem, parseForward } from '../patterns/command-pattern.ts';
import { parseHostPattern, parsePorts } from '../patterns/host-pattern.ts';
import { isLiteralPattern, parsePathPattern } from '../patterns/path-pattern.ts';

type Parser = (source: string) => { readonly kind: string } | PatternProblem;

const hostWithoutPort: Parser = (source) => {
  const pattern = parseHostPattern(source);
  if (pattern.kind === 'problem' || pattern.ports === undefined) return pattern;
  return patternProblem(`"${source}" names a port, but a look-up has none`, 'leave the port out');
};
/** The box could write a file in the workspace, and so choose the authorities that the host trusts. */
const authorityFile: Parser = (source) => {
  const pattern = parsePathPattern(source);
  if (pattern.kind === 'problem' || (isLiteralPattern(pattern) && /^[/~]/.test(source))) return pattern;
  return patternProblem(
    `"${source}" is not one file outside the workspace`,
    'write its absolute path, or one that starts with ~/',
  );
};
const socket: Parser = (source) => (source.startsWith('@') ? textPattern(source) : parsePathPattern(source));
const variable: Parser = (source) =>
  /^[\w*?]+$/.test(source)
    ? { kind: 'text' }
    : patternProblem(
        `"${source}" is not the name of a variable`,
        'use letters, digits and underscores, and * or ? as wildcards',
      );
/** A name that only resembles a program's would silently match nothing. */
export const commandPattern: Parser = (source) => {
  const pattern = parseCommandPattern(source);
  if (pattern.kind === 'problem') return pattern;
  const name = pattern.program.source;
  if (/^\$[\w{]/u.test(name))
    return patternProblem(
      `"${name}" is not a program: variables of a shell are not looked up`,
      'write the name of the program',
    );
  const findings = lookalikeFindings(name, 'command');
  const found = findings.find(({ kind }) => kind === 'confusable') ?? findings[0];
  if (found === undefined) return pattern;
  return patternProblem(
    found.kind === 'confusable'
      ? `"${name}" looks like "${found.what}", but is a different name`
      : `"${name}" mixes letters of several alphabets (${found.what})`,
    'write it with the letters of one alphabet, or ? for a letter of another alphabet',
  );
};
const registryKey: Parser = (source) =>
  registryParts(source) === undefined
    ? patternProblem(`"${source}" is not a registry key`, 'write it as "HKCU\\Software\\Example"')
    : { kind: 'text' };
const port: Parser = (source) =>
  parsePorts(source) === undefined
    ? patternProblem(`"${source}" is not a port`, 'write a port from 1 to 65535, or a range such as "8000-8100"')
    : { kind: 'text' };
const signal: Parser = (source) =>
  /^(?:SIG)?[A-Z][A-Z0-9+-]*$/i.test(source)
    ? { kind: 'text' }
    : patternProblem(`"${source}" is not the name of a signal`, 'write it as SIGTERM');

/** The parser of each pattern language. */
export const patternParsers: Readonly<Record<PatternLanguage, Parser>> = {
  path: parsePathPattern,
  host: parseHostPattern,
  'host without port': hostWithoutPort,
  port: port,
  forward: parseForward,
  'authority file': authorityFile,
  socket: socket,
  command: commandPattern,
  variable: variable,
  wildcard: textPattern,
  'registry key': registryKey,
  signal: signal,
};

function textPattern(source: string): { readonly kind: string } | PatternProblem {
  return /\p{Cc}/u.test(source)
    ? patternProblem(`${JSON.stringify(source)} holds a control character`, 'leave it out, or write ? in its place')
    : { kind: 'text' };
}
