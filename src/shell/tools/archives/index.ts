/** What is known of programs that pack, unpack and compress. Specifications and their refinements only: nothing is looked up on the machine. */
import type { ToolSpec } from '../types.ts';
import { compressionTools } from './compress.ts';
import { tar } from './tar.ts';

export const archivesTools: readonly ToolSpec[] = [tar, ...compressionTools];
