import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Consumer } from './lib/consumer.ts';

const program = `
import { HoldfastError, isHoldfastError, Sandbox, type CommandResult, type HoldfastErrorCode, type Refusal } from 'holdfast';

await using sandbox: Sandbox = await Sandbox.create({ workspace: process.cwd(), grants: { environment: ['STAGE'] }, environment: { ...process.env, STAGE: 'test' } });
const result: CommandResult = await sandbox.commands.run(['sh', '-c', 'echo "$STAGE"; cat .env; exit 3']);
const refusals: readonly Refusal[] = result.refusals;
const exitCode: number = result.exitCode;
try {
  await sandbox.commands.run(['no-such-program']);
} catch (error) {
  if (!isHoldfastError(error)) throw error;
  const code: HoldfastErrorCode = error.code;
  const stdout: string = result.stdout.toString();
  console.log(JSON.stringify({ exitCode, stdout, refused: refusals.map(({ verdict }) => verdict.code), code, isError: error instanceof HoldfastError }));
}
`;

/** Each has one mistake that the declarations have to report. */
const mistakes = [
  "import { Sandbox } from 'holdfast'; await Sandbox.create({ workspce: '/x' });",
  "import { Sandbox } from 'holdfast'; await Sandbox.create({ backend: 'docker' });",
  "import { Sandbox } from 'holdfast'; const s = await Sandbox.create(); await s.commands.run('ls');",
  "import { Sandbox } from 'holdfast'; const s = await Sandbox.create(); (await s.commands.run([])).exitCode.length;",
  "import { Sandbox } from 'holdfast'; new Sandbox();",
  "import { decide } from 'holdfast';",
  "import 'holdfast/dist/index.js';",
];

describe('the package as published, installed in another project', { timeout: 120_000 }, () => {
  let consumer: Consumer;
  beforeAll(() => {
    consumer = new Consumer();
  }, 120_000);
  afterAll(() => consumer[Symbol.dispose]());

  test('a program with it type-checks, with its declarations', () => {
    writeFileSync(join(consumer.path, 'program.ts'), program);
    const { status, stdout } = consumer.types();
    expect(status, stdout).toBe(0);
  });

  test('the program runs', () => {
    writeFileSync(join(consumer.path, 'program.ts'), program);
    writeFileSync(join(consumer.path, '.env'), 'KEY=secret');
    const { status, stdout, stderr } = consumer.node('program.ts');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      exitCode: 3,
      stdout: 'test\n',
      refused: ['hidden-file'],
      code: 'HF_COMMAND_NOT_FOUND',
      isError: true,
    });
  });

  describe('programs with one mistake each', () => {
    const nameOf = (index: number): string => `mistake-${index}.ts`;
    let told: { readonly status: number | null; readonly lines: readonly string[] };
    beforeAll(() => {
      for (const [index, text] of mistakes.entries())
        writeFileSync(join(consumer.path, nameOf(index)), `${text}\nexport {};\n`);
      const { status, stdout } = consumer.types();
      for (const index of mistakes.keys()) rmSync(join(consumer.path, nameOf(index)));
      told = { status, lines: stdout.split('\n') };
    }, 120_000);

    test.each(mistakes.map((text, index) => [text, index] as const))('%s does not compile', (_text, index) => {
      expect(told.lines).toContainEqual(
        expect.stringMatching(new RegExp(`^mistake-${index}\\.ts\\(1,\\d+\\): error TS`, 'u')),
      );
      expect(told.status).not.toBe(0);
    });
  });

  test('its command line works', () => {
    expect(consumer.holdfast('run', '--', 'echo', 'inside')).toMatchObject({
      status: 0,
      stdout: 'inside\n',
      stderr: '',
    });
    expect(consumer.holdfast('policy', 'check')).toMatchObject({ status: 0, stderr: '' });
    expect(consumer.holdfast('why', '--path', '/srv', '--access', 'read')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^deny read \/srv\n/u),
    });
  });

  test('holds its required files and no development file', () => {
    const has = (path: string): boolean => existsSync(join(consumer.path, 'node_modules/holdfast', path));
    for (const path of [
      'LICENSE',
      'README.md',
      'docs/policy.schema.json',
      'native/src/launch/main.c',
      'dist/index.d.ts',
    ])
      expect(has(path), path).toBe(true);
    for (const path of ['src', 'test', 'attacks', 'scripts', 'node_modules', 'dist/types/cli', '.ci'])
      expect(has(path), path).toBe(false);
  });
});
