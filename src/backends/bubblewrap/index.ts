/**
 * The bubblewrap backend: the same plan, its namespaces and mounts made by `bwrap`, for hosts where an audited or setuid
 * bubblewrap is the rule. `holdfast-launch` supervises outside and applies Landlock and seccomp inside.
 */
export { bubblewrapBackend } from './bubblewrap.ts';
