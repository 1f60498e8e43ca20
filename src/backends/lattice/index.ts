/**
 * The lattice of guarantees: what a backend holds and what a policy demands are both vectors of strengths, and a backend will do when it
 * holds at least what is demanded, guarantee by guarantee. Levels are names for some of these vectors. Pure.
 */
export { type Candidate, type Choice, chooseBackend, type Lacking, lackingAsNamed } from './choose.ts';
export { describeLevel, type Level, levelOf } from './levels.ts';
export { atLeast, demandOf, lacking } from './vectors.ts';
