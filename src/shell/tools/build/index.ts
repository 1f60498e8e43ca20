/** Programs that build. Specifications and their refinements only: nothing is looked up on the machine. */
import type { ToolSpec } from '../types.ts';
import { makeTools } from './make.ts';

export const buildTools: readonly ToolSpec[] = makeTools;
