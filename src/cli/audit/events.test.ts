import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { appendEvents, type JournalEvent } from '../../audit/index.ts';
import { endEvent, refusalEvent, startEvent } from '../../audit/testing/events.ts';
import { everyEvent } from '../../audit/testing/every-event.ts';
import { hostileTexts } from '../../audit/testing/hostile-texts.ts';
import { startReceiver } from '../../audit/otlp/testing/receiver.ts';
import { scene, type Scene } from '../testing/run.ts';
import { auditCommand } from './index.ts';
import { tail } from './tail.ts';

function sceneWith(
  events: readonly JournalEvent[],
): Scene & { readonly audit: (...argv: readonly string[]) => ReturnType<Scene['run']> } {
  const made = scene();
  appendEvents(made.journal, events);
  return { ...made, audit: (...argv) => made.run(auditCommand, ...argv) };
}

const two = [
  startEvent('first'),
  refusalEvent('first'),
  endEvent('first'),
  startEvent('second', ['git', 'push']),
  endEvent('second'),
];
const linesOf = (text: string): readonly string[] => text.split('\n').slice(0, -1);
const secret = 'EXAMPLE-canary-of-a-header';

describe('query', () => {
  test('prints one line per event: time, session, type and description', async () => {
    const { audit } = sceneWith(two);
    const { status, stdout, stderr } = await audit('query', '--type', 'refusal');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(
      /^\d{4}-\d\d-\d\dT[\d:.]+Z {2}first {5}refusal {2}read \/etc\/shadow: not granted \(files\.read\.default\); grant it\n$/u,
    );
  });

  test('as JSON gives the entries', async () => {
    const { audit } = sceneWith(two);
    const { stdout } = await audit('query', '--session', 'second', '--json');
    expect(linesOf(stdout).map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { type: 'session.start', argv: ['git', 'push'] },
      { type: 'session.end' },
    ]);
  });

  test('ends with 1 and says so without a match', async () => {
    const nothing = { status: 1, stdout: '', stderr: 'holdfast: no entry matches the filters\n' };
    expect(await sceneWith(two).audit('query', '--text', 'teapot')).toEqual(nothing);
    expect(await scene().run(auditCommand, 'query')).toEqual(nothing);
  });

  test('says that there are more than the limit', async () => {
    const { stdout, stderr } = await sceneWith(two).audit('query', '--limit', '2');
    expect(linesOf(stdout)).toHaveLength(2);
    expect(stderr).toBe('holdfast: these are the last 2: --limit shows more\n');
  });

  test.each(hostileTexts)('%j stays on its line, and moves no cursor', async (text) => {
    const events = everyEvent('s-1', text);
    for (const action of [['query'], ['tail', '--limit', '100']]) {
      const { stdout } = await sceneWith(events).audit(...action);
      expect(stdout).not.toMatch(
        /[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069\u200B\uFEFF\u2028\u{E0000}-\u{E007F}]|\p{Cs}/u,
      );
      for (const line of linesOf(stdout)) expect(line).toMatch(/^\d{4}-[^ ]+Z {2}\S/u);
    }
  });

  test('tells of broken lines and of later versions, and shows those as they are', async () => {
    const { audit, journal } = sceneWith(two);
    appendFileSync(journal, 'garbage\n');
    appendFileSync(
      journal,
      `{"v":9,"seq":7,"time":"2031-01-01T00:00:00.000Z","type":"refusal","session":"x","how":"\\u001b[2J","prev":"","mac":"${'0'.repeat(64)}"}\n`,
    );
    const { stdout, stderr } = await audit('query', '--session', 'x');
    expect(stdout).toBe(
      '2031-01-01T00:00:00.000Z  x         refusal  {"v":9,"type":"refusal","session":"x","how":"\\u001b[2J"}\n',
    );
    expect(stderr).toBe(
      'holdfast: 1 line of the journal is not an entry: `holdfast audit verify` names it\nholdfast: 1 entry is of a later version of Holdfast, and shown as JSON\n',
    );
  });

  test('says that it builds an index again', async () => {
    const { audit, journal } = sceneWith(two);
    const index = join(dirname(journal), 'journal.db');
    writeFileSync(index, 'garbage');
    expect((await audit('query', '--limit', '100')).stderr).toBe(
      `holdfast: the index was cut short: it is kept as ${index}.old, and a new one is built\n`,
    );
  });

  test('refuses a link where its index should be', async () => {
    const { audit, journal } = sceneWith(two);
    symlinkSync('/etc/passwd', join(dirname(journal), 'journal.db'));
    expect(await audit('query')).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining('[HF_INDEX_FAILED]'),
    });
  });
});

