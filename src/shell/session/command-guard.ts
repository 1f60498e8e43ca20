import { askAll, type SessionApprovals } from '../../approvals/session/session-approvals.ts';
import { appendEvents, type JournalEvent } from '../../audit/index.ts';
import { HoldfastError } from '../../errors/index.ts';
import type { Place } from '../../place/place.ts';
import { policyOfPlace } from '../../place/planner.ts';
import type { Mount } from '../../plan/mount.ts';
import { decideCommand } from '../../policy/command/decide-command.ts';
import type { CommandPart, CommandVerdict } from '../../policy/command/types.ts';
import { lazily } from '../../policy/lazily.ts';
import type { Policy } from '../../policy/policy.ts';
import { namedPrograms } from '../../policy/programs/programs.ts';
import type { ExecRequest } from '../../policy/request.ts';
import { gitCommandsOf } from '../../policy/settings/switches.ts';
import type { Verdict } from '../../policy/verdict.ts';
import { analyse } from '../analyse/analyse.ts';
import type { AnalyseOptions, StandardInput, ShellName } from '../analyse/languages.ts';
import type { AnalysedInvocation } from '../types.ts';
import type { CommandAdmission, Admitted, CommandGuard, Entering } from './admission.ts';
import { askPowerShell, findPowerShell } from './ask-powershell.ts';
import {
  isReplaceable,
  type JudgedCommand,
  type NeutralChange,
  neutralChanges,
  rewriteText,
  type Rewriting,
  ruledChanges,
} from './changes.ts';
import { invocationProgram } from './resolve-program.ts';
import { pinnedPrograms, programPins, type ProgramPins } from './program-pins.ts';

export interface GuardOptions {
  readonly session: string;
  readonly place: Place;
  readonly mounts: readonly Mount[];
  /** The `PATH` of a command without one of its own. */
  readonly path: string;
  readonly approvals: Pick<SessionApprovals, 'ask'>;
  /** The host's `PATH`, to find its PowerShell. Default: no PowerShell. */
  readonly hostPath?: string | undefined;
}

/** Loaded only for sessions whose policy has rules about commands. */
export function openCommandGuard(options: GuardOptions): CommandGuard {
  const policy = policyOfPlace(options.place);
  const guard: Guard = {
    ...options,
    policy,
    names: namedPrograms(policy)?.names ?? new Set(),
    pins: programPins(),
    git: gitCommandsOf(policy),
    powershell: powershellOf(options),
  };
  // Otherwise loading and compiling would count against the time of the first command.
  analyse({ kind: 'script', text: 'cd /; env A=1 git status | cat > /dev/null', shell: 'sh' }, { cwd: '/', home: '/' });
  return { admit: (command) => admit(guard, command), pinned: pinnedPrograms(guard.names, options) };
}

interface Guard extends GuardOptions {
  readonly policy: Policy;
  readonly names: ReadonlySet<string>;
  readonly pins: ProgramPins;
  readonly git: 'neutral' | 'as-is';
  readonly powershell: NonNullable<AnalyseOptions['powershell']>;
}

function admit(guard: Guard, command: Entering): CommandAdmission {
  const judged = judge(guard, command, { kind: 'argv', argv: command.argv });
  switch (judged.verdict.decision) {
    case 'deny':
    case 'stage':
      throw refuse(guard, command, judged.verdict);
    case 'ask':
      return { kind: 'asked', answer: () => ask(guard, command, judged) };
    case 'redirect':
    case 'audit':
    case 'allow':
      return { kind: 'admitted', command: carryOut(guard, command, judged) };
  }
}

function judge(guard: Guard, { cwd, environment }: Entering, input: StandardInput): JudgedCommand {
  const { home } = guard.place;
  const path = environment['PATH'] ?? guard.path;
  const analysis = analyse(input, { cwd, home, powershell: guard.powershell });
  const fixed = new Set<number>();
  const resolve = (invocation: AnalysedInvocation) => {
    const program = invocationProgram(invocation, { home, path, mounts: guard.mounts });
    if (program?.resolved.kind === 'found' && guard.names.has(baseName(program.name)))
      guard.pins.check(program.resolved.path);
    if (program?.resolved.kind === 'found') fixed.add(invocation.id);
    return program?.resolved;
  };
  return {
    analysis,
    fixed,
    verdict: decideCommand(guard.policy, analysis, { home, resolve, workspace: guard.place.workspace.root }),
  };
}

/** Searched for when a command first needs it. */
function powershellOf({ hostPath = '', mounts }: GuardOptions): NonNullable<AnalyseOptions['powershell']> {
  const writable = mounts.flatMap((mount) =>
    mount.kind === 'overlay'
      ? [mount.lower]
      : mount.kind === 'bind' && mount.access === 'read-write'
        ? [mount.source]
        : [],
  );
  const asked = lazily(() => findPowerShell(hostPath, writable));
  const ask = lazily(() => askPowerShell(asked() ?? ''));
  return (text) => (asked() === undefined ? undefined : ask()(text));
}

async function ask(guard: Guard, command: Entering, judged: JudgedCommand): Promise<Admitted> {
  const questions = questionsOf(judged.verdict, command);
  const denied = await askAll(guard.approvals, questions);
  if (denied !== undefined) throw refuse(guard, command, because(judged.verdict, denied.message));
  journal(
    guard,
    questions.map((question) => ({ ...question, outcome: 'approved' })),
  );
  const approved = judged.verdict.parts.flatMap((part) =>
    part.kind === 'invocation' && part.request.unknown === undefined ? [part.request] : [],
  );
  const admitted = carryOut(guard, command, judged);
  return { ...admitted, settled: [...approved.map(({ program, argv }) => ({ program, argv })), ...admitted.settled] };
}

