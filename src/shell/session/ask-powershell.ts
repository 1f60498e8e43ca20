import { spawnSync } from 'node:child_process';
import type { AnalyseOptions } from '../analyse/languages.ts';
import { powershellProgram, readReport, requestLine, scriptOf } from '../index.ts';

type Answer = ReturnType<NonNullable<AnalyseOptions['powershell']>>;

/** Milliseconds: PowerShell takes a second to start. */
const patience = 5000;
const mostOutput = 4 * 1024 * 1024;
const mostTexts = 100;

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
