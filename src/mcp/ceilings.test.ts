import { describe, expect, test } from 'vitest';
import { parsePolicy } from '../policy/document/parse.ts';
import type { McpServer, PlacedServer } from '../policy/mcp/types.ts';
import { capabilitiesOf } from './ceilings.ts';

type Row = Omit<McpServer, 'name'>;
const row = (layer: PlacedServer['layer'], server: Row): PlacedServer => ({
  layer,
  server: { name: 'files', ...server },
});
const of = (servers: readonly PlacedServer[], grants = {}) =>
  capabilitiesOf({ servers, name: 'files', grants, visible: ['/opt/holdfast'] });

function lists(servers: readonly PlacedServer[], grants = {}): readonly unknown[] {
  return of(servers, grants).layers.map(({ text, file }) => {
    const parsed = parsePolicy(text, { file, kind: 'session' });
    if (parsed.kind !== 'document') throw new Error(JSON.stringify(parsed.problems));
    const { files, network, sockets, environment } = parsed.document.value;
    return {
      read: files?.read?.filter((path) => !path.startsWith('~')),
      write: files?.write,
      hosts: network?.hosts,
      presets: network?.presets,
      sockets: sockets?.allow,
      environment: environment?.pass?.filter((name) => name.startsWith('MY_')),
    };
  });
}

const nothing = { read: ['/opt/holdfast'], write: [], hosts: [], presets: [], sockets: [], environment: [] };

describe('the most that a server may have', () => {
  test('is nothing without an entry and a flag, even beside entries of other servers', () => {
    expect(lists([])).toEqual([nothing]);
    expect(lists([{ layer: 'user', server: { name: 'other', read: ['.'], hosts: ['any'] } }])).toEqual([nothing]);
  });

  test('is the user’s entry plus the flags', () => {
    expect(
      lists([row('user', { read: ['.'], hosts: ['a.example'], environment: ['MY_TOKEN'] })], {
        read: ['/srv/a*'],
        write: ['/srv/b'],
        hosts: ['b.example'],
      }),
    ).toEqual([
      {
        read: ['/opt/holdfast', '.', String.raw`/srv/a\*`, '/srv/b'],
        write: ['/srv/b'],
        hosts: ['a.example', 'b.example'],
        presets: [],
        sockets: [],
        environment: ['MY_TOKEN'],
      },
    ]);
  });

  test('is narrowed by each other entry, and a project cannot declare it', () => {
    expect(lists([row('project', { read: ['src'], hosts: ['any'] })])).toEqual([
      nothing,
      { ...nothing, read: ['/opt/holdfast', 'src'], hosts: ['any'] },
    ]);
    expect(lists([row('managed', { read: ['docs'] }), row('user', { read: ['.'] })])).toEqual([
      { ...nothing, read: ['/opt/holdfast', '.'] },
      { ...nothing, read: ['/opt/holdfast', 'docs'] },
    ]);
    expect(lists([row('managed', { read: ['docs'] })])).toEqual([{ ...nothing, read: ['/opt/holdfast', 'docs'] }]);
  });
});

describe('settings outside the layers of files and hosts', () => {
  test.each([
    [[], 'refuse'],
    [[row('user', { sampling: 'allow' })], 'allow'],
    [[row('user', {})], 'refuse'],
    [[row('project', { sampling: 'allow' })], 'refuse'],
    [[row('user', { sampling: 'allow' }), row('project', { sampling: 'refuse' })], 'refuse'],
    [[row('user', { sampling: 'allow' }), row('project', {})], 'allow'],
  ] as const)('%j: sampling is %s', (rows, expected) => {
    expect(of(rows).sampling).toBe(expected);
    expect(of(rows).elicitation).toBe('refuse');
  });

  test('credentials need a mention in every entry', () => {
    expect(of([row('user', { credentials: ['a', 'b'] })]).credentials).toEqual(['a', 'b']);
    expect(of([row('user', { credentials: ['a', 'b'] }), row('project', { credentials: ['b'] })]).credentials).toEqual([
      'b',
    ]);
    expect(of([row('user', { credentials: ['a'] }), row('project', {})]).credentials).toEqual([]);
  });

  test('tools need a match in every list', () => {
    expect(
      of([row('user', { tools: ['read_*'] }), row('project', { tools: ['*_file'] }), row('managed', {})]).tools,
    ).toEqual([['read_*'], ['*_file']]);
  });
});
