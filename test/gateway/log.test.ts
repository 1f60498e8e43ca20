import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { chars, withCrc32 } from '../../src/dlp/rules/testing/material.ts';
import { Sandbox } from '../../src/sandbox/index.ts';
import { Project } from '../lib/holdfast.ts';
import { type Answer, startModelServer } from '../lib/model-server/index.ts';
import { everything, said } from './answers.ts';
import { clientPrograms, runClient } from './run-client.ts';

const repository = resolve(import.meta.dirname, '../..');
const clientNamed = (name: string) =>
  clientPrograms.find((client) => client.name === name) as (typeof clientPrograms)[number];
/** In GitHub's form, with a right checksum: it is nobody's. */
const key = `ghp_${withCrc32(chars('base62', 30, 'gateway-log'))}`;

interface CallOfLog {
  readonly id: number;
  readonly log: string | null;
  readonly session: string;
  readonly completeness: string;
  readonly texts: string;
}

/** One session for each list of modes, side by side, with one policy and one server. */
async function talk(
  project: Project,
  {
    modes,
    answers,
    llm,
  }: { readonly modes: readonly (readonly string[])[]; readonly answers: readonly Answer[]; readonly llm: string },
): Promise<readonly CallOfLog[]> {
  const client = clientNamed('@anthropic-ai/sdk');
  await using server = await startModelServer({ dialect: client.dialect, script: answers });
  project.write(
    '../home/.config/holdfast/policy.toml',
    `version = 1\n[files]\nread = ["${repository}"]\n[network]\nhosts = ["localhost:${server.port}"]\n[llm]\n${llm}\n[[llm.servers]]\nname = "own"\nhosts = ["localhost:${server.port}"]\nstyle = "anthropic"\n`,
  );
  await Promise.all(
    modes.map(async (own) => {
      await using sandbox = await Sandbox.create({
        workspace: project.workspace,
        environment: project.libraryEnvironment,
      });
      await runClient(client, {
        url: `http://localhost:${server.port}`,
        modes: own,
        more: { CLIENT_PROMPT: `deploy with ${key} please` },
        runWith: async (command, variables) => {
          const { stdout, stderr, exitCode } = await sandbox.commands.run(command, { environment: variables });
          return { stdout: stdout.toString(), stderr: stderr.toString(), status: exitCode };
        },
      });
      const spied = await sandbox.commands.run([
        'sh',
        '-c',
        `cat ${project.state}/calls/* ${project.state}/*; ls ${project.state}`,
      ]);
      expect([spied.stdout.toString(), spied.exitCode]).toEqual(['', 2]);
    }),
  );
  return (JSON.parse(project.holdfast(['llm', 'log', '--json']).stdout) as { readonly calls: readonly CallOfLog[] })
    .calls;
}

/** Every file of the state directory, in the clear. */
function stateOf(project: Project): string {
  const files = readdirSync(project.state, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files
    .map((file) => (file.endsWith('.gz') ? gunzipSync(readFileSync(file)).toString() : readFileSync(file, 'latin1')))
    .join('\n');
}

describe('a conversation with models', () => {
  test('is kept if the policy says so: of parallel sessions, whole and streamed, without keys', async () => {
    using project = new Project();
    const calls = await talk(project, {
      modes: [['whole'], ['stream']],
      answers: [everything, everything],
      llm: 'log = "bodies"',
    });
    expect(calls.map(({ texts, completeness }) => [texts, completeness])).toEqual(
      calls.map(() => ['kept', 'complete']),
    );
    expect([calls.length, new Set(calls.map(({ session }) => session)).size]).toEqual([2, 2]);
    const directory = join(project.state, 'calls');
    expect(readdirSync(directory).toSorted()).toEqual(calls.map(({ log }) => `${log}.jsonl.gz`).toSorted());
    expect([
      statSync(directory).mode & 0o777,
      ...readdirSync(directory).map((name) => statSync(join(directory, name)).mode & 0o777),
    ]).toEqual([0o700, 0o600, 0o600]);
    expect(stateOf(project)).not.toContain(key);
    for (const { id } of calls) {
      const { conversation } = JSON.parse(project.holdfast(['llm', 'show', String(id), '--json']).stdout) as {
        readonly conversation: {
          readonly request: readonly { readonly text: string }[];
          readonly answer: {
            readonly said: readonly { readonly kind: string; readonly text: string }[];
            readonly toolCalls: readonly { readonly name: string }[];
          };
        };
      };
      expect(conversation.request.map(({ text }) => text.replace(/ghp_\w{36}/u, 'FAKE'))).toEqual([
        'deploy with FAKE please',
      ]);
      expect(conversation.answer).toMatchObject({
        said: [
          { kind: 'thinking', text: said.thinking },
          { kind: 'text', text: said.text },
        ],
        toolCalls: [{ name: 'weather' }],
      });
    }
  });

  test('is kept up to its break, and is not kept without the policy’s word', async () => {
    using project = new Project();
    const [call] = await talk(project, {
      modes: [['stream']],
      answers: [{ ...everything, abortAfter: 8 }],
      llm: 'log = "bodies"',
    });
    expect(call).toMatchObject({ texts: 'kept', completeness: 'partial' });
    expect(project.holdfast(['llm', 'show', String(call?.id)]).stdout).toMatch(
      /\n {2}hm hm\n[^]*\n\(the answer was cut short\)\n$/u,
    );
    using other = new Project();
    const calls = await talk(other, { modes: [['whole']], answers: [everything], llm: '' });
    expect([calls.map(({ texts, log }) => [texts, log]), existsSync(join(other.state, 'calls'))]).toEqual([
      [['none', null]],
      false,
    ]);
  });
});
