import type { AgentName, Fresh, HookReply } from '../../agents/hooks/index.ts';
import type { HookQuestion } from '../requests/hook-question.ts';

/** Answers hooks of coding agents, as a process of each would. Policies that have not changed are made once. */
export class HookAnswers {
  #fresh: Fresh | undefined;

  async answer(agent: AgentName, { place, environment, text }: HookQuestion): Promise<HookReply> {
    // Most servers are never asked, and all of this takes its time to load.
    const [{ answerHook, openHookHost }, { freshDecisions }] = await Promise.all([import('../../agents/hooks/index.ts'), import('../../agents/hooks/fresh-decisions.ts')]);
    const fresh = (this.#fresh ??= freshDecisions());
    return answerHook(agent, text, openHookHost({ agent, environment, program: place.program, fresh }));
  }
}
