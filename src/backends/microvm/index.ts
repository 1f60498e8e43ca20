/**
 * The microvm backend: a microVM: a guest with a kernel of its own.
 */
export { microvmBackend } from './microvm.ts';
