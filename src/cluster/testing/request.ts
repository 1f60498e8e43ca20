import { host } from '../../plan/testing/host.ts';
import type { Plan } from '../../plan/types.ts';
import type { PodCredential, ClusterRequest } from '../types.ts';

const workspace = '/home/me/project';

/** Returns the plan of a command in a workspace, under a user policy. */
export function clusterPlan(policy: string, argv: readonly string[] = ['npm', 'test']): Plan {
  const plan = host({ policy, workspace: { root: workspace, cwd: workspace, gitDirectories: [] } }).plan();
  return { ...plan, command: { argv, cwd: workspace, environment: { LANG: 'C.UTF-8' } } };
}

/** A key in a variable of the supervisor. */
export const anthropicKey: PodCredential = {
  name: 'anthropic',
  variable: 'REAL_KEY',
  phantoms: ['ANTHROPIC_API_KEY'],
  files: 'none',
  routes: [],
  unheld: [],
};

/** A sandbox with one open host, without credentials. */
export const sandboxRequest: ClusterRequest = {
  plan: clusterPlan('[network]\nhosts = ["example.com"]\n'),
  kind: 'sandbox',
  agentSandbox: 'v1alpha1',
  name: 'agent',
  namespace: 'ci',
  image: 'registry.example/holdfast:1',
  home: '/home/me',
  workspace,
  ofImage: ['/usr', '/etc', '/opt', '/sys', '/bin', '/lib', '/lib64', '/sbin', '/var/lib', '/var/cache', '/nix'],
  policies: [{ kind: 'user', file: '/home/me/.config/holdfast/policy.toml', text: 'version = 1\n' }],
  credentials: [],
  secrets: [],
  trust: { CURL_CA_BUNDLE: '/run/holdfast-way/trust/bundle.pem' },
  secretVariables: [],
  options: [],
};
