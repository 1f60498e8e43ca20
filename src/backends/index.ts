/**
 * The backends room: everything that renders a `Plan` into a running box, and what each can promise.
 *
 * Policy may not enter: a backend sees the plan only. Adding one means a folder with a `Backend`, the attacks passing
 * on it, and a row in `docs/guarantees.md`.
 */
export * from './backend.ts';
export { bubblewrapBackend } from './bubblewrap/bubblewrap.ts';
export { missingGuarantees, namespaceGuarantees, partlyHeld } from './backend.ts';
export { encodeBox } from './launcher/encode-plan.ts';
export { Nursery } from './launcher/nursery.ts';
export { scanProtected } from './launcher/scan.ts';
export { gvisorBackend } from './gvisor/gvisor.ts';
export { landlockBackend } from './landlock/landlock.ts';
export { microvmBackend } from './microvm/microvm.ts';
export { nativeBackend } from './native/native.ts';
export { seccompFor } from './seccomp.ts';