describe('tail', () => {
  test('prints the last ten, or as many as are asked for', async () => {
    const { audit } = sceneWith(Array.from({ length: 15 }, (_, index) => startEvent(`s-${index}`)));
    expect(linesOf((await audit('tail')).stdout)).toHaveLength(10);
    expect(linesOf((await audit('tail', '-n', '3')).stdout).map((line) => /s-\d+/u.exec(line)?.[0])).toEqual([
      's-12',
      's-13',
      's-14',
    ]);
  });

  test('with -f follows matching events through rotations, and misses none', async () => {
    const { journal, workspace } = sceneWith(two);
    let stdout = '';
    const io = {
      cwd: workspace,
      environment: {},
      stdout: { write: (text: string) => (stdout += text) },
      stderr: { write: () => true },
    };
    const ended = new AbortController();
    const tailing = tail(
      {
        values: { follow: true, session: 'live', json: true },
        positionals: ['tail'],
        rest: undefined,
        io,
        journal,
        words: [],
      },
      ended.signal,
    );
    for (let round = 0; round < 30; round += 1) {
      appendEvents(journal, [startEvent(`live-${round}`), startEvent('other')], { rotateAt: 4000 });
      if (round % 10 === 0) await sleep(20);
    }
    for (let waited = 0; linesOf(stdout).length < 30 && waited < 5000; waited += 20) await sleep(20);
    ended.abort();
    expect(await tailing).toBe(0);
    expect(linesOf(stdout).map((line) => (JSON.parse(line) as { session: string }).session)).toEqual(
      Array.from({ length: 30 }, (_, round) => `live-${round}`),
    );
    expect(existsSync(join(dirname(journal), 'journal-000002.jsonl'))).toBe(true);
  });
});

