import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { appendEvents } from '../../audit/index.ts';
import { endEvent, startEvent } from '../../audit/testing/events.ts';
import { auditCommand } from './index.ts';
import { scene } from '../testing/run.ts';

describe('holdfast audit verify', () => {
  test('ends with 0 for a whole journal, and for none', async () => {
    const { journal, run } = scene();
    expect(await run(auditCommand, 'verify')).toEqual({
      status: 0,
      stdout: `${journal}: 0 entries, the chain is whole\n`,
      stderr: '',
    });
    appendEvents(journal, [startEvent('a'), endEvent('a')]);
    expect(await run(auditCommand, 'verify')).toEqual({
      status: 0,
      stdout: `${journal}: 2 entries, the chain is whole\n`,
      stderr: '',
    });
  });

  test('ends with 1 and names the line of every problem', async () => {
    const { journal, run } = scene();
    appendEvents(journal, [startEvent('a'), endEvent('a')]);
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('"exitCode":0', '"exitCode":1'));
    appendFileSync(journal, 'garbage\n');
    const { status, stdout } = await run(auditCommand, 'verify');
    expect(status).toBe(1);
    expect(stdout).toBe(
      `${journal}:2: the entry was changed after it was written\n${journal}:3: this line is not a journal entry\n`,
    );
    expect(JSON.parse((await run(auditCommand, 'verify', '--json')).stdout)).toMatchObject({
      journal,
      entries: 3,
      problems: [{ line: 2 }, { line: 3 }],
    });
  });
});

describe('holdfast audit show', () => {
  test('prints one event a line', async () => {
    const { journal, run } = scene();
    appendEvents(journal, [startEvent('a'), endEvent('a')]);
    const { status, stdout } = await run(auditCommand, 'show');
    expect(status).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { type: string }).type),
    ).toEqual(['session.start', 'session.end']);
  });

  test('skips lines that are not events', async () => {
    const { journal, run } = scene();
    appendEvents(journal, [startEvent('a')]);
    appendFileSync(journal, `{broken,"hash":"${'0'.repeat(64)}"}\n`);
    expect((await run(auditCommand, 'show')).stdout.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('anything else is a usage error', () => {
  test.each([[['constructor']], [['toString']], [['Verify']], [['verify', 'show']]])('%j', async (argv) => {
    expect(await scene().run(auditCommand, ...argv)).toMatchObject({
      status: 125,
      stdout: '',
      stderr: expect.stringContaining('[HF_USAGE]'),
    });
  });
});
