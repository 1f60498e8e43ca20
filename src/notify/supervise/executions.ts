import { release } from 'node:os';
import { isKernelError } from '../../kernel/index.ts';
import { canHoldExecutions } from '../../plan/facts.ts';
import { isStrictPolicy } from '../../policy/settings/switches.ts';
import type { ExecRequest } from '../../policy/request.ts';
import type { ExecCall } from '../calls/exec-calls.ts';
import { execJudge, type ExecJudge, type ExecJudgement } from '../judge/judge-exec.ts';
import { type BoxPlaces, placesOf } from '../judge/places.ts';
import { callerWords, type CallerWords } from '../listener/caller-words.ts';
import type { SeccompNotification } from '../listener/notification.ts';
import { fromReadable, readable } from '../view/byte-text.ts';
import { linkText } from '../view/caller.ts';
import { openProgramView, type Program, type ProgramView } from '../view/programs.ts';
import { eacces, efault } from './answer-call.ts';
import type { Supervision } from './context.ts';
import {
  changedProgram,
  exchangedAtStart,
  exchangedWhileAsked,
  notRedirected,
  refusedLately,
  type RefusedLately,
  tooManyWords,
  unheldStart,
  unnamedProgram,
} from './execution-refusals.ts';
import { aliasesOf, interpretersOf } from './found-programs.ts';
import { holdExecution, scriptPath, startedWords } from './held-execution.ts';

/**
 * Answers executions. When a resumed execution goes ahead, it may be another command: the caller can change its memory
 * after it was read. So a rule about arguments holds only against programs that do not exploit this race. The plan
 * leaves out programs that must never run. `refusalOf` returns the errno for a file that no mount keeps from being
 * executed.
 */
export function execSupervisor(
  supervision: Supervision,
  refusalOf: Desk['refusalOf'] = () => undefined,
): (notification: SeccompNotification, call: ExecCall) => void {
  const { policy, programs = [], mounts, pinned = [], groups } = supervision.options;
  const pins = new Map(pinned.map(({ path, identity }) => [fromReadable(path), identity]));
  const places = placesOf(mounts);
  const view = openProgramView(supervision.view, (path) => places.isFixed(readable(path)) && !pins.has(path));
  const desk: Desk = {
    supervision,
    refusalOf,
    words: callerWords(),
    programs: view,
    judge: execJudge({
      policy,
      programs,
      isPlanted: (path) => places.isWritable(readable(path)),
      aliases: aliasesOf(policy, view),
    }),
    places,
    pins,
    // The box's first program starts the guest before any other program can make a request.
    isEntry: entry(groups.includes('guest-executions') ? 1 : 0),
    passed: new Set(),
    refusedLately: refusedLately(),
    executions: isStrictPolicy(policy) && canHoldExecutions(release()) ? 'held' : 'resumed',
  };
  return (notification, call) => handle(desk, notification, call);
}

interface Desk {
  readonly supervision: Supervision;
  readonly refusalOf: (program: Program) => number | undefined;
  readonly words: CallerWords;
  readonly programs: ProgramView;
  readonly judge: ExecJudge;
  readonly places: BoxPlaces;
  /** Names as bytes, each with the state of the program's file at the start of the session. */
  readonly pins: ReadonlyMap<string, string>;
  readonly isEntry: (thread: number) => boolean;
  /** Programs that no rule could match and that the box cannot change, with the names they were called by. */
  readonly passed: Set<string>;
  readonly refusedLately: RefusedLately;
  /** `held`: the call waits until the program has started and is the judged one. */
  readonly executions: 'held' | 'resumed';
}

const enoent = 2;
const nameTooLong = 36;

