import {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changePins, definitionOf, pinsOf, readPins, removePins } from './pins.ts';

let scratch: string;
let directory: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'holdfast-pins-'));
  directory = join(scratch, 'mcp');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const add = (server: string, ...definitions: readonly (readonly [string, string])[]): void =>
  changePins(directory, server, () => definitions.map(([tool, text]) => definitionOf(tool, text)));
const texts = (server: string): readonly string[] | undefined =>
  readPins(directory)
    .servers.find((each) => each.server === server)
    ?.definitions.map(({ tool, text }) => `${tool}=${text}`);
const files = (): readonly string[] => readdirSync(directory).map((name) => join(directory, name));

describe('pins', () => {
  test('are kept for each server, for this user alone', () => {
    add('a', ['t', '{}'], ['u', '{"x":1}']);
    add('b', ['t', '[]']);
    expect(texts('a')).toEqual(['t={}', 'u={"x":1}']);
    expect(texts('b')).toEqual(['t=[]']);
    expect(files().map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  test('are the last eight of each tool, and a repeated one becomes the newest', () => {
    for (let version = 0; version < 10; version += 1) add('a', ['t', String(version)], ['u', '0']);
    add('a', ['t', '3']);
    expect(texts('a')?.filter((text) => text.startsWith('t'))).toEqual([
      't=2',
      't=4',
      't=5',
      't=6',
      't=7',
      't=8',
      't=9',
      't=3',
    ]);
    expect(texts('a')?.filter((text) => text.startsWith('u'))).toEqual(['u=0']);
  });

  test('that could not be read again are not kept, and the existing ones stay', () => {
    add('a', ['t', '{}']);
    expect(() => add('a', ['t', 'x'.repeat(32 * 1024 * 1024)])).toThrow(
      expect.objectContaining({ code: 'HF_TRUST_INVALID' }),
    );
    expect(texts('a')).toEqual(['t={}']);
  });

  test('are kept only if the decision does not throw', () => {
    expect(() =>
      changePins(directory, 'a', () => {
        throw new TypeError('no');
      }),
    ).toThrow();
    expect(readPins(directory)).toEqual({ servers: [], damaged: [] });
  });
});

test('differ from damaged ones if a newer version has written them', () => {
  add('a', ['t', '{}']);
  writeFileSync(files()[0] ?? '', '{"version":2}');
  expect(() => add('a', ['t', 'x'])).toThrow('newer version of Holdfast');
});

describe('revoked approvals', () => {
  const remove = (server: string, ...tools: readonly string[]): readonly string[] => {
    const journalled: string[] = [];
    const gone = removePins(directory, {
      server,
      ...(tools.length === 0 ? {} : { tools }),
      journal: (each) => journalled.push(...each.map(({ tool, text }) => `${tool}=${text}`)),
    });
    expect(gone.map(({ tool, text }) => `${tool}=${text}`)).toEqual(journalled);
    return journalled;
  };

  test('of tools leave a trace: the server was seen, and its definitions count as changed', () => {
    add('a', ['t', '[1]'], ['t', '[2]'], ['u', '[]']);
    expect(remove('a', 't', 'x')).toEqual(['t=[1]', 't=[2]']);
    expect(texts('a')).toEqual(['u=[]', 't={}']);
    expect(remove('a', 't')).toEqual([]);
    expect(remove('a', 'u')).toEqual(['u=[]']);
    expect(texts('a')).toEqual(['t={}', 'u={}']);
    add('a', ['t', '[3]']);
    expect(texts('a')).toEqual(['t={}', 'u={}', 't=[3]']);
  });

  test('of a server leave no trace, and those of others stay', () => {
    add('a', ['t', '[1]']);
    add('b', ['t', '[1]']);
    expect(remove('a')).toEqual(['t=[1]']);
    expect([texts('a'), texts('b')]).toEqual([undefined, ['t=[1]']]);
    expect(remove('a')).toEqual([]);
  });

  test('stay if the journal cannot record the removal', () => {
    add('a', ['t', '[1]']);
    for (const tools of [{}, { tools: ['t'] }])
      expect(() =>
        removePins(directory, {
          server: 'a',
          ...tools,
          journal: () => {
            throw new TypeError('no');
          },
        }),
      ).toThrow();
    expect(texts('a')).toEqual(['t=[1]']);
  });
});

describe('tampered files are refused', () => {
  test.each<readonly [string, (file: string) => void]>([
    ['another text', (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('kind', 'evil'))],
    ['no JSON', (file) => writeFileSync(file, '{')],
    ['another form', (file) => writeFileSync(file, '{"version":1,"server":"a","definitions":[],"more":1}')],
    ['a newer version', (file) => writeFileSync(file, '{"version":2}')],
    ['others may write it', (file) => chmodSync(file, 0o666)],
    [
      'not UTF-8',
      (file) =>
        writeFileSync(
          file,
          Buffer.from(readFileSync(file, 'latin1').replace('"tool": "t"', '"tool": "t\u00ff"'), 'latin1'),
        ),
    ],
    [
      'pins of another server',
      (file) => writeFileSync(file, readFileSync(file, 'utf8').replace('"server": "a"', '"server": "b"')),
    ],
    [
      'a symlink',
      (file) => {
        rmSync(file);
        symlinkSync('/etc/passwd', file);
      },
    ],
  ])('%s', (_name, tamper) => {
    add('a', ['t', '{"description":"kind"}']);
    tamper(files()[0] ?? '');
    const file = files()[0] ?? '';
    const refusal = expect.objectContaining({
      code: 'HF_TRUST_INVALID',
      message: expect.stringMatching(new RegExp(`the MCP server a .*${file}`, 'u')) as unknown,
    }) as unknown;
    expect(() => pinsOf('a', readPins(directory))).toThrow(refusal as Error);
    expect(() => add('a', ['t', 'x'])).toThrow(refusal as Error);
    expect(() => removePins(directory, { server: 'a', journal: () => undefined })).toThrow(refusal as Error);
    expect(readPins(directory)).toMatchObject({
      servers: [],
      damaged: [{ path: file, error: { code: 'HF_TRUST_INVALID' } }],
    });
    add('b', ['t', '{}']);
    expect(texts('b')).toEqual(['t={}']);
  });
});
