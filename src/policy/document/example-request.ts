import { wordsOf } from '../patterns/command-pattern.ts';
import { patternRoots } from '../patterns/resolve-path.ts';
import type { FileAccess, PolicyRequest, RegistryRequest, SignalRequest, SocketRequest } from '../request.ts';
import type { RuleTable } from './rule-schema.ts';

/** Directories for `~` and relative paths in examples. Any two work, because patterns are tried with the same ones. */
export const examplePlaces = patternRoots({ home: '/home/example', workspace: '/home/example/workspace' });

/** The format of examples in each table, for problems and the manual. */
export const exampleForms: Readonly<Record<RuleTable, string>> = {
  file: '"src/main.ts" or "write src/main.ts"',
  exec: '"git push origin main"',
  connect: '"example.com:443" or "udp example.com:53"',
  http: '"GET https://example.com/path"',
  dns: '"example.com" or "TXT example.com"',
  socket: '"/run/docker.sock" or "bind /run/app.sock"',
  signal: '"SIGKILL child"',
  env: '"NODE_ENV"',
  tool: '"server/tool"',
  trust: '".mcp.json", or with its SHA-256 in front',
  registry_rule: "'HKCU\\Software\\Example' or 'write HKCU\\Software\\Example'",
};

/** Returns the request that an example of a rule means. Undefined for an invalid example. */
export function exampleRequest(table: RuleTable, text: string): PolicyRequest | undefined {
  switch (table) {
    case 'file': {
      const { word, rest } = splitWord(text, fileOperations, 'read');
      return { kind: 'file', operation: word, path: absolute(rest) };
    }
    case 'exec': {
      const [program, ...words] = wordsOf(text) ?? [];
      return program === undefined
        ? undefined
        : {
            kind: 'exec',
            program: program.includes('/') ? absolute(program) : program,
            argv: [program, ...words],
            context: 'direct',
          };
    }
    case 'connect':
      return connectExample(text);
    case 'http':
      return httpExample(text);
    case 'dns': {
      const [, type = 'A', name = ''] = /^(?:([A-Z0-9]+) )?(\S+)$/.exec(text) ?? [];
      return name === '' ? undefined : { kind: 'dns', name, recordType: type };
    }
    case 'socket': {
      const { word, rest } = splitWord(text, socketOperations, 'connect');
      return { kind: 'socket', operation: word, address: rest.startsWith('@') ? rest : absolute(rest) };
    }
    case 'signal':
      return signalExample(text);
    case 'env':
      return { kind: 'env', name: text };
    case 'tool': {
      const [, server = '', tool = ''] = /^([^/]+)\/(.+)$/s.exec(text) ?? [];
      return server === '' ? undefined : { kind: 'tool', server, tool, arguments: '{}' };
    }
    case 'trust': {
      const [, sha256 = '0'.repeat(64), path = ''] = /^(?:([0-9a-f]{64}) )?(.+)$/s.exec(text) ?? [];
      return { kind: 'trust', path: absolute(path), sha256 };
    }
    case 'registry_rule': {
      const { word, rest } = splitWord(text, registryOperations, 'read');
      return { kind: 'registry', operation: word, key: rest };
    }
  }
}

const fileOperations: readonly FileAccess[] = ['read', 'write', 'create', 'delete', 'execute'];
const socketOperations: readonly SocketRequest['operation'][] = ['connect', 'bind', 'send'];
const registryOperations: readonly RegistryRequest['operation'][] = ['read', 'write', 'create', 'delete'];
const signalTargets: readonly SignalRequest['target'][] = ['self', 'child', 'box', 'supervisor', 'outside'];
const defaultPorts = { http: 80, https: 443, ws: 80, wss: 443 } as const;

/** Splits a leading operation from the rest. */
function splitWord<Word extends string>(
  text: string,
  words: readonly Word[],
  otherwise: Word,
): { readonly word: Word; readonly rest: string } {
  const word = words.find((candidate) => text.startsWith(`${candidate} `));
  return word === undefined ? { word: otherwise, rest: text } : { word, rest: text.slice(word.length + 1) };
}

function absolute(path: string): string {
  if (path.startsWith('/')) return path;
  return path === '~' || path.startsWith('~/')
    ? `${examplePlaces.home}${path.slice(1)}`
    : `${examplePlaces.workspace}/${path}`;
}

function connectExample(text: string): PolicyRequest | undefined {
  const [, protocol, host = '', port = '443'] = /^(?:(tcp|udp) )?(.+?)(?::(\d+))?$/s.exec(text) ?? [];
  return host === ''
    ? undefined
    : { kind: 'connect', host, port: Number(port), protocol: protocol === 'udp' ? 'udp' : 'tcp' };
}

function httpExample(text: string): PolicyRequest | undefined {
  const [, method = 'GET', scheme, host = '', port, path = '/'] =
    /^(?:([A-Za-z]+) )?(https?|wss?):\/\/(\[[^\]]+\]|[^/:?#\s]+)(?::(\d+))?([^?#\s]*)/.exec(text) ?? [];
  if (scheme !== 'http' && scheme !== 'https' && scheme !== 'ws' && scheme !== 'wss') return undefined;
  return {
    kind: 'http',
    method,
    scheme,
    host,
    port: port === undefined ? defaultPorts[scheme] : Number(port),
    path: path === '' ? '/' : path,
  };
}

function signalExample(text: string): PolicyRequest | undefined {
  const [signal = '', word = 'child', ...more] = text.split(' ');
  const target = signalTargets.find((candidate) => candidate === word);
  return target === undefined || signal === '' || more.length > 0 ? undefined : { kind: 'signal', signal, target };
}
