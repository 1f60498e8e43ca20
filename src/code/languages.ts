import { realpathSync } from 'node:fs';
import process from 'node:process';

export type CodeLanguage = 'javascript' | 'typescript' | 'python' | 'shell';

/** How a language is run. */
export interface LanguagePreset {
  /** Looked for in the box one after the other. */
  readonly programs: readonly string[];
  /**
   * With the words that read the driver from stdin, so that neither it nor the code stands among the arguments of a
   * process.
   */
  readonly arguments: readonly string[];
  /** Files of `drivers/`, which are one text. */
  readonly driver: readonly string[];
  /** How requests are written: as length and JSON, or as texts that end with a NUL. */
  readonly requests: 'frames' | 'texts';
  /** Given to the interpreter beside what the policy lets through. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of the name that stands in traces. */
  readonly extension: string;
  /**
   * What ends the text that runs, and not the interpreter; one is tried after the other. A `message` is for code that
   * waits: only then it is read.
   */
  readonly interruptions: readonly ('message' | 'signal')[];
  /** What to do where none of the programs is there. */
  readonly remedy: string;
}

/**
 * The Node that runs this is visible in every box. It knows TypeScript; the one on the `PATH` of a box may be older.
 */
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
    // Plots without a screen, and without a word about a home that cannot be written.
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
