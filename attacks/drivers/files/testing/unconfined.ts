import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { Files } from '../../../../src/files/index.ts';

/** The real worker of `sandbox.files`, without a box around it: the worker itself must not stop an attack. */
export function unconfinedFiles(cwd: string): Files {
  const program = resolve(import.meta.dirname, '../../../../native/build/holdfast-files');
  return new Files({
    cwd,
    source: {
      start: async () => {
        const child = spawn(program, { cwd, env: {}, stdio: ['pipe', 'pipe', 'inherit'] });
        const ended = new Promise<{ readonly exitCode: number; readonly said: string }>((settle) =>
          child.once('close', (code) => settle({ exitCode: code ?? -1, said: '' })),
        );
        return {
          stdin: child.stdin,
          stdout: child.stdout,
          ended,
          end: () => void child.kill('SIGKILL'),
          hold: (how) => child[how](),
        };
      },
    },
    narrow: () => Promise.reject(new Error('there is no boundary to narrow')),
  });
}
