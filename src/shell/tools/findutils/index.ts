/** What is known of programs that look for files. Data and pure refinements only; what a search finds is known by where it starts. */
import type { ToolSpec } from '../types.ts';
import { fd, locate, tree } from './fd.ts';
import { find } from './find.ts';

export const findutilsTools: readonly ToolSpec[] = [find, fd, locate, tree];
