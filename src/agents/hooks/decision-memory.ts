import { closeSync, constants, existsSync, fstatSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import type { Place } from '../../sandbox/place.ts';
import type { HookAnswer, HookCall, HookDecision, ToolAction } from './types.ts';

export interface DecisionMemory {
  recall(action: ToolAction, call: HookCall): HookDecision | undefined;
  /** Keeps what follows from texts alone; of anything else nothing is kept. */
  remember(action: ToolAction, call: HookCall, decision: HookDecision): void;
}

/** Files of one user. One more forgets another. */
const slots = 1024;
/** Bytes of a file: with a longer call or policy it is decided anew. */
const largest = 65_536;

interface Remembered {
  /** As they are, and no hash of them: `node:crypto` takes a fifth of the process to load. */
  readonly inputs: string;
  readonly decision: HookDecision;
}

/**
 * Decisions of earlier hooks about the same: the same bytes of every policy text as they were just read, the same host, workspace, program and code of
 * Holdfast, the same action with its links followed, in the same directory. What follows from anything else is never kept, so that there is
 * nothing that could be stale. A file that is not this user's alone counts as none.
 */
export function decisionMemory(place: Place, program: readonly string[]): DecisionMemory {
  const directory = join(place.paths.state, 'hooks');
  const at = JSON.stringify([process.versions.node, codeOf(place), place, program]);
  const inputsOf = (action: ToolAction, { tool, cwd }: HookCall): string => JSON.stringify([at, action, tool, cwd]);
  const fileOf = (inputs: string): string => join(directory, `${slotOf(inputs)}.json`);
  return {
    recall: (action, call) => {
      const inputs = inputsOf(action, call);
      const found = readRemembered(fileOf(inputs));
      return found?.inputs === inputs ? { ...found.decision, answer: withInput(found.decision.answer, call) } : undefined;
    },
    remember: (action, call, decision) => {
      if (decision.follows !== 'texts') return;
      const inputs = inputsOf(action, call);
      const text = JSON.stringify({ inputs, decision: { ...decision, answer: changesOf(decision.answer, call) } } satisfies Remembered);
      if (Buffer.byteLength(text) <= largest) keep(fileOf(inputs), text);
    },
  };
}

/** FNV-1a. */
function slotOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % slots;
}

/** Another build is other code: its files are replaced together. */
function codeOf({ installation: { code, launcher } }: Place): readonly unknown[] {
  return [code, join(dirname(code), 'fresh-decisions.cjs'), launcher].filter((file) => existsSync(file)).map((file) => {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
    return [file, dev, ino, size, mtimeMs, ctimeMs];
  });
}

/** Of an input that is changed, the member that is: the others are those of whoever asks. */
function changesOf(answer: HookAnswer, { input }: HookCall): HookAnswer {
  if (answer.kind !== 'rewrite') return answer;
  return { ...answer, input: Object.fromEntries(Object.entries(answer.input).filter(([member, value]) => input[member] !== value)) };
}

function withInput(answer: HookAnswer, { input }: HookCall): HookAnswer {
  return answer.kind === 'rewrite' ? { ...answer, input: { ...input, ...answer.input } } : answer;
}

/** Attack: a file of somebody else's, or a link to one, that says that everything is allowed. */
function readRemembered(file: string): Remembered | undefined {
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = fstatSync(descriptor);
      const own = stats.isFile() && stats.uid === process.getuid?.() && (stats.mode & 0o077) === 0 && stats.size <= largest;
      return own ? (JSON.parse(readFileSync(descriptor, 'utf8')) as Remembered) : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** Forgetting costs time and nothing else, so a directory that cannot take it is no failure here. */
function keep(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, text, { mode: 0o600, flag: 'wx' });
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}
