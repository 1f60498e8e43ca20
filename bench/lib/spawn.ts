import { spawn, type SpawnOptions } from 'node:child_process';

/** Runs a command to its end and returns its output. Rejects with that output if it does not exit with 0. */
export function runCommand([program, ...args]: readonly string[], options: SpawnOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program as string, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const said = { stdout: '', stderr: '' };
    child.stdout?.on('data', (data) => (said.stdout += String(data)));
    child.stderr?.on('data', (data) => (said.stderr += String(data)));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(said.stdout);
      else reject(new Error(`${[program, ...args].join(' ')} ended with ${code ?? signal}: ${said.stderr.trim()}`));
    });
  });
}
