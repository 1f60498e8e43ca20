import { spawnSync } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { AnalyseOptions } from '../analyse/languages.ts';
import { powershellProgram, readReport, requestLine, scriptOf } from '../powershell/script-of.ts';

type Answer = ReturnType<NonNullable<AnalyseOptions['powershell']>>;

/** Milliseconds: PowerShell takes a second to start. */
const patience = 5000;
const mostOutput = 4 * 1024 * 1024;
const mostTexts = 100;

const names = ['pwsh', 'powershell'];

/**
 * Returns a parser for `AnalyseOptions.powershell` that uses the PowerShell at `program`, once for each text.
 * PowerShell parses and runs nothing. Undefined if it does not answer in time, answers in another form, or would load
 * modules to parse the text.
 */
export function askPowerShell(program: string): (text: string) => Answer {
  const known = new Map<string, Answer>();
  return (text) => {
    if (loadsWhenParsed.test(text)) return undefined;
    if (known.has(text)) return known.get(text);
    if (known.size >= mostTexts) known.clear();
    const answer = ask(program, text);
    known.set(text, answer);
    return answer;
  };
}

/**
 * Words for which PowerShell loads modules even while it parses, outside of every box. Sources: about_Using,
 * about_Language_Keywords.
 */
const loadsWhenParsed = /\b(?:using|configuration|import-dscresource)\b/iu;

function ask(program: string, text: string): Answer {
  const { status, stdout } = spawnSync(
    program,
    ['-NoProfile', '-NonInteractive', '-EncodedCommand', Buffer.from(powershellProgram, 'utf16le').toString('base64')],
    {
      cwd: '/',
      env: {},
      input: requestLine(1, text),
      timeout: patience,
      killSignal: 'SIGKILL',
      maxBuffer: mostOutput,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  );
  const report = status === 0 ? readReport(stdout.trim()) : undefined;
  return report?.id === 1 ? scriptOf(report, text) : undefined;
}

/**
 * Returns the host's PowerShell. Only absolute entries of `PATH` count, and none below a root that a box can write to.
 * A program from there could be anything, and would run outside of every box.
 */
export function findPowerShell(path: string, writableRoots: readonly string[]): string | undefined {
  const candidates = names.flatMap((name) =>
    path.split(':').flatMap((entry) => (entry.startsWith('/') ? [join(entry, name)] : [])),
  );
  return candidates.find((candidate) => {
    const real = executableAt(candidate);
    return (
      real !== undefined && ![candidate, real].some((place) => writableRoots.some((root) => isWithin(place, root)))
    );
  });
}

function executableAt(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    const stats = statSync(real);
    // Anyone who may write to it decides what runs here.
    return stats.isFile() && (stats.mode & 0o111) !== 0 && (stats.mode & 0o002) === 0 ? real : undefined;
  } catch {
    return undefined;
  }
}

function isWithin(path: string, root: string): boolean {
  return root === '/' || path === root || path.startsWith(`${root}/`);
}
