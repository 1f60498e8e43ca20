import { join } from 'node:path';
import { runCommand } from '../lib/spawn.ts';

/**
 * Paths of the programs at both ends of every connection. They are in C, so that most of the measured time is between
 * them.
 */
export interface Programs {
  readonly client: string;
  readonly serve: string;
}

/** Compiles both into `directory`. Rejects with a remedy if there is no C compiler, or no OpenSSL. */
export async function compilePrograms(directory: string): Promise<Programs> {
  const [client, serve] = await Promise.all(['client', 'serve'].map((name) => compile(name, directory)));
  return { client: client as string, serve: serve as string };
}

async function compile(name: string, directory: string): Promise<string> {
  const program = join(directory, name);
  const source = join(import.meta.dirname, 'native', `${name}.c`);
  try {
    await runCommand([
      'cc',
      '-O2',
      '-Wall',
      '-Wextra',
      '-Werror',
      '-o',
      program,
      source,
      '-lssl',
      '-lcrypto',
      '-lpthread',
    ]);
  } catch (error) {
    throw new Error('the bench needs a C compiler and the headers of OpenSSL 3 (Debian: gcc libssl-dev)', {
      cause: error,
    });
  }
  return program;
}
