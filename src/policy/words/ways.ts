import type { Answer } from '../answer.ts';
import { builtinFile } from '../origin.ts';
import type { PolicyRequest } from '../request.ts';
import type { LayerKind } from '../verdict.ts';
import { type Grant, grantFor, releaseFor } from './grant-for.ts';

/** What a person could do about one layer's refusal. */
export type Way =
  /** Add this TOML line to this file; or, for one run, give this flag. */
  | { readonly kind: 'add'; readonly layer: LayerKind; readonly file: string; readonly line: string; readonly flag?: readonly [string, string] }
  /** Take away or change what stands there. */
  | { readonly kind: 'change'; readonly layer: LayerKind; readonly file: string; readonly at: number; readonly rule: string }
  /** Nothing would, and why. */
  | { readonly kind: 'nothing'; readonly layer: LayerKind; readonly reason: string };

/** Everything that has to be done to have one layer allow what it does not. */
export function waysToAllow(answer: Answer, request: PolicyRequest): readonly Way[] {
  const way = wayToAllow(answer, request);
  return answer.also === undefined ? [way] : [way, ...waysToAllow(answer.also, request)];
}

function wayToAllow(answer: Answer, request: PolicyRequest): Way {
  const { layer, file, line: at, rule, editFile } = answer;
  switch (answer.code) {
    case 'granted':
      return { kind: 'nothing', layer, reason: 'it is allowed already' };
    case 'not-granted':
      return addition({ layer, file: editFile }, grantFor(request));
    case 'outside-ceiling':
      return addition({ layer, file }, withoutFlag(grantFor(request, rule)));
    case 'protected-path':
    case 'hidden-file':
      return file === builtinFile ? release({ layer, file: editFile }, releaseFor(request, rule)) : { kind: 'change', layer, file, at, rule };
    case 'rule':
    case 'deny-set':
    case 'unknown-word':
      return file === builtinFile ? { kind: 'nothing', layer, reason: answer.reason ?? 'it is built in' } : { kind: 'change', layer, file, at, rule };
    case 'credential-store':
      return { kind: 'nothing', layer, reason: 'credential stores never enter the box' };
    case 'policy-file':
      return { kind: 'nothing', layer, reason: 'a box that could change its policy would have none' };
    case 'withheld':
      return { kind: 'nothing', layer, reason: 'it is approved as it is, with `holdfast trust add`' };
    case 'planted-program':
      return { kind: 'nothing', layer, reason: 'a program that the box could have put there itself is not what the policy names; start it by its path where that is meant' };
    case 'not-understood':
      return { kind: 'nothing', layer, reason: answer.reason ?? 'it is not understood' };
    case 'unrepresentable':
      return { kind: 'nothing', layer, reason: 'no rule can name what is not a valid path, host or name' };
  }
}

function addition({ layer, file }: Pick<Answer, 'layer' | 'file'>, grant: Grant | undefined): Way {
  if (grant === undefined) return { kind: 'nothing', layer, reason: 'the box has no door for it' };
  const { line, flag } = grant;
  return flag === undefined ? { kind: 'add', layer, file, line } : { kind: 'add', layer, file, line, flag };
}

function release(place: Pick<Answer, 'layer' | 'file'>, grant: Grant | undefined): Way {
  return grant === undefined ? { kind: 'nothing', layer: place.layer, reason: 'it would take along what is protected in it' } : addition(place, grant);
}

/** A flag extends what the user grants; it does not lift what another file allows at most. */
function withoutFlag(grant: Grant | undefined): Grant | undefined {
  return grant === undefined ? undefined : { line: grant.line };
}
