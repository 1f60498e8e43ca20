import { agents } from './agents.ts';
import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { backends } from './backends.ts';
import { central } from './central.ts';
import { checkpoints } from './checkpoints.ts';
import { cluster } from './cluster.ts';
import { code } from './code.ts';
import { commands } from './commands.ts';
import { completion } from './completion.ts';
import { credentials } from './credentials.ts';
import { dashboard } from './dashboard.ts';
import { dlp } from './dlp.ts';
import { environment } from './environment.ts';
import type { Feature } from './feature.ts';
import { files } from './files.ts';
import { limits } from './limits.ts';
import { llm } from './llm.ts';
import { mcp } from './mcp.ts';
import { network } from './network.ts';
import { process } from './process.ts';
import { proposals } from './proposals.ts';
import { registry } from './registry.ts';
import { resident } from './resident.ts';
import { rules } from './rules.ts';
import { run } from './run.ts';
import { serve } from './serve.ts';
import { sockets } from './sockets.ts';
import { staged } from './staged.ts';
import { strict } from './strict.ts';
import { text } from './text.ts';
import { tools } from './tools.ts';
import { trash } from './trash.ts';
import { trust } from './trust.ts';
import { worktree } from './worktree.ts';

/**
 * Every feature. Their order sets the order of policy keys, of `[limits]`, and of commands within a section of the
 * help.
 */
export const features = [
  files,
  network,
  sockets,
  commands,
  environment,
  worktree,
  tools,
  registry,
  limits,
  process,
  backends,
  strict,
  resident,
  approvals,
  text,
  dashboard,
  llm,
  mcp,
  dlp,
  rules,
  credentials,
  proposals,
  trust,
  staged,
  checkpoints,
  trash,
  run,
  serve,
  agents,
  code,
  audit,
  completion,
  cluster,
  central,
] as const satisfies readonly Feature[];

export type Features = typeof features;
export type FeatureName = Features[number]['name'];