interface AskedAbout {
  readonly request: ExecRequest;
  readonly verdict: Verdict;
}

/** Returns each question once, because a line may contain the same command twice. */
function questionsOf({ parts }: CommandVerdict, command: Entering): readonly AskedAbout[] {
  const asked = parts
    .filter(({ verdict }) => verdict.decision === 'ask')
    .map((part): AskedAbout => ({ request: requestOf(part, command), verdict: part.verdict }));
  return [
    ...new Map(
      asked.map((each) => [JSON.stringify([each.request, each.verdict.rule, each.verdict.message]), each]),
    ).values(),
  ];
}

function requestOf(part: CommandPart | undefined, { argv }: Entering): ExecRequest {
  return part?.kind === 'invocation' ? part.request : { kind: 'exec', program: argv[0] ?? '', argv, context: 'direct' };
}

/** Returns the started command, with the words and variables that rules set. */
function carryOut(guard: Guard, command: Entering, judged: JudgedCommand): Admitted {
  journal(
    guard,
    judged.verdict.parts.flatMap(({ verdict, ...part }) =>
      part.kind === 'invocation' && (verdict.decision === 'audit' || verdict.decision === 'redirect')
        ? [{ request: part.request, verdict, outcome: verdict.decision === 'audit' ? 'audited' : 'redirected' }]
        : [],
    ),
  );
  const [ruled, neutral] = [ruledChanges(judged), neutralOf(guard, judged)];
  const [first] = judged.analysis.invocations;
  const whole = first === undefined ? undefined : (neutral.get(first) ?? ruled.get(first));
  const environment = { ...command.environment, ...whole?.environment };
  if (whole?.argv !== undefined) {
    noteNeutral(guard, neutral);
    return { argv: whole.argv, environment, settled: [] };
  }
  const mandatory = [...ruled.keys()].some(({ id }) => id !== 0);
  if (!mandatory && neutral.size === 0) return { argv: command.argv, environment, settled: [] };
  const within = withinText(guard, command);
  if (within === undefined && mandatory)
    throw refuse(
      guard,
      command,
      because(judged.verdict, 'it is at a position where it cannot be replaced, so it was denied'),
    );
  return { argv: within?.argv ?? command.argv, environment, settled: within?.settled ?? [] };
}

/** Only a shell text can be changed. A command that is named by another program's arguments stays unchanged. */
function withinText(guard: Guard, command: Entering): Pick<Admitted, 'argv' | 'settled'> | undefined {
  const [program = '', option, text] = command.argv;
  const shell = shells.get(baseName(program));
  const judged =
    shell !== undefined && option === '-c' && text !== undefined
      ? judge(guard, command, { kind: 'script', text, shell })
      : undefined;
  if (judged === undefined || text === undefined) return undefined;
  const neutral = new Map([...neutralOf(guard, judged)].filter(([invocation]) => isReplaceable(invocation)));
  const rewritten = rewriteText(text, new Map<AnalysedInvocation, Rewriting>([...ruledChanges(judged), ...neutral]));
  if (rewritten === undefined) return undefined;
  noteNeutral(guard, neutral);
  return {
    argv: [program, '-c', rewritten, ...command.argv.slice(3)],
    settled: [...neutral.values()].map(({ argv, request }) => ({
      program: request.program,
      argv,
      insteadOf: request.argv,
    })),
  };
}

function neutralOf({ git }: Guard, judged: JudgedCommand): ReadonlyMap<AnalysedInvocation, NeutralChange> {
  return git === 'neutral' ? neutralChanges(judged) : nothing;
}

const nothing: ReadonlyMap<AnalysedInvocation, NeutralChange> = new Map();

function noteNeutral(guard: Guard, changes: ReadonlyMap<AnalysedInvocation, NeutralChange>): void {
  journal(
    guard,
    [...changes.values()].map(({ request, verdict, argv }) => ({ request, verdict, argv, outcome: 'neutralised' })),
  );
}

const shells: ReadonlyMap<string, ShellName> = new Map([
  ['sh', 'sh'],
  ['dash', 'sh'],
  ['bash', 'bash'],
  ['zsh', 'zsh'],
]);

function because(verdict: CommandVerdict, how: string): CommandVerdict {
  return { ...verdict, message: `${verdict.message}; ${how}` };
}

/** The journal records it before anyone is informed. */
function refuse(guard: Guard, command: Entering, { decisive, message, remedy }: CommandVerdict): HoldfastError {
  const request = requestOf(decisive, command);
  if (decisive !== undefined)
    appendEvents(guard.place.paths.journal, [
      {
        type: 'refusal',
        ...common(guard),
        request,
        verdict: { ...decisive.verdict, message },
        observed: 'enforcement',
      },
    ]);
  const { rule, file, line, code, decision } = decisive?.verdict ?? {};
  return new HoldfastError(code === 'planted-program' ? 'HF_PROGRAM_UNTRUSTED' : 'HF_COMMAND_REFUSED', message, {
    remedy,
    details: { decision, rule, file, line, words: request.argv },
  });
}

interface Told extends AskedAbout {
  readonly outcome: 'audited' | 'redirected' | 'approved' | 'neutralised';
  /** The arguments that ran, for a neutralised command. */
  readonly argv?: readonly string[];
}

function journal(guard: Guard, told: readonly Told[]): void {
  if (told.length === 0) return;
  appendEvents(
    guard.place.paths.journal,
    told.map((each): JournalEvent => ({ type: 'enforcement', ...common(guard), ...each })),
  );
}

function common({ session, place }: Guard): { readonly session: string; readonly workspace: string } {
  return { session, workspace: place.workspace.root };
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
