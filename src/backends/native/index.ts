/**
 * The native backend: `holdfast-launch` makes the namespaces and mounts itself.
 */
export { nativeBackend } from './native.ts';
