/**
 * Hooks of coding agents: each call of one, in that agent's own form, becomes requests of the policy, and what is
 * decided goes back in the same form and into the journal. A dialect is a file of `dialects/`, the tools of an agent a
 * table of `tools/`.
 *
 * Rules, boxes and settings of agents may not enter. Whatever is not understood is refused: a tool, a member of its
 * input, a field that has another type. It is the same anyone who asks: a process of its own, or the server.
 */
export { answerHook, refuseHook } from './answer-hook.ts';
export { openHookHost } from './open-host.ts';
export type { Fresh } from './fresh-decisions.ts';
export type { AgentName, HookReply } from './types.ts';