function handle(desk: Desk, notification: SeccompNotification, call: ExecCall): void {
  const { listener, memory } = desk.supervision;
  const { id, thread } = notification;
  // Call this even if the next step fails, so that no later call counts as the entry.
  const isEntry = desk.isEntry(thread);
  const words = memory.path(thread, call.at.address);
  if (words === undefined)
    return listener.answer(id, memory.bytes(thread, call.at.address, 1) === undefined ? -efault : -nameTooLong);
  if (words === '' && call.empty === 'refused') return listener.answer(id, -enoent);
  const found = desk.programs.find(thread, call.at.directory, words);
  switch (found.kind) {
    case 'nothing':
      return listener.answer(id, -found.errno);
    case 'unnamed':
      return refuse(desk, notification, unnamedProgram(desk.supervision.options.policy, found.text));
    case 'program':
      // Holdfast started this program and has already judged it.
      return isEntry
        ? enter(desk, notification, found)
        : judge(desk, notification, { call, path: words, program: found });
  }
}

function enter(desk: Desk, { id, thread }: SeccompNotification, program: Program): void {
  const run = interpretersOf(desk.programs, thread, program);
  const refusal = refusalOfAny(desk, [program, ...(run.kind === 'found' ? run.interpreters : [])]);
  if (refusal === undefined) desk.supervision.listener.resume(id);
  else desk.supervision.listener.answer(id, -refusal);
}

function refusalOfAny({ refusalOf }: Desk, programs: readonly Program[]): number | undefined {
  return programs.flatMap((each) => refusalOf(each) ?? [])[0];
}

/**
 * Attack: exchange an approved file while its question waits. Holdfast reads the command once more. A later exchange is
 * a race that remains.
 */
function goAhead(desk: Desk, notification: SeccompNotification, { call, asked, approved }: Asked): void {
  const { memory } = desk.supervision;
  const words = memory.path(notification.thread, call.at.address);
  const found = words === undefined ? undefined : desk.programs.find(notification.thread, call.at.directory, words);
  if (found?.kind !== 'program') return refuse(desk, notification, exchangedWhileAsked(asked));
  judge(desk, notification, { call, path: words ?? '', program: found, approved });
}

interface Asked extends Pick<Named, 'call'> {
  readonly asked: ExecJudgement;
  readonly approved: string;
}

interface Named {
  readonly call: ExecCall;
  /** Path of the program, as the caller wrote it. */
  readonly path: string;
  readonly program: Program;
  /** The approved command and its files, as they were when the question was asked. */
  readonly approved?: string;
}

function judge(desk: Desk, notification: SeccompNotification, { call, path, program, approved }: Named): void {
  const {
    supervision: { listener, askFor, options },
    words,
  } = desk;
  const { id, thread } = notification;
  const first = words.words(thread, call.words, 1);
  if (first.kind === 'unreadable') return listener.answer(id, -efault);
  const [shown = ''] = first.words;
  const key = `${shown}\0${program.named}`;
  if (desk.executions === 'resumed' && desk.passed.has(key)) return listener.resume(id);
  const run = interpretersOf(desk.programs, thread, program);
  if (run.kind === 'unnamed')
    return refuse(desk, notification, unnamedProgram(desk.supervision.options.policy, run.text));
  const { interpreters } = run;
  const refusal = refusalOfAny(desk, [program, ...interpreters]);
  if (refusal !== undefined) return listener.answer(id, -refusal);
  const isMeant = [program, ...interpreters].some((each) => desk.judge.concerns(each, shown));
  const all = isMeant ? words.words(thread, call.words) : first;
  if (all.kind === 'unreadable') return listener.answer(id, -efault);
  const judged = desk.judge.judge({ program, argv: insteadOf(desk, program, all.words), interpreters });
  if (all.kind === 'too-long') return refuse(desk, notification, tooManyWords(judged));
  const pin = desk.pins.get(program.named);
  if (pin !== undefined && pin !== program.identity) return refuse(desk, notification, changedProgram(judged));
  const { request, verdict } = judged;
  const goOn = (): void =>
    start(desk, notification, { call, path, files: [program, ...interpreters], words: all.words, isMeant, judged });
  const now = verdict.decision === 'ask' ? exactly(request, [program, ...interpreters]) : '';
  switch (verdict.decision) {
    case 'allow':
      if (!isMeant && isFixed(desk, [program, ...interpreters])) pass(desk, key);
      return goOn();
    case 'audit':
      options.report({ kind: 'audited', request, verdict });
      return goOn();
    case 'ask':
      if (options.wasApproved?.(request) === true) return goOn();
      if (approved !== undefined)
        return approved === now ? goOn() : refuse(desk, notification, exchangedWhileAsked(judged));
      if (desk.refusedLately.has(thread, request)) return refuse(desk, notification, judged);
      return askFor({
        id,
        thread,
        asked: [judged],
        allowed: () => goAhead(desk, notification, { call, asked: judged, approved: now }),
        denied: () => desk.refusedLately.add(thread, request),
      });
    case 'redirect':
      return refuse(desk, notification, notRedirected(judged));
    case 'stage':
    case 'deny':
      return refuse(desk, notification, judged);
  }
}

