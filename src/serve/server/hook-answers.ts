import type { AgentName, HookReply } from '../../agents/hooks/index.ts';
import type { PolicyOfPlace } from '../../sandbox/why.ts';
import type { HookQuestion } from '../requests/hook-question.ts';

/** Answers hooks of coding agents, as a process of each would. Policies that have not changed are made once. */
export class HookAnswers {
  #policyOf: PolicyOfPlace | undefined;

  async answer(agent: AgentName, { place, environment, text }: HookQuestion): Promise<HookReply> {
    // Most servers are never asked, and all of this takes its time to load.
    const [{ answerHook, openHookHost }, { policyMemory }] = await Promise.all([import('../../agents/hooks/index.ts'), import('../../sandbox/policy-memory.ts')]);
    const policyOf = (this.#policyOf ??= policyMemory());
    return answerHook(agent, text, openHookHost({ agent, environment, program: place.program, policyOf }));
  }
}
