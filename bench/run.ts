import { render, type Report } from './lib/report.ts';
import { verdictOf } from './lib/budget.ts';

/** Loads each separately, so that one bench's imports do not affect another's figures. */
const benches: Readonly<Record<string, () => Promise<() => Promise<Report>>>> = {
  start: async () => (await import('./start.ts')).start,
  resident: async () => (await import('./resident.ts')).resident,
  lattice: async () => (await import('./lattice.ts')).lattice,
  session: async () => (await import('./session.ts')).session,
  inside: async () => (await import('./inside.ts')).inside,
  memory: async () => (await import('./memory.ts')).memory,
  network: async () => (await import('./network.ts')).network,
  'network-quick': async () => (await import('./network.ts')).networkQuick,
  credentials: async () => (await import('./credentials.ts')).credentials,
  'credentials-quick': async () => (await import('./credentials.ts')).credentialsQuick,
  staged: async () => (await import('./staged.ts')).stagedInside,
  review: async () => (await import('./review.ts')).review,
  accept: async () => (await import('./accept.ts')).accept,
  files: async () => (await import('./files.ts')).files,
  checkpoints: async () => (await import('./checkpoints.ts')).checkpoints,
  policy: async () => (await import('./policy.ts')).policy,
  rules: async () => (await import('./rules.ts')).rules,
  text: async () => (await import('./text.ts')).text,
  dlp: async () => (await import('./dlp.ts')).dlp,
  gateway: async () => (await import('./gateway.ts')).gateway,
  'gateway-quick': async () => (await import('./gateway.ts')).gatewayQuick,
  trust: async () => (await import('./trust.ts')).trust,
  hook: async () => (await import('./hook.ts')).hook,
  mcp: async () => (await import('./mcp.ts')).mcp,
  throughput: async () => (await import('./throughput.ts')).throughput,
  serve: async () => (await import('./serve.ts')).serve,
  commands: async () => (await import('./commands.ts')).commands,
  audit: async () => (await import('./audit.ts')).audit,
  'audit-query': async () => (await import('./audit-query.ts')).auditQuery,
  tools: async () => (await import('./tools.ts')).tools,
  code: async () => (await import('./code.ts')).code,
  dashboard: async () => (await import('./dashboard.ts')).dashboard,
  defaults: async () => (await import('./defaults.ts')).defaults,
};

const [name] = process.argv.slice(2);
const load = name === undefined ? undefined : benches[name];
if (load === undefined) {
  console.error(`usage: npm run bench -- NAME, where NAME is one of: ${Object.keys(benches).join(', ')}`);
  process.exitCode = 2;
} else {
  const report = await (await load())();
  console.log(render(report));
  if (report.budgets.some((budget) => verdictOf(budget) === 'miss')) process.exitCode = 1;
}
