/**
 * The landlock backend: Landlock and seccomp alone, for hosts without user namespaces. The box's root is the host's; what
 * Landlock cannot say, the supervisor of system calls answers.
 */
export { landlockBackend } from './landlock.ts';
