import { agentsh } from './agentsh.ts';
import { bubblewrapTests } from './bubblewrap.ts';
import type { PeerSuite } from './case.ts';
import { codex } from './codex.ts';
import { landlock } from './landlock.ts';
import { nono } from './nono.ts';
import { sandboxRuntime } from './sandbox-runtime.ts';

export const peerSuites: readonly PeerSuite[] = [sandboxRuntime, landlock, bubblewrapTests, codex, agentsh, nono];
