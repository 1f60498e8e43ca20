import { join } from 'node:path';
import type { Grants } from '../../sandbox/place.ts';
import { type ProfileName, profiles } from './profiles.ts';

export interface ProfileNeeds {
  readonly grants: Grants;
  /** Directories that have to be there, absolute. The agent's own files lie in them, apart from those of the same agent outside. */
  readonly directories: readonly string[];
  /** What its user has to know, one line each. */
  readonly notices: readonly string[];
}

export interface ProfilePlace {
  readonly home: string;
  /** Where Holdfast was started. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * What a profile comes to here. The agent gets a state directory of its own, `~/.local/share/holdfast-agents/NAME`: what it writes
 * there configures it in boxes only, and never the one that is started without. Its key stays outside: the box has a phantom.
 */
export function profileNeeds(name: ProfileName, { home, environment }: ProfilePlace): ProfileNeeds {
  const { title, hosts, state, own, credentials: all, uses } = profiles[name];
  const set = all.filter(({ variable }) => (environment[variable] ?? '') !== '');
  const credentials = uses === 'first' ? set.slice(0, 1) : set;
  const base = join(home, '.local/share/holdfast-agents', name);
  // Without a key the hosts of the first one are open: the policy may hold a credential of its own for them.
  const reached = (credentials.length > 0 ? credentials : all.slice(0, 1)).map(({ host }) => host);
  return {
    grants: {
      write: [base],
      ...(own === undefined ? {} : { release: [join(base, own)] }),
      hosts: [...new Set([...hosts.map(({ pattern }) => pattern), ...reached])],
      variables: Object.fromEntries(state.map(({ variable, folder }) => [variable, join(base, folder)])),
      credentials: credentials.map(({ provider, variable }) => ({ provider, environment: variable })),
    },
    directories: [base, ...state.map(({ folder }) => join(base, folder)), ...(own === undefined ? [] : [join(base, own)])],
    notices: credentials.length > 0 ? [] : [`${title} has no key here: set ${all.map(({ variable }) => variable).join(' or ')}, or write a credential into your policy`],
  };
}
