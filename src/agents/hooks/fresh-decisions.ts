import type { Place } from '../../sandbox/place.ts';
import { policyOfPlace } from '../../sandbox/planner.ts';
import { openWhy, whyAt } from '../../sandbox/why.ts';
import { decideAction } from './decide-action.ts';
import type { HookCall, HookDecision, ToolAction } from './types.ts';

export interface DecidedAt {
  /** As it was just read; undefined within a box. */
  readonly place: Place | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Node, and the file that it runs. */
  readonly program: readonly string[];
}

export type Fresh = (at: DecidedAt, action: ToolAction, call: HookCall) => HookDecision;

/** Decides by the policy. Everything that has to understand one is loaded with this file, and policies of the same texts are made once. */
export function freshDecisions(): Fresh {
  const policyOf = policyOfPlace;
  return ({ place, environment, program }, action, call) => {
    const why = place === undefined ? openWhy({ cwd: call.cwd, environment }) : whyAt(place, { environment, policyOf });
    return decideAction({ why, box: [...program, 'run', '--no-prompt', '--workspace', why.workspace, '--'] }, action, call);
  };
}
