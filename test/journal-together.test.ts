import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { appendEvents, readEvents, verifyJournal } from '../src/audit/index.ts';
import { endEvent, startEvent } from '../src/audit/testing/events.ts';
import { Project } from './lib/holdfast.ts';

const supervisors = 6;
let project: Project;

afterEach(() => project[Symbol.dispose]());

describe('one state directory', () => {
  test('takes the first events of several supervisors at once, and each continues beside the others', {
    timeout: 120_000,
  }, async () => {
    project = new Project();
    const children = Array.from({ length: supervisors }, () =>
      project.start(['run', '--', 'sh', '-c', 'sleep 0.3; cat /etc/shadow; exit 7']),
    );
    const codes = await Promise.all(children.map(async (child) => ((await once(child, 'exit')) as [number])[0]));
    expect(codes).toEqual(children.map(() => 7));
    const journal = join(project.state, 'journal.jsonl');
    expect((await verifyJournal(journal)).problems).toEqual([]);
    const ended = readEvents(journal).flatMap((entry) => (entry.type === 'session.end' ? [entry.session] : []));
    expect(new Set(ended).size).toBe(supervisors);
    expect(
      readdirSync(project.state)
        .filter((name) => /^(?:journal|audit)/u.test(name))
        .toSorted(),
    ).toEqual(['audit.key', 'journal.head', 'journal.jsonl']);
  });

  test('with a truncated journal starts no box, gives the reason in one line, and gets a new journal by repair', {
    timeout: 60_000,
  }, () => {
    project = new Project();
    expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
    const journal = join(project.state, 'journal.jsonl');
    writeFileSync(journal, `${readFileSync(journal, 'utf8').split('\n')[0]}\n`);
    const refused = project.holdfast(['run', '--', 'touch', 'made']);
    expect(refused.status).toBe(125);
    expect(existsSync(join(project.workspace, 'made'))).toBe(false);
    expect(refused.stderr).toMatch(
      /^holdfast: the journal \S+ cannot be used: entries 2 to 2 are gone from its end\b.*\[HF_JOURNAL_FAILED\]\n$/su,
    );
    expect(project.holdfast(['audit', 'repair']).status).toBe(0);
    expect(project.holdfast(['run', '--', 'true']).status).toBe(0);
    expect(project.holdfast(['audit', 'verify']).status).toBe(0);
  });

  test('is never visible in a box', { timeout: 60_000 }, () => {
    project = new Project();
    project.holdfast(['run', '--', 'true']);
    const { stdout } = project.inside(
      `cat ${project.state}/audit.key ${project.state}/journal.head ${project.state}/journal.jsonl; ls -A ${project.state}; echo looked`,
    );
    expect(stdout).toBe('looked\n');
  });
});

test('the built command verifies a large journal with its threads, in pieces', { timeout: 60_000 }, () => {
  project = new Project();
  const journal = join(project.state, 'journal.jsonl');
  appendEvents(
    journal,
    Array.from({ length: 60_000 }, (_, index) =>
      index % 2 === 0 ? startEvent(`s-${index}`) : endEvent(`s-${index - 1}`),
    ),
  );
  const { status, stdout } = project.holdfast(['audit', 'verify']);
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('60000 entries') as string });
});
