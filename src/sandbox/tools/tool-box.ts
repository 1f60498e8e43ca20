import type { Readable, Writable } from 'node:stream';
import type { BackendName } from '../../backends/index.ts';
import type { Plan } from '../../plan/index.ts';
import { pathPatternOf } from '../../policy/patterns/path-pattern.ts';
import type { ToolIdentity, ToolProcess } from '../../tools/index.ts';
import { planOwnCommand, startOwnCommand } from '../own-command.ts';
import type { PolicyText } from '../policy-texts.ts';
import type { Session } from '../session.ts';
import { type ToolProgram, toolProgram } from './tool-program.ts';

/** Milliseconds until a tool is loaded: an emulated guest boots for many seconds. */
const patience = 20_000;
const patienceOf: Readonly<Partial<Record<BackendName, number>>> = { microvm: 90_000 };

/** Bytes of what it says on stderr that an error can quote. */
const mostSaid = 2048;

/**
 * Starts the program that runs a tool in a box that has nothing else: no network, no variable, no file of the workspace or
 * the home. The policy of the session holds in it, and one more layer takes away all that it would grant. The journal has
 * its start, with the tool's name and hash, and its end.
 */
export async function startToolBox(session: Session, tool: ToolIdentity, program: ToolProgram = toolProgram(session.place.installation.root)): Promise<ToolProcess> {
  const bare = await bareSession(session, program);
  const running = startOwnCommand(bare, boxPlan(bare, [...program.argv, tool.name, tool.sha256]), { stdio: ['pipe', 'pipe', 'pipe'], stderr: 'direct' });
  const { box, ended } = running;
  const said = lastOf(box.process.stderr as Readable);
  return {
    stdin: box.process.stdin as Writable,
    stdout: box.process.stdout as Readable,
    ended: ended.then(({ exitCode }) => ({ exitCode, said: said() })),
    end: box.end,
    patience: patienceOf[session.backend.name] ?? patience,
  };
}

/** The same session with nothing granted: what it stages or delivers is in no such box. */
async function bareSession(session: Session, { visible }: ToolProgram): Promise<Session> {
  const { planPlace } = await import('../planner.ts');
  const { place } = session;
  const bare = { ...place, backend: session.backend.name, grants: {}, installation: { ...place.installation, visible }, sources: [...place.sources, ceiling(visible)] };
  return { ...session, place: bare, plan: planPlace(bare, session.environment), credentials: undefined, staging: undefined };
}

/** Lists say all that is left of what other layers grant. What JSON writes is also TOML. */
function ceiling(visible: readonly string[]): PolicyText {
  return { kind: 'session', file: 'tool', text: `version = 1\n[files]\nread = ${JSON.stringify(visible.map(pathPatternOf))}\nwrite = []\n[environment]\npass = []\n` };
}

function boxPlan(session: Session, argv: readonly string[]): Plan {
  const plan = planOwnCommand(session, { argv, cwd: '/' });
  return { ...plan, network: { kind: 'closed' }, command: { ...plan.command, cwd: '/', environment: {} } };
}

function lastOf(stream: Readable): () => string {
  let last = Buffer.alloc(0);
  stream.on('data', (chunk: Buffer) => (last = Buffer.concat([last, chunk]).subarray(-mostSaid)));
  return () => last.toString().trim();
}
