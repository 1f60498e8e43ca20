import * as v from 'valibot';

/** As `limactl list --json` tells it. */
export interface LimaInstance {
  readonly name: string;
  /** `Running`, `Stopped`, `Broken` … */
  readonly status: string;
  readonly mounts: readonly LimaMount[];
}

export interface LimaMount {
  /** Directory of the host; `~` is its home directory. */
  readonly location: string;
  /** Directory of the guest; the same when it is absent. */
  readonly mountPoint?: string | undefined;
  readonly writable?: boolean | null | undefined;
}

const mount = v.object({ location: v.string(), mountPoint: v.optional(v.string()), writable: v.nullish(v.boolean()) });
const instance = v.object({ name: v.string(), status: v.string(), config: v.optional(v.object({ mounts: v.nullish(v.array(mount)) })) });

/** What no instance is called: Lima's own names are narrower. A leading dash would be an option of limactl. */
const nameShape = /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,127}$/u;
const mostLines = 1000;

/** One object a line. Lines that are none, and instances of another shape or with odd names, are left out. */
export function parseInstances(text: string): readonly LimaInstance[] {
  return text.split('\n', mostLines).flatMap((line) => {
    const parsed = v.safeParse(instance, parseJson(line));
    if (!parsed.success || !nameShape.test(parsed.output.name)) return [];
    const { name, status, config } = parsed.output;
    return [{ name, status, mounts: config?.mounts ?? [] }];
  });
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
