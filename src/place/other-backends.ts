/** For a plan that is not for the native backend: a bundle of its own, as few runs need it. */
export { backendNamed } from './backends.ts';
