import { lookalikeFindings } from '../../text/confusables/lookalike-findings.ts';
import { registryParts } from '../normalise/registry-key.ts';
import { parseCommandPattern, type PatternProblem, patternProblem } from '../patterns/command-pattern.ts';
import { parseForward } from '../patterns/forward-pattern.ts';
import { parseHostPattern, parsePorts } from '../patterns/host-pattern.ts';
import { isLiteralPattern, parsePathPattern } from '../patterns/path-pattern.ts';
import type { Finding } from './problem.ts';
import type { PolicyValue } from './types.ts';

type Parser = (source: string) => { readonly kind: string } | PatternProblem;

const hostWithoutPort: Parser = (source) => {
  const pattern = parseHostPattern(source);
  if (pattern.kind === 'problem' || pattern.ports === undefined) return pattern;
  return patternProblem(`"${source}" names a port, which a look-up has not`, 'leave the port out');
};
/** A file in the workspace could be written by the box, which would then choose whom the host trusts. */
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
/** A name that only looks like that of a program would be a line that does nothing; nobody would see it. */
export const command = (source: string): { readonly kind: string } | PatternProblem => {
  const pattern = parseCommandPattern(source);
  if (pattern.kind === 'problem') return pattern;
  const name = pattern.program.source;
  if (/^\$[\w{]/u.test(name))
    return patternProblem(
      `"${name}" is no program: variables of a shell are not looked up`,
      'write the name of the program',
    );
  const findings = lookalikeFindings(name, 'command');
  const found = findings.find(({ kind }) => kind === 'confusable') ?? findings[0];
  if (found === undefined) return pattern;
  return patternProblem(
    found.kind === 'confusable'
      ? `"${name}" looks like "${found.what}" and is another name`
      : `"${name}" mixes letters of several alphabets (${found.what})`,
    'write it with the letters of one alphabet, or ? for a letter that is meant to be another',
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

/** Which language the texts at each place of a document are written in. */
const languages: readonly (readonly [string, Parser])[] = [
  ...[
    'files.read',
    'files.write',
    'files.deny',
    'files.protect',
    'files.ephemeral',
    'files.release',
    'file.paths',
    'trust.paths',
  ].map((at) => [at, parsePathPattern] as const),
  ...[
    'propose.files.read',
    'propose.files.write',
    'propose.files.ephemeral',
    'mcp.servers.read',
    'mcp.servers.write',
  ].map((at) => [at, parsePathPattern] as const),
  ...[
    'network.hosts',
    'network.deny',
    'network.passthrough',
    'connect.hosts',
    'http.hosts',
    'propose.network.hosts',
    'mcp.servers.hosts',
  ].map((at) => [at, parseHostPattern] as const),
  ...['connect.ports', 'http.ports'].map((at) => [at, port] as const),
  ...['network.forward', 'propose.network.forward'].map((at) => [at, parseForward] as const),
  ['network.ca', authorityFile],
  ['dns.names', hostWithoutPort],
  ...['sockets.allow', 'sockets.deny', 'socket.addresses', 'propose.sockets.allow', 'mcp.servers.sockets'].map(
    (at) => [at, socket] as const,
  ),
  ...['commands.allow', 'commands.ask', 'commands.deny', 'exec.commands'].map((at) => [at, command] as const),
  ...['environment.pass', 'environment.deny', 'env.names', 'propose.environment.pass', 'mcp.servers.environment'].map(
    (at) => [at, variable] as const,
  ),
  ...[
    'tools.allow',
    'tools.ask',
    'tools.deny',
    'tool.tools',
    'mcp.servers.tools',
    'mcp.flows.from',
    'mcp.flows.to',
    'http.paths',
    'http.methods',
    'dns.types',
  ].map((at) => [at, textPattern] as const),
  ...['registry.allow', 'registry.deny', 'registry.release', 'registry_rule.keys'].map(
    (at) => [at, registryKey] as const,
  ),
  ['signal.signals', signal],
];

/** Every text that is not a pattern of its language. */
export function patternFindings(value: PolicyValue): readonly Finding[] {
  return languages.flatMap(([at, parser]) =>
    textsAt(value, at.split('.')).flatMap(({ path, text }): readonly Finding[] => {
      const parsed = parser(text);
      return parsed.kind === 'problem'
        ? [{ at: path, message: (parsed as PatternProblem).message, remedy: (parsed as PatternProblem).remedy }]
        : [];
    }),
  );
}

interface PlacedText {
  readonly path: string;
  readonly text: string;
}

/** All texts below a path of keys; a list of tables on the way is entered at each of its tables. */
function textsAt(value: unknown, keys: readonly string[], path = ''): readonly PlacedText[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, index) => textsAt(item, keys, `${path}[${index}]`));
  const [key, ...rest] = keys;
  if (key === undefined)
    return typeof value === 'string' || typeof value === 'number' ? [{ path, text: String(value) }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return textsAt((value as Readonly<Record<string, unknown>>)[key], rest, path === '' ? key : `${path}.${key}`);
}

function textPattern(source: string): { readonly kind: string } | PatternProblem {
  return /\p{Cc}/u.test(source)
    ? patternProblem(`${JSON.stringify(source)} holds a control character`, 'leave it out, or write ? in its place')
    : { kind: 'text' };
}
