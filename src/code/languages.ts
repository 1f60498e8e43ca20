import { realpathSync } from 'node:fs';
import process from 'node:process';

export type CodeLanguage = 'javascript' | 'typescript' | 'python' | 'shell';

/** Describes how to run a language. */
export interface LanguagePreset {
  /** Programs to search for in the box, in this order. */
  readonly programs: readonly string[];
  /**
   * Arguments that make the program read the driver from stdin, so that neither driver nor code is among a process's
   * arguments.
   */
  readonly arguments: readonly string[];
  /** Files of `drivers/` that are joined into one text. */
  readonly driver: readonly string[];
  /** Format of requests: length and JSON, or texts that end with a NUL. */
  readonly requests: 'frames' | 'texts';
  /** Variables of the interpreter, in addition to those that the policy allows. */
  readonly environment: Readonly<Record<string, string>>;
  /** File name extension in traces. */
  readonly extension: string;
  /**
   * Ways to stop the running text but not the interpreter, tried one after the other. A `message` is for code that
   * waits, because only waiting code reads it.
   */
  readonly interruptions: readonly ('message' | 'signal')[];
  /** The remedy if none of the programs exist. */
  readonly remedy: string;
}

/** Holdfast's own Node is visible in every box, and supports TypeScript. A Node on the box's `PATH` may be older. */
const node: LanguagePreset = {
  programs: [realpathSync.native(process.execPath), 'node'],
  arguments: ['--disable-warning=ExperimentalWarning', '-e', nodeWords()],
  driver: ['imports.cjs', 'driver.cjs'],
  requests: 'frames',
  environment: {},
  extension: 'js',
  interruptions: ['message', 'signal'],
  remedy: 'install Node where boxes see it, or grant it with --read DIRECTORY',
};

export const languages: Readonly<Record<CodeLanguage, LanguagePreset>> = {
  javascript: node,
  typescript: { ...node, extension: 'ts' },
  python: {
    programs: ['python3', 'python'],
    arguments: [
      '-c',
      "import sys; sys.path[:1] = []; import os; requests = os.fdopen(os.dup(0), 'rb'); exec(compile(requests.read(int(requests.readline())), '<holdfast>', 'exec'))",
    ],
    driver: ['driver.py'],
    requests: 'frames',
    // Lets plots work without a screen, and without a warning about a read-only home.
    environment: { MPLBACKEND: 'Agg', MPLCONFIGDIR: '/tmp/matplotlib' },
    extension: 'py',
    interruptions: ['signal'],
    remedy:
      'install Python 3.8 or newer where boxes see it (`apt-get install python3`), or grant it with --read DIRECTORY',
  },
  shell: {
    programs: ['bash'],
    arguments: [
      '--norc',
      '--noprofile',
      '-c',
      'exec {__holdfast_in}<&0 {__holdfast_out}>&1 {__holdfast_err}>&2 </dev/null; IFS= read -r -d "" -u "$__holdfast_in" __holdfast_driver; eval "$__holdfast_driver"',
    ],
    driver: ['driver.sh'],
    requests: 'texts',
    environment: {},
    extension: 'sh',
    interruptions: [],
    remedy: 'install bash 4.1 or newer where boxes see it',
  },
};

function nodeWords(): string {
  const read =
    "const read = (size) => { const bytes = Buffer.alloc(size); for (let at = 0; at < size;) { try { const got = fs.readSync(0, bytes, at, size - at); if (got === 0) process.exit(); at += got; } catch (error) { if (error.code !== 'EAGAIN') throw error; } } return bytes.toString(); };";
  return `{ ${read} let size = ''; for (let one; (one = read(1)) !== '\\n';) size += one; vm.runInThisContext('((require, load) => {' + read(Number(size)) + '})', 'holdfast-driver')(require, (from, options) => import(from, options)); }`;
}
