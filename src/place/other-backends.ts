/** For plans of backends other than native. Has its own bundle, because few runs need it. */
export { backendNamed } from './backends.ts';
