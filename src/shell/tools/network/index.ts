/** What is known of programs that talk to other hosts. Specifications and their refinements only: nothing is looked up on the machine. */
import type { ToolSpec } from '../types.ts';
import { curl } from './curl.ts';
import { socketTools } from './sockets.ts';
import { sshTools } from './ssh.ts';
import { transferTools } from './transfer.ts';

export const networkTools: readonly ToolSpec[] = [curl, ...transferTools, ...sshTools, ...socketTools];
