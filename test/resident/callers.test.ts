import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { isRunning } from '../../scripts/testing/processes.ts';
import { isCommand, masked, ResidentProject } from '../lib/resident.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot)
  console.warn('SKIPPED: callers with other rights and in other namespaces, because only root can make them');

let project: ResidentProject;
let resident: number;
beforeAll(() => {
  project = new ResidentProject();
  resident = project.serve();
  mkdirSync(join(project.root, 'other'));
  writeFileSync(join(project.root, 'ca.pem'), '');
});
afterAll(() => project[Symbol.dispose]());

describe('a caller that differs from the supervisor runs without it, with the same result', () => {
  const rows: readonly { readonly what: string; readonly through: string; readonly root?: 'root' }[] = [
    { what: 'no new privileges', through: 'setpriv --no-new-privs' },
    { what: 'fewer capabilities', through: 'setpriv --bounding-set -sys_rawio', root: 'root' },
    { what: 'fewer inheritable capabilities', through: 'setpriv --inh-caps +sys_chroot', root: 'root' },
    { what: 'another group', through: 'setpriv --regid 1 --clear-groups', root: 'root' },
    { what: 'more groups', through: 'setpriv --groups 0,12345', root: 'root' },
    { what: 'another network', through: 'unshare -n', root: 'root' },
    { what: 'other mounts', through: 'unshare -m', root: 'root' },
    { what: 'other processes', through: 'unshare -pf --mount-proc', root: 'root' },
    { what: 'another name of the machine', through: 'unshare -u', root: 'root' },
    { what: 'other shared memory', through: 'unshare -i', root: 'root' },
    { what: 'other control groups', through: 'unshare -C', root: 'root' },
    { what: 'another user namespace', through: 'unshare -Ur' },
    { what: 'another time', through: 'unshare -T', root: 'root' },
    { what: 'another home', through: 'env HOME="$HOME/../other" XDG_STATE_HOME="$HOME/.local/state"' },
    { what: 'other options of Node', through: 'env NODE_OPTIONS="$NODE_OPTIONS --no-warnings"' },
    { what: 'more certificates', through: 'env NODE_EXTRA_CA_CERTS="$HOME/../ca.pem"' },
    { what: 'no check of certificates', through: 'env NODE_TLS_REJECT_UNAUTHORIZED=0' },
    { what: 'other certificates', through: 'env SSL_CERT_FILE="$HOME/../ca.pem"' },
    { what: 'another OpenSSL', through: 'env OPENSSL_CONF=/dev/null' },
    { what: 'another time zone', through: 'env TZ=Asia/Tokyo' },
    { what: 'a wish for none', through: 'env HOLDFAST_RESIDENT=never' },
  ];

  test.each(rows.filter(({ root }) => root === undefined || isRoot))('$what', ({ through }) => {
    const before = project.starts.filter(isCommand).length;
    const shown = (environment: NodeJS.ProcessEnv): object => {
      const { status, stdout, stderr } = project.script(
        `${through} "$H" run -- sh -c 'echo out; grep -E "Uid|Gid|NoNewPrivs" /proc/self/status; exit 3'`,
        { environment },
      );
      return { status, stdout: masked(stdout), stderr: masked(stderr) };
    };
    const own = shown({});
    expect(project.starts.filter(isCommand).length - before).toBe(1);
    expect(own).toEqual(shown({ HOLDFAST_RESIDENT: 'never' }));
    expect(isRunning(resident)).toBe(true);
  });

  test('an equal caller uses it', () => {
    expect(project.counted(['run', '--', 'true']).nodes).toBe(0);
    expect(
      project.counted(['run', '--', 'true'], {
        environment: { LANG: 'de_DE', LC_ALL: 'C', PATH: `/nonexistent:${process.env['PATH'] ?? ''}`, ANY: 'x' },
      }).nodes,
    ).toBe(0);
  });
});

function connect(): Promise<Socket> {
  const socket = createConnection(
    join(project.runtime, project.sockets.find((name) => name.startsWith('front-')) ?? ''),
  );
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.once('data', () => resolve(socket)).once('close', () => resolve(socket)));
}

const answersStill = (): void => {
  expect(project.counted(['run', '--', 'sh', '-c', 'exit 4'])).toMatchObject({
    nodes: 0,
    result: { status: 4, stderr: '' },
  });
  expect(project.residents).toEqual([resident]);
};

const ownVariables = (): readonly string[] =>
  Object.entries(project.environment).map(([name, value]) => `${name}=${value}`);

/** As native/src/front/request.c writes it. */
function question({
  cwd = '/',
  words = ['run', '--', 'true'],
  variables = [] as readonly string[],
  terminals = 0,
}): Buffer {
  const payload = Buffer.concat([
    Buffer.alloc(12),
    Buffer.from([cwd, ...words, ...variables].map((text) => `${text}\0`).join('')),
  ]);
  [terminals, words.length, variables.length].forEach((number, index) => payload.writeUInt32LE(number, index * 4));
  const head = Buffer.from('HFQ1\0\0\0\0', 'latin1');
  head.writeUInt32LE(payload.length, 4);
  return Buffer.concat([head, payload]);
}

