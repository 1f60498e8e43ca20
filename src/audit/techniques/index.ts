/**
 * Which techniques of MITRE ATT&CK an event shows, or shows that somebody tried: data, and the function that reads it.
 * An identifier says what an attack of that kind would look like, not that there was one: a build that reads too much is
 * told like a thief.
 */
export { techniquesOf } from './techniques-of.ts';
export { type Technique, techniques, type TechniqueId } from './table.ts';