interface Starting {
  readonly call: ExecCall;
  readonly path: string;
  /** The program, and the interpreters of a script. */
  readonly files: readonly Program[];
  readonly words: readonly string[];
  readonly isMeant: boolean;
  readonly judged: ExecJudgement;
}

function start(
  desk: Desk,
  notification: SeccompNotification,
  { call, path, files, words, isMeant, judged }: Starting,
): void {
  const { listener, options } = desk.supervision;
  if (desk.executions === 'resumed') return listener.resume(notification.id);
  const expected = {
    identity: files.at(-1)?.identity ?? '',
    words: startedWords(scriptPath(call, path), words, files),
    compares: isMeant ? 'all' : 'first',
  } as const;
  try {
    if (holdExecution(listener, notification, expected) === 'as-expected') return;
  } catch (error) {
    if (isKernelError(error, 'ESRCH')) return;
    if (isKernelError(error, 'EPERM')) return refuse(desk, notification, unheldStart(judged));
    throw error;
  }
  const { request, verdict } = exchangedAtStart(judged);
  options.report({ kind: 'refused', request, verdict });
}

function exactly(request: ExecRequest, files: readonly Program[]): string {
  return JSON.stringify([request, files.map(({ real, identity, version }) => [real, identity, version])]);
}

/** Returns the arguments to judge the command by: usually its own. */
function insteadOf(
  {
    supervision: {
      options: { judgedAs },
    },
  }: Desk,
  { named }: Program,
  argv: readonly string[],
): readonly string[] {
  return judgedAs?.({ program: readable(named), argv: argv.map(readable) })?.map(fromReadable) ?? argv;
}

function isFixed({ places }: Desk, programs: readonly Program[]): boolean {
  return programs.every(({ named, real }) => places.isFixed(readable(named)) && places.isFixed(readable(real)));
}

const mostPassed = 1000;

function pass({ passed }: Desk, key: string): void {
  if (passed.size >= mostPassed) passed.clear();
  passed.add(key);
}

function refuse(
  { supervision: { listener, options } }: Desk,
  { id }: SeccompNotification,
  { request, verdict }: ExecJudgement,
): void {
  options.report({ kind: 'refused', request, verdict });
  listener.answer(id, -eacces);
}

/**
 * The launcher looks through `PATH` for the command. Its attempts count as the entry, up to the first call of another
 * process or of another program. The next `further` calls also count.
 */
function entry(further: number): (thread: number) => boolean {
  let first: { readonly thread: number; readonly program: string | undefined } | undefined;
  let state: 'entering' | 'entered' = 'entering';
  let left = further;
  return (thread) => {
    if (state === 'entering') {
      first ??= { thread, program: linkText(`/proc/${thread}/exe`) };
      if (thread === first.thread && linkText(`/proc/${thread}/exe`) === first.program) return true;
      state = 'entered';
    }
    left -= 1;
    return left >= 0;
  };
}
