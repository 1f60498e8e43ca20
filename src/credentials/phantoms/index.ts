/**
 * Phantoms: what stands in a box for a secret that stays outside. How they look, who owns which, and where one stands in
 * bytes. No real secret is kept here; one is only ever an example of how a phantom has to look.
 */
export { createPhantomRegistry } from './registry.ts';
