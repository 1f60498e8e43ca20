/**
 * The gvisor backend: gVisor: system calls meet a kernel of their own in user space.
 */
export { gvisorBackend } from './gvisor.ts';
