import { spawnSync } from 'node:child_process';
import type { AnalyseOptions } from '../analyse/languages.ts';
import { powershellProgram, readReport, requestLine, scriptOf } from '../index.ts';

type Answer = ReturnType<NonNullable<AnalyseOptions['powershell']>>;

/** Milliseconds: PowerShell takes a second to start. */
const patience = 5000;
const mostOutput = 4 * 1024 * 1024;
const mostTexts = 100;

/**
 * Has the PowerShell at `program` read texts, for `AnalyseOptions.powershell`: each once. It parses and runs nothing of
 * them. Undefined where it does not answer in time, says something else than what was agreed, or would load something
 * to read the text.
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
 * Words at which PowerShell loads modules while it only parses: it does so outside of every box. about_Using,
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
