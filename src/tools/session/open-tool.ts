import { realpathSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import process from 'node:process';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { BackendName } from '../../backends/backend.ts';
import { HoldfastError } from '../../errors/index.ts';
import { Files } from '../../files/index.ts';
import { sessionFiles } from '../../files/session/session-files.ts';
import type { PolicyText } from '../../place/policy-texts.ts';
import type { Plan } from '../../plan/types.ts';
import { matchesHostPattern } from '../../policy/patterns/host-index.ts';
import { pathPatternOf } from '../../policy/patterns/path-pattern.ts';
import { planOwnCommand, startOwnCommand } from '../../session/own-command.ts';
import type { Session } from '../../session/session.ts';
import {
  type DoorAnswer,
  type DoorFiles,
  type DoorRequest,
  loadTool,
  Tool,
  type ToolDoors,
  type ToolIdentity,
  type ToolProcess,
} from '../index.ts';

interface OpenToolOptions {
  readonly files?: Files;
  /** Called when the tool is closed. */
  readonly closing?: () => void;
}

/**
 * Opens a tool of a session. Its file workers, from `files`, serve one call each. None of its code runs before a call.
 * Throws `HF_TOOL_INVALID`.
 */
export function openTool(
  session: Session,
  manifest: string,
  { files = new Files(sessionFiles(session)), closing }: OpenToolOptions = {},
): Promise<Tool> {
  return Tool.open(loadTool(manifest), toolDoors(session, files), closing);
}

/** Most bytes of one answer of a server. */
const largestAnswer = 4 << 20;

/** Returns the doors for a session's tools. The session itself uses them too. */
function toolDoors(session: Session, files: Files): ToolDoors {
  return {
    root: session.place.workspace.root,
    start: (tool) => startToolBox(session, tool),
    http: (request) => fetched(session, request),
    files: async ({ read, write }) =>
      doorFiles(await files.oneShot({ read: [...read], ...(write.length === 0 ? {} : { write: [...write] }) })),
  };
}

async function fetched(
  session: Session,
  { url, method, headers, body, hosts, signal }: DoorRequest,
): Promise<DoorAnswer> {
  const egress = await session.network.egress();
  const result = await egress.fetch(url, {
    method,
    headers,
    signal,
    binary: 'bytes',
    html: 'source',
    hidden: 'keep',
    maxBytes: largestAnswer,
    admits: (destination) => matchesHostPattern(hosts, destination),
    ...(body === undefined ? {} : { body }),
  });
  switch (result.kind) {
    case 'refused':
      throw new Error(`${result.refusal.message}; ${result.refusal.remedy}`);
    case 'text':
    case 'bytes':
      if (result.truncated) throw new Error(`the answer has more than ${largestAnswer} bytes`);
      return {
        status: result.status,
        contentType: result.contentType,
        finalUrl: result.finalUrl,
        bytes: result.kind === 'text' ? Buffer.from(result.text) : result.bytes,
      };
  }
}

function doorFiles(files: Files): DoorFiles {
  return {
    realpath: (path) => files.realpath(path),
    isThere: (path) =>
      files.lstat(path).then(
        () => true,
        () => false,
      ),
    async read(path, most) {
      const bytes = await files.read(path, { offset: 0, length: most + 1 });
      if (bytes.length > most)
        throw new HoldfastError('HF_USAGE', `${path} has more than ${most} bytes`, {
          remedy: 'give the tool a smaller file',
        });
      return bytes;
    },
    write: (path, data) => files.write(path, data),
    close: () => files.close(),
  };
}

/** Milliseconds for a tool to load. An emulated guest takes many seconds to boot. */
const patience = 20_000;
const patienceOf: Readonly<Partial<Record<BackendName, number>>> = { microvm: 90_000 };

/** Most bytes of stderr that an error can quote. */
const mostSaid = 2048;

/**
 * Starts the program that runs a tool. Its box has nothing else: no network, no variables, and no file of the workspace
 * or the home. The session's policy applies in it, with one more layer that removes all grants. The journal records its
 * start, with the tool's name and hash, and its end.
 */
export async function startToolBox(
  session: Session,
  tool: ToolIdentity,
  program: ToolProgram = toolProgram(session.place.installation.root),
): Promise<ToolProcess> {
  const bare = await bareSession(session, program);
  const running = startOwnCommand(bare, boxPlan(bare, [...program.argv, tool.name, tool.sha256]), {
    stdio: ['pipe', 'pipe', 'pipe'],
    stderr: 'direct',
  });
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

/** Returns the same session without grants. Its box has no staged layer and gets no secrets. */
async function bareSession(session: Session, { visible }: ToolProgram): Promise<Session> {
  const { planPlace } = await import('../../place/planner.ts');
  const { place } = session;
  const bare = {
    ...place,
    backend: session.backend.name,
    grants: {},
    installation: { ...place.installation, visible },
    sources: [...place.sources, ceiling(visible)],
  };
  return {
    ...session,
    place: bare,
    plan: planPlace(bare, session.environment),
    credentials: undefined,
    staging: undefined,
  };
}

/** Only these lists remain of the grants of other layers. The JSON is also valid TOML. */
function ceiling(visible: readonly string[]): PolicyText {
  return {
    kind: 'session',
    file: 'tool',
    text: `version = 1\n[files]\nread = ${JSON.stringify(visible.map(pathPatternOf))}\nwrite = []\n[environment]\npass = []\n`,
  };
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

/** The program for a tool's box, and the files that it needs. All paths are absolute. */
interface ToolProgram {
  readonly argv: readonly string[];
  readonly visible: readonly string[];
}

/**
 * MiB of V8's own heap: modules, texts that are being passed, and the compiler's memory for a hostile module. The
 * guest's memory is not part of it.
 */
const heap = 256;

/** In the sources the program has many files, and in a bundle only one. `root` is the root of the package. */
function toolProgram(root: string): ToolProgram {
  const node = realpathSync.native(process.execPath);
  const argvOf = (file: string): readonly string[] => [node, `--max-old-space-size=${heap}`, '--no-warnings', file];
  // Undefined in CommonJS bundles.
  const url = import.meta.url as string | undefined;
  const here = url === undefined ? __filename : fileURLToPath(url);
  if (extname(here) === '.ts') {
    return {
      argv: argvOf(join(root, 'src/tools/host/tool-host.ts')),
      visible: [
        node,
        ...['src/tools', 'node_modules/quickjs-emscripten-core', 'node_modules/@jitl', 'package.json'].map((path) =>
          join(root, path),
        ),
      ],
    };
  }
  const bundle = url === undefined ? join(dirname(here), 'tool-host.cjs') : join(dirname(here), 'cli/tool-host.cjs');
  const real = realpathSync.native(bundle);
  return { argv: argvOf(real), visible: [node, real] };
}
