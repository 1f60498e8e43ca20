import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { readEvents } from '../../src/audit/index.ts';
import { Sandbox } from '../../src/sandbox/index.ts';
import { Project } from '../lib/holdfast.ts';
import { type Answer, startModelServer } from '../lib/model-server/index.ts';

const usage = { uncachedInput: 40, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 10, reasoning: 0 };
const answer: Answer = { kind: 'model', parts: [{ kind: 'text', pieces: ['yes'] }], usage };
const program = `
const answer = await fetch(process.argv[1], { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ model: 'a', max_tokens: 1, messages: [{ role: 'user', content: 'go' }] }) });
await answer.text();
console.log(answer.status, answer.headers.get('holdfast-refusal'));`;

test('two concurrent sessions each see the other’s spending', async () => {
  using project = new Project();
  await using server = await startModelServer({
    dialect: 'anthropic',
    script: Array.from({ length: 9 }, () => answer),
  });
  const host = `localhost:${server.port}`;
  project.write(
    '../home/.config/holdfast/policy.toml',
    `version = 1\n[network]\nhosts = ["${host}"]\n[[llm.servers]]\nname = "own"\nhosts = ["${host}"]\nstyle = "anthropic"\n[[llm.budgets]]\nname = "a-day"\nlimit = "150 tokens"\nover = "day"\n`,
  );
  const environment = {
    ...project.environment,
    XDG_CONFIG_HOME: join(project.home, '.config'),
    XDG_STATE_HOME: join(project.home, '.local/state'),
  };
  await using first = await Sandbox.create({ workspace: project.workspace, environment });
  await using second = await Sandbox.create({ workspace: project.workspace, environment });
  const call = async (sandbox: Sandbox): Promise<string> => {
    const { stdout, stderr } = await sandbox.commands.run([
      process.execPath,
      '--input-type=module',
      '-e',
      program,
      `http://${host}/v1/messages`,
    ]);
    return stdout.toString().trim() || stderr.toString();
  };
  // Each has read the journal by then.
  expect([await call(first), await call(second)]).toEqual(['200 null', '200 null']);
  expect(await call(first)).toBe('200 null');
  expect([await call(second), await call(first)]).toEqual(['403 budget-spent', '403 budget-spent']);
  expect(server.requests).toHaveLength(3);
  const told = readEvents(join(project.home, '.local/state/holdfast/journal.jsonl')).flatMap((event) =>
    event.type === 'model' && event.refusal !== undefined ? [event.refusal.message] : [],
  );
  expect(told).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining('150 tokens of 150 tokens today (UTC)')),
  );
});
