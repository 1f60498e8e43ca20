import { join, resolve } from 'node:path';
import { type JournalEvent, type ModelEvent, readEvents } from '../../src/audit/index.ts';
import { Sandbox } from '../../src/sandbox/index.ts';
import { Project } from '../lib/holdfast.ts';
import { type Answer, startModelServer } from '../lib/model-server/index.ts';
import { type ClientProgram, runClient, type Seen } from './run-client.ts';

const repository = resolve(import.meta.dirname, '../..');
const styles = {
  anthropic: 'anthropic',
  openai: 'openai',
  azure: 'azure',
  gemini: 'gemini',
  bedrock: 'bedrock',
  ollama: 'ollama',
} as const;

export interface Ran {
  readonly seen: readonly Seen[];
  readonly calls: readonly ModelEvent[];
  readonly journal: readonly JournalEvent[];
  readonly bodies: readonly string[];
}

export interface InBox {
  /** `echo` returns the text of the request. */
  readonly answers: readonly (Answer | 'echo')[];
  /** TOML after the server. */
  readonly policy?: string;
  readonly more?: Readonly<Record<string, string>>;
}

/** A client in a box whose policy names the server as a model server. */
export async function inBox(
  client: ClientProgram,
  modes: readonly string[],
  { answers, policy = '', more = {} }: InBox,
): Promise<Ran> {
  using project = new Project();
  const echo: Answer = {
    kind: 'model',
    get parts() {
      return [{ kind: 'text' as const, pieces: [...heard(server.requests.at(-1)?.body.toString() ?? '')] }];
    },
  };
  await using server = await startModelServer({
    dialect: client.dialect,
    script: answers.map((answer) => (answer === 'echo' ? echo : answer)),
  });
  project.write(
    '../home/.config/holdfast/policy.toml',
    `version = 1\n[files]\nread = ["${repository}"]\n[network]\nhosts = ["localhost:${server.port}"]\n[[llm.servers]]\nname = "own"\nhosts = ["localhost:${server.port}"]\nstyle = "${styles[client.dialect]}"\n${policy}`,
  );
  const environment = {
    ...project.environment,
    XDG_CONFIG_HOME: join(project.home, '.config'),
    XDG_STATE_HOME: join(project.home, '.local/state'),
  };
  await using sandbox = await Sandbox.create({ workspace: project.workspace, environment });
  const seen = await runClient(client, {
    url: `http://localhost:${server.port}`,
    modes,
    more,
    runWith: async (command, variables) => {
      const { stdout, stderr, exitCode } = await sandbox.commands.run(command, { environment: variables });
      return { stdout: stdout.toString(), stderr: stderr.toString(), status: exitCode };
    },
  });
  await sandbox.close();
  const journal = readEvents(join(project.home, '.local/state/holdfast/journal.jsonl'));
  const calls = journal.filter((event): event is typeof event & ModelEvent => event.type === 'model');
  return { seen, calls, journal, bodies: server.requests.map(({ body }) => body.toString()) };
}

/** A person's text, letter by letter as a model would write it. */
function heard(body: string): string {
  return /deploy with \S+ please/u.exec(body)?.[0] ?? 'nothing';
}
