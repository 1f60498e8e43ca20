/**
 * The notify room: a supervisor outside the box that answers system calls which the kernel has stopped, for the rules
 * that mounts cannot carry out: `ask`, `redirect`, `stage` and `audit` on files, rules about Unix sockets and signals.
 *
 * A call goes ahead as it is only where the kernel's own layer refuses whatever the box may not do, because the
 * caller's memory may change after it was read. Everything else the supervisor does itself, on the path that it judged,
 * and hands over the result. Sessions, journals and terminals may not enter; what is asked and told leaves by the
 * options of `serve`.
 */
export { openListener, type Listener } from './listener/listener.ts';
export type { SupervisorOptions, WholeOptions, Woken } from './supervise/context.ts';
export { dropPowers } from './supervise/drop-powers.ts';
export { serveCalls } from './supervise/serve.ts';
export type { AllowOrDeny, AskedRequest, Enforced, AccessQuestion } from './types.ts';
