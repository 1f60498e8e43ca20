import { readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claudeCall, HookedProject, program } from '../lib/hooked.ts';
import { RawClient } from '../lib/served.ts';

const identity = (path: string): string => {
  const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${dev}:${ino}:${size}:${mtimeNs / 1_000_000_000n}.${mtimeNs % 1_000_000_000n}`;
};
const root = statSync('/', { bigint: true });

// The question of native/src/hook, byte for byte, and the errors in other ones.
describe('a question to the server', () => {
  let project: HookedProject;
  let ours: readonly string[];
  let call: string;
  beforeAll(() => {
    project = HookedProject.serve();
    ours = [
      ...program,
      identity(program[0]),
      identity(program[1]),
      `${root.dev}:${root.ino}`,
      readlinkSync('/proc/self/ns/mnt'),
      `HOME=${project.home}`,
      `PWD=${project.workspace}`,
    ];
    call = JSON.stringify(claudeCall(project.workspace, 'Bash', { command: 'rm -rf ~' }));
  });
  afterAll(() => project[Symbol.dispose]());

  const question = (texts: readonly string[], text = call): Buffer =>
    Buffer.from(`${texts.map((each) => `${each}\0`).join('')}\0${text}`);
  const instead = (at: number, text: string): readonly string[] =>
    ours.map((each, index) => (index === at ? text : each));

  /** The answer: the code of an error, or the status. */
  async function answered(bytes: Buffer, request: object = { kind: 'decide', agent: 'claude' }): Promise<unknown> {
    const raw = new RawClient(join(project.runtime, 'serve.sock')).hello().say(1, request);
    for (let at = 0; at < bytes.length; at += 60_000)
      raw.send({ type: 'stdin', channel: 1, payload: bytes.subarray(at, at + 60_000) });
    raw.send({ type: 'end', channel: 1, payload: Buffer.alloc(0) });
    await expect.poll(() => raw.said(1).length, { timeout: 20_000 }).toBe(1);
    const [{ kind, error, result } = {}] = raw.said(1) as readonly {
      readonly kind?: string;
      readonly error?: { readonly code: string; readonly message: string; readonly remedy: string };
      readonly result?: object;
    }[];
    const printed = raw.frames.filter(({ type }) => type === 'stdout' || type === 'stderr');
    raw.socket.destroy();
    if (kind === 'result') return result;
    // One line with the reason, and no part of a decision beside it.
    expect(error).toMatchObject({
      message: expect.stringMatching(/^[^\n]{5,300}$/u),
      remedy: expect.stringMatching(/^[^\n]{5,300}$/u),
    });
    expect(printed).toEqual([]);
    return error?.code;
  }

  const stillAnswers = (): void =>
    expect(project.hook('claude', claudeCall(project.workspace, 'Bash', { command: 'ls' }))).toMatchObject({
      by: 'server',
      status: 0,
    });

  test('gets an answer, even without a call of an agent in it', async () => {
    expect(await answered(question(ours))).toEqual({ status: expect.any(Number) });
    expect(await answered(question(ours, ''))).toEqual({ status: 2 });
  });

  test('from another place does not count for this server', async () => {
    const [node, script] = [ours[2] ?? '', ours[3] ?? ''];
    const others = [
      instead(2, script),
      instead(3, node),
      instead(2, ''.padEnd(3000, '1')),
      instead(3, node.replace(/\.\d+$/u, '.0')),
      instead(4, '0:0'),
      instead(5, 'mnt:[1]'),
      instead(5, 'unknown'),
      instead(6, `HOME=${project.root}`),
      instead(6, `HOME=${project.home}/`),
      instead(6, 'OTHER=1'),
      [...ours.slice(0, 6), `HOME=${project.root}`, ours[6] ?? ''],
    ];
    expect(await Promise.all(others.map((texts) => answered(question(texts))))).toEqual(
      others.map(() => 'HF_SERVE_ABSENT'),
    );
    stillAnswers();
  });

  test('that is malformed is refused, and the server continues', async () => {
    const whole = question(ours);
    const header = whole.length - Buffer.byteLength(call);
    const cuts = [0, 1, 20, Math.floor(header / 2), header - 2, header - 1].map((end) => whole.subarray(0, end));
    const broken = [
      ...cuts,
      question(ours.slice(0, 5)),
      question([...ours, 'NAME']),
      question([...ours, '=x']),
      Buffer.concat([question(ours, ''), Buffer.from([0xff])]),
      Buffer.alloc(1000),
      Buffer.alloc(100_000, 0x41),
    ];
    expect(await Promise.all(broken.map((bytes) => answered(bytes)))).toEqual(broken.map(() => 'HF_SERVE_PROTOCOL'));
    stillAnswers();
  });

  test('that is longer than the limit is refused at once', async () => {
    expect(await answered(question([...ours, `A=${'x'.repeat(190_000)}`, `B=${'x'.repeat(10_000)}`]))).toBe(
      'HF_SERVE_LIMIT',
    );
    expect(await answered(question(ours, 'x'.repeat(196_609)))).toBe('HF_SERVE_LIMIT');
    stillAnswers();
  });

  test.each([
    ['another agent', { kind: 'decide', agent: 'cursor' }],
    ['a word of prototypes', { kind: 'decide', agent: 'constructor' }],
    ['no agent', { kind: 'decide' }],
    ['more than is asked for', { kind: 'decide', agent: 'claude', status: 0 }],
    ['a list of agents', { kind: 'decide', agent: ['claude'] }],
  ])('of %s is refused', async (_what, request) => {
    expect(await answered(question(ours), request)).toBe('HF_USAGE');
    stillAnswers();
  });

  test('whose client leaves early delays no one', async () => {
    const left = Array.from({ length: 20 }, () =>
      new RawClient(join(project.runtime, 'serve.sock'))
        .hello()
        .say(1, { kind: 'decide', agent: 'claude' })
        .send({ type: 'stdin', channel: 1, payload: question(ours).subarray(0, 50) }),
    );
    await expect.poll(() => left.every((raw) => raw.said(0).length === 1)).toBe(true);
    stillAnswers();
    for (const raw of left) raw.socket.destroy();
    stillAnswers();
  });
});