describe('a client that is not a front', () => {
  /** The supervisor's answer, to the end of the stream. */
  const told = async (bytes: Buffer): Promise<string> => {
    const socket = await connect();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')));
    socket.write(bytes);
    await new Promise((resolve) => socket.once('close', resolve).once('end', resolve));
    return text;
  };
  const sent = 'c\0\0\0\0';

  const rows: readonly (readonly [string, () => Buffer])[] = [
    ['rubbish', () => Buffer.alloc(1000, 0xff)],
    ['another magic', () => Buffer.concat([Buffer.from('HFQ2'), asked({}).subarray(4)])],
    [
      'nine megabytes',
      () => Buffer.concat([Buffer.from('HFQ1', 'latin1'), Buffer.from([0, 0, 0x90, 0]), Buffer.alloc(9 << 20)]),
    ],
    ['more than its question', () => Buffer.concat([asked({}), Buffer.from('more')])],
    ['counts that are wrong', () => asked({}).fill(0xff, 12, 16)],
    [
      'words that are no UTF-8',
      () => Buffer.from(asked({ words: ['run', '--', 'true', '\u0007'] }).map((byte) => (byte === 7 ? 0xff : byte))),
    ],
    ['an invalid place', () => asked({ cwd: 'here' })],
    ['terminals that there are not', () => asked({ terminals: 9 })],
    ['another home', () => asked({ variables: ['HOME=/nonexistent'] })],
    ['no variables', () => question({ cwd: project.workspace })],
  ];
  const asked = (parts: Parameters<typeof question>[0]): Buffer =>
    question({ cwd: project.workspace, variables: ownVariables(), ...parts });

  test.each(rows)('that sends %s is rejected, and others are served', async (_, bytes) => {
    expect(await told(bytes())).toBe(sent);
    answersStill();
  });

  test('that speaks like a front gets a box', async () => {
    const socket = await connect();
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1'))).write(asked({}));
    await expect.poll(() => text.slice(0, 5)).toBe('b\0\0\0\0');
    socket.destroy();
    answersStill();
  });

  // Reports of native/src/launch/report/report.c: valid ones, and others that no launcher sends.
  const frame = (kind: number, payload: Buffer | string): Buffer => {
    const bytes = Buffer.alloc(5);
    bytes.writeUInt32LE(payload.length + 1);
    bytes[4] = kind;
    return Buffer.concat([bytes, Buffer.from(payload)]);
  };
  const handle = (descriptor: number, text: string): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(descriptor);
    return frame(12, Buffer.concat([bytes, Buffer.from(text)]));
  };
  test.each<readonly [string, Buffer]>([
    ['rubbish', Buffer.alloc(5000, 0xee)],
    ['a report that there is not', frame(200, 'x')],
    ['a report that is too short', frame(3, 'x')],
    ['an unknown failure', frame(2, 'x')],
    ['a handle that is not JSON', handle(7, '{')],
    ['a handle that is null', handle(7, 'null')],
    ['a handle without a descriptor', handle(0xffffffff, '{"listener":"tcp"}')],
    ['a handle of a descriptor that there is not', handle(99_999, '{"listener":"tcp"}')],
    ['a handle of a non-socket', handle(0, '{"type":"dgram.Socket","msg":{"listener":"dns"}}')],
    ['a handle of no listener', handle(1, '{"listener":"tcp"}')],
    ['a forward that there is not', handle(0xffffffff, '{"forward":77}')],
    ['a reach that there is not', handle(0xffffffff, '{"reach":"everything"}')],
    ['a listener of no filter', frame(9, Buffer.from([7, 0, 0, 0]))],
    ['an end before its beginning', frame(3, Buffer.alloc(8))],
  ])('that gets a box and sends %s ends its own run, and no other', async (_, bytes) => {
    const other = await project
      .begin(['run', '--host', 'example.org', '--', 'sh', '-c', 'echo ready; cat'])
      .said('ready');
    for (const flags of [[], ['--host', 'example.org', '--forward', '8080']]) {
      const socket = await connect();
      let text = '';
      socket
        .on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
        .write(asked({ words: ['run', ...flags, '--', 'true'] }));
      await expect.poll(() => text.slice(0, 5)).toBe('b\0\0\0\0');
      socket.write(bytes);
      await new Promise((resolve) => setTimeout(resolve, 150));
      socket.destroy();
    }
    expect(isRunning(other.pid)).toBe(true);
    other.process.stdin?.end();
    expect(await other.ended).toEqual({ status: 0, signal: null });
    answersStill();
  });

  test('that stalls within a question, or leaves, delays no one', async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, connect));
    for (const socket of sockets.slice(0, 10)) socket.write(question({}).subarray(0, 30));
    for (const socket of sockets.slice(10)) socket.end(question({}).subarray(0, 5));
    answersStill();
  });

  test('a thousand silent clients', async () => {
    await Promise.all(Array.from({ length: 1000 }, connect));
    const [one, other] = [
      project.counted(['run', '--host', 'example.org', '--', 'sh', '-c', 'exit 4']),
      project.counted(['run', '--', 'sh', '-c', 'exit 4']),
    ];
    for (const { result } of [one, other])
      expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 4, stderr: '' });
    expect(isRunning(resident)).toBe(true);
  });

  test('a front that leaves at any moment of its run affects no other', async () => {
    const variables = ownVariables();
    for (let wait = 0; wait < 20; wait += 1) {
      const socket = await connect();
      socket.write(
        question({
          cwd: project.workspace,
          words: ['run', '--host', 'example.org', '--', 'touch', 'began'],
          variables,
        }),
      );
      await new Promise((resolve) => setTimeout(resolve, wait));
      socket.destroy();
    }
    answersStill();
    expect(spawnSync('ls', ['began'], { cwd: project.workspace }).status).not.toBe(0);
  });
});