describe('report', () => {
  test('covers the last session, or the one named by the start of its ID', async () => {
    const { audit } = sceneWith(two);
    for (const argv of [[], ['--last'], ['sec']])
      expect((await audit('report', ...argv)).stdout).toMatch(
        /^# Session `second`\n[^]*\n- command: `git push \(native\)`\n/u,
      );
    expect((await audit('report', 'first')).stdout).toMatch(
      /\n## Refusals\n\n- `read \/etc\/shadow`\n[^]*\n {2}- to allow it: `grant it`\n/u,
    );
  });

  test('is one JSON value with --json or its format', async () => {
    const { audit } = sceneWith(two);
    for (const argv of [['--json'], ['--format', 'json'], ['--json', '--format', 'json']])
      expect(JSON.parse((await audit('report', 'first', ...argv)).stdout)).toMatchObject({
        session: 'first',
        sections: expect.arrayContaining([expect.objectContaining({ title: 'Refusals' })]),
      });
  });

  test.each([
    ['is not there', ['nobody'], 'no session has the ID'],
    ['may be several', ['s'], '2 sessions have the ID'],
    ['is named twice', ['s-1', '--last'], 'a session and --last cannot be combined'],
    ['has another form', ['--format', 'pdf'], 'expected md, html or json'],
    ['has a form that objects have', ['--format', 'constructor'], 'expected md, html or json'],
  ])('on a session that %s is a usage error', async (_name, argv, message) => {
    const { audit } = sceneWith([startEvent('s-1'), startEvent('s-2')]);
    expect(await audit('report', ...argv)).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  test('on an ID that begins another one covers that session', async () => {
    expect((await sceneWith([startEvent('s-1'), startEvent('s-10')]).audit('report', 's-1')).stdout).toMatch(
      /^# Session `s-1`\n/u,
    );
  });

  test('says whether the journal is whole', async () => {
    const { audit, journal } = sceneWith(two);
    expect((await audit('report')).stdout).toContain('- journal: `5 entries, the chain is whole`');
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"exitCode":0', '"exitCode":1'));
    expect((await audit('report')).stdout).toContain('- journal: `1 problem: see holdfast audit verify`');
  });

  test('goes to a file of its owner, and over a link instead of through it', async () => {
    const { audit, workspace } = sceneWith(two);
    writeFileSync(join(workspace, 'victim'), 'precious');
    symlinkSync('victim', join(workspace, 'report.html'));
    const { status, stdout, stderr } = await audit('report', '--format', 'html', '--output', 'report.html');
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: '',
      stderr: `holdfast: written to ${workspace}/report.html\n`,
    });
    expect(readFileSync(join(workspace, 'victim'), 'utf8')).toBe('precious');
    expect(readFileSync(join(workspace, 'report.html'), 'utf8')).toMatch(/^<!doctype html>[^]*<\/html>\n$/u);
    expect(statSync(join(workspace, 'report.html')).mode & 0o777).toBe(0o600);
  });

  test('to a file that cannot be written is a usage error, and leaves nothing', async () => {
    const { audit, workspace } = sceneWith(two);
    mkdirSync(join(workspace, 'taken'));
    expect(await audit('report', '--output', 'taken')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('cannot be written (EISDIR)'),
    });
    expect(await audit('report', '--output', 'no/such/place')).toMatchObject({
      status: 125,
      stderr: expect.stringContaining('(ENOENT)'),
    });
    expect(existsSync(join(workspace, `taken.${process.pid}.new`))).toBe(false);
  });
});

