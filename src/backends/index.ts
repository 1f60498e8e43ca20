/**
 * The backends room: everything that renders a `Plan` into a running box, and what each can promise.
 *
 * Policy may not enter: a backend sees the plan only. Adding one means a folder with a `Backend`, the attacks passing on
 * it, and a row in `docs/guarantees.md`.
 */
export * from './backend.ts';
export { bubblewrapBackend } from './bubblewrap/index.ts';
export { missingGuarantees, namespaceGuarantees, partlyHeld } from './guarantees.ts';
export { encodeBox, Nursery, scanProtected } from './launcher/index.ts';
export { gvisorBackend } from './gvisor/index.ts';
export { landlockBackend } from './landlock/index.ts';
export { microvmBackend } from './microvm/index.ts';
export { nativeBackend } from './native/index.ts';
export { seccompFor } from './seccomp.ts';
