/**
 * Programs that talk to other hosts. Specifications and their refinements only: nothing is looked up on the machine.
 */
import type { ToolSpec } from '../types.ts';
import { socketTools } from './sockets.ts';
import { curl } from './curl.ts';
import { keys, scp, sftp, ssh } from './ssh.ts';
import { rsync, wget } from './transfers.ts';

const transferTools: readonly ToolSpec[] = [wget, scp, sftp, rsync];

const sshTools: readonly ToolSpec[] = [ssh, ...keys];

export const networkTools: readonly ToolSpec[] = [curl, ...transferTools, ...sshTools, ...socketTools];
