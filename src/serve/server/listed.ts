import type { AgentName, Fresh, HookReply } from '../../agents/hooks/index.ts';
import type { HookQuestion } from '../requests/hook-question.ts';

/** A sandbox that a server holds. */
export interface ListedSession {
  readonly name: string;
  /** Of the sandbox, as the journal has it. */
  readonly id: string;
  readonly workspace: string;
  /** Milliseconds since 1970. */
  readonly openedAt: number;
  /** The staged layer that its writes go to. */
  readonly layer?: string;
}

/** A command of `holdfast run` whose box a resident supervisor serves. */
export interface ListedRun {
  /** Of the process that a person started, which became the launcher. */
  readonly pid: number;
  /** After `holdfast run`. */
  readonly words: readonly string[];
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly askedAt: number;
}

/** `queued`: it waits for others to start. `failed`: there was no box, or nothing to run in it. */
export type CommandState = 'queued' | 'running' | 'ended' | 'failed';

/** A command of a server. */
export interface ListedCommand {
  /** Unique in its server. */
  readonly id: string;
  readonly session: string;
  readonly argv: readonly string[];
  /** Milliseconds since 1970. */
  readonly askedAt: number;
  readonly state: CommandState;
  /** Of the first process of its box, as the host counts. */
  readonly pid?: number;
  /** Once it has ended: 0 to 255, 128+n for a signal. */
  readonly exitCode?: number;
  /** Why there was no command. */
  readonly message?: string;
  /** `terminal`: it has one of its own, and can be typed to. */
  readonly streams: 'pipes' | 'terminal';
  /** How many look on. */
  readonly attached: number;
}

/** Answers hooks of coding agents, as a process of each would. Policies that have not changed are made once. */
export class HookAnswers {
  #fresh: Fresh | undefined;

  async answer(agent: AgentName, { place, environment, text }: HookQuestion): Promise<HookReply> {
    // Most servers are never asked, and all of this takes its time to load.
    const [{ answerHook, openHookHost }, { freshDecisions }] = await Promise.all([
      import('../../agents/hooks/index.ts'),
      import('../../agents/hooks/fresh-decisions.ts'),
    ]);
    const fresh = (this.#fresh ??= freshDecisions());
    return answerHook(agent, text, openHookHost({ agent, environment, program: place.program, fresh }));
  }
}
