import { readdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureError } from './failures.ts';

const { ENOENT, ENOSYS, EACCES, EINVAL, EPERM, ENOEXEC, ENOTDIR, ESTALE } = constants.errno;
const native = join(import.meta.dirname, '../../native/src/launch');

describe('failureError', () => {
  test.each([
    [ENOENT, 'HF_COMMAND_NOT_FOUND', '--read'],
    [ENOTDIR, 'HF_COMMAND_NOT_FOUND', '--read'],
    [EACCES, 'HF_COMMAND_NOT_EXECUTABLE', 'executable'],
    [ENOEXEC, 'HF_COMMAND_NOT_EXECUTABLE', 'interpreter'],
  ])('a command whose exec gives %i is %s', (errno, code, remedy) => {
    const error = failureError({ stage: 'exec', path: 'tool', errno }, 'tool');
    expect(error).toMatchObject({
      code,
      message: expect.stringContaining('tool'),
      remedy: expect.stringContaining(remedy),
    });
  });

  test.each([
    [{ stage: 'create namespaces', errno: EPERM }, 'HF_GUARANTEE_MISSING', 'user namespaces'],
    [{ stage: 'Landlock ABI', errno: ENOSYS }, 'HF_GUARANTEE_MISSING', 'lsm='],
    [{ stage: 'hold inherited file', errno: ENOSYS }, 'HF_GUARANTEE_MISSING', 'pipe'],
    [{ stage: 'enforce seccomp', errno: EPERM }, 'HF_GUARANTEE_MISSING', 'CONFIG_SECCOMP_FILTER'],
    [{ stage: 'source changed', errno: ESTALE }, 'HF_ROOT_CHANGED', 'replaced'],
    [{ stage: 'open root', errno: ENOENT }, 'HF_ROOT_CHANGED', 'replaced'],
    [{ stage: 'enter working directory', errno: ENOENT }, 'HF_WORKSPACE_MISSING', '--read'],
    [{ stage: 'keep changes private', errno: EINVAL }, 'HF_GUARANTEE_MISSING', 'findmnt'],
    [{ stage: 'set control group', errno: EACCES }, 'HF_GUARANTEE_MISSING', 'doctor'],
    [{ stage: 'launcher killed', errno: 0 }, 'HF_LAUNCHER_FAILED', 'again'],
    [{ stage: 'run the virtual machine', errno: 0 }, 'HF_LAUNCHER_FAILED', 'microvm build'],
    [{ stage: 'start gVisor', errno: 0 }, 'HF_LAUNCHER_FAILED', 'runsc'],
    [{ stage: 'keep descriptors back', errno: ENOSYS }, 'HF_GUARANTEE_MISSING', 'close_range'],
    [{ stage: 'a step nobody knows', errno: EPERM }, 'HF_LAUNCHER_FAILED', 'doctor'],
  ])('%o is described by its path, its errno and the remedy', (failure, code, remedy) => {
    const error = failureError({ ...failure, path: '/some/where' }, 'tool');
    expect(error).toMatchObject({
      code,
      remedy: expect.stringContaining(remedy),
      details: { stage: failure.stage, path: '/some/where' },
    });
    expect(error.message).not.toContain('undefined');
  });

  test('every known step is one that the launcher reports', () => {
    const source = readdirSync(native, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.c'))
      .map((name) => readFileSync(join(native, name), 'utf8'))
      .join('\n');
    const known = [
      ...readFileSync(join(import.meta.dirname, 'failures.ts'), 'utf8').matchAll(/stages: \[(.*?)\]/gu),
    ].flatMap(([, list = '']) => [...list.matchAll(/'([^']+)'/gu)].map(([, stage]) => stage ?? ''));
    expect(known.length).toBeGreaterThan(10);
    expect(
      known.filter(
        (stage) =>
          !['launcher killed', 'run the virtual machine', 'start gVisor'].includes(stage) &&
          !source.includes(`"${stage}"`),
      ),
    ).toEqual([]);
  });
});
