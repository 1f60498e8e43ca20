/** Fakes that stand for real values in what goes to a model, and what brings the real values back in its answer. */
export type { KeyedHash } from './draw.ts';
export { createFakeMap, type FakeMapOptions } from './fake-map.ts';
export { createFragmentRestorer } from './fragment-restorer.ts';
export { createRestorer } from './restorer.ts';
