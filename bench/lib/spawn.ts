import { spawn, type SpawnOptions } from 'node:child_process';

/** Runs a command to its end, its output thrown away. Rejects, with what it said, when it does not exit with 0. */
export function runCommand([program, ...args]: readonly string[], options: SpawnOptions = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program as string, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr?.on('data', (data) => (said += String(data)));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${[program, ...args].join(' ')} ended with ${code ?? signal}: ${said.trim()}`));
    });
  });
}