describe('export', () => {
  test('prints the matching events as JSON lines', async () => {
    const { audit } = sceneWith(two);
    for (const argv of [[], ['--json']]) expect(linesOf((await audit('export', ...argv)).stdout)).toHaveLength(5);
    expect(await audit('export', '--json', '--format', 'csv')).toMatchObject({ status: 125, stdout: '' });
    expect(
      linesOf((await audit('export', '--type', 'refusal')).stdout).map((line) => JSON.parse(line) as unknown),
    ).toMatchObject([{ type: 'refusal', session: 'first' }]);
  });

  test('gives CSV, in which no cell is a formula or ends early', async () => {
    const dangerous = startEvent('s', ['=cmd|"/c calc"!A1', 'a,b\r\nc']);
    const { audit } = sceneWith([
      { ...dangerous, session: '=1+1' },
      ...['@SUM(A1)', '\uFF1D1+1', '\uFF20A1'].map(
        (checkpoint) =>
          ({ type: 'checkpoint.create', workspace: '/w', checkpoint, name: '', entries: 0, bytes: 0 }) as const,
      ),
    ]);
    const { stdout } = await audit('export', '--format', 'csv');
    const rows = stdout.split('\r\n');
    expect(rows[0]).toBe('seq,time,session,type,decision,paths,hosts,what');
    expect(rows[1]).toMatch(
      /^1,[^,]+,'=1\+1,session\.start,,\/srv\/project,,"begins: =cmd\|""\/c calc""!A1 a,b\\u\{d\}\\u\{a\}c \(native\)"$/u,
    );
    expect(rows[2]).toMatch(/,"'@SUM\(A1\): 0 entries, 0 B"$/u);
    expect(rows[3]).toMatch(/,"'\uFF1D1\+1: 0 entries, 0 B"$/u);
    expect(rows[4]).toMatch(/,"'\uFF20A1: 0 entries, 0 B"$/u);
    expect(rows).toHaveLength(6);
  });

  test('goes to a collector, with headers of a file', async () => {
    const receiver = await startReceiver();
    const { audit, workspace } = sceneWith(two);
    writeFileSync(join(workspace, 'headers'), `# of the collector\n\nAuthorization: Bearer ${secret}\r\nX-A:  b \n`);
    const ended = await audit('export', '--otlp', receiver.url, '--headers-file', 'headers', '--header', 'X-C: d');
    expect(ended).toEqual({ status: 0, stdout: '5 events and 2 sessions exported\n', stderr: '' });
    expect(receiver.received[0]?.headers).toMatchObject({ authorization: `Bearer ${secret}`, 'x-a': 'b', 'x-c': 'd' });
  });

  test('to a collector that is not ready says once that it tries again', async () => {
    const receiver = await startReceiver({
      answer: (index, response) => void response.writeHead(index < 2 ? 503 : 200, { 'retry-after': '0' }).end(),
    });
    const { status, stderr } = await sceneWith(two).audit('export', '--otlp', receiver.url, '--timeout', '20s');
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: `holdfast: the collector at ${receiver.url}/v1/logs did not take the export: it answered 503; trying again for up to 20 s (--timeout)\n`,
    });
  });

  test('to a collector that refuses some ends with 1', async () => {
    const receiver = await startReceiver({
      answer: (_index, response) => void response.end('{"partialSuccess":{"rejectedLogRecords":"2"}}'),
    });
    expect(await sceneWith([refusalEvent('s')]).audit('export', '--otlp', receiver.url)).toMatchObject({
      status: 1,
      stderr: 'holdfast: the collector rejected 2 of them: its log says why\n',
    });
  });

  test.each([
    ['a header that is none', ['--otlp', 'http://127.0.0.1:1', '--header', secret]],
    ['a header of two lines', ['--otlp', 'http://127.0.0.1:1', '--header', `A: ${secret}\nB: c`]],
    ['a line that is no header', ['--otlp', 'http://127.0.0.1:1', '--headers-file', 'broken']],
    ['a file that is not there', ['--otlp', 'http://127.0.0.1:1', '--headers-file', 'missing']],
    ['a password in the URL', ['--otlp', `http://user:${secret}@127.0.0.1:1`]],
    ['a time that is none', ['--otlp', 'http://127.0.0.1:1', '--timeout', 'soon']],
    ['a header without a collector', ['--header', `A: ${secret}`]],
    ['a file and a collector', ['--otlp', 'http://127.0.0.1:1', '--output', 'x']],
    ['another form', ['--format', 'xml']],
  ])('with %s is a usage error that quotes no secret', async (_name, argv) => {
    const { audit, workspace } = sceneWith(two);
    writeFileSync(join(workspace, 'broken'), `A: b\n${secret}\n`);
    const { status, stdout, stderr } = await audit('export', ...argv);
    expect({ status, stdout }).toEqual({ status: 125, stdout: '' });
    expect(stderr).toContain('[HF_USAGE]');
    expect(stderr).not.toContain(secret);
  });
});

describe('repair', () => {
  test('leaves a whole journal alone', async () => {
    const { audit, journal } = sceneWith(two);
    expect(await audit('repair')).toEqual({ status: 0, stdout: `${journal} is whole: nothing was done\n`, stderr: '' });
  });

  test('keeps a broken one, begins another, and the index follows', async () => {
    const { audit, journal } = sceneWith(two);
    await audit('query');
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"exitCode":0', '"exitCode":1'));
    expect((await audit('repair')).stdout).toMatch(
      /^started a new journal; the damaged one is now .*journal-aside-.*\njournal\.jsonl:\d+: .*\n$/u,
    );
    expect(await audit('verify')).toMatchObject({ status: 0 });
    const { stdout, stderr } = await audit('query');
    expect(stdout).toContain('journal.begun');
    expect(stderr).toContain('was made of another journal');
  });
});

describe('an option of another action', () => {
  test.each([
    ['verify', '--since', '2h'],
    ['report', '--type', 'refusal'],
    ['query', '--follow'],
    ['tail', '--otlp', 'http://127.0.0.1:1'],
    ['show', '--limit', '3'],
    ['query', 'words'],
  ])('%s %s is a usage error', async (...argv) => {
    expect(await sceneWith(two).audit(...argv)).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
  });
});
