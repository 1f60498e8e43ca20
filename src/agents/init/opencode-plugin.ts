/**
 * The plug-in: OpenCode has no hooks but functions. It holds no logic: it carries each call to `holdfast hook opencode`, and what does not
 * come back as an answer is a refusal.
 */
export function pluginText(program: readonly string[]): string {
  return `// Written by \`holdfast init opencode\`; \`holdfast init opencode --undo\` takes it out again.
import { spawn } from 'node:child_process';

const [command, ...words] = ${JSON.stringify([...program, 'hook', 'opencode'])};

export const Holdfast = async ({ directory }) => ({
  'tool.execute.before': async ({ tool }, output) => {
    const answer = await ask({ event: 'tool.execute.before', tool, args: output.args, directory });
    if (answer.args !== undefined) Object.assign(output.args, answer.args);
  },
  'tool.execute.after': async ({ tool, args }, output) => {
    if (typeof output.output !== 'string') return;
    const answer = await ask({ event: 'tool.execute.after', tool, args: args ?? {}, output: output.output, directory });
    if (answer.output !== undefined) output.output = answer.output;
  },
});

async function ask(call) {
  const { status, stdout } = await run(JSON.stringify(call));
  const answer = parse(stdout);
  if (status === 0 && answer?.decision === 'allow') return answer;
  throw new Error(answer?.reason ?? 'Holdfast refuses: its hook does not answer');
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function run(input) {
  return new Promise((resolve) => {
    const hook = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    const chunks = [];
    hook.on('error', () => resolve({ status: undefined, stdout: '' }));
    hook.stdin.on('error', () => undefined);
    hook.stdout.on('data', (chunk) => chunks.push(chunk));
    hook.on('close', (status) => resolve({ status, stdout: Buffer.concat(chunks).toString() }));
    hook.stdin.end(input);
  });
}
`;
}
