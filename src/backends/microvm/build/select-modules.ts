import { imageError } from './image-error.ts';
import type { KernelSource } from './kernel-source.ts';
import { moduleFacts } from './module-facts.ts';
import { furtherModules, neededModules, orderModules } from './module-order.ts';

export interface GuestModule {
  /** With `_` for `-`. */
  readonly name: string;
  readonly bytes: Buffer;
}

export interface SelectedModules {
  /** What the guest loads first, in this order. */
  readonly needed: readonly GuestModule[];
  /** What may be loaded after these, in this order. */
  readonly further: readonly GuestModule[];
}

/** Each finds what the one before depends on. */
const mostPasses = 16;

/** Throws `HF_IMAGE_FAILED` for a kernel that lacks what a guest needs, and for modules of another kernel. */
export async function selectModules(source: KernelSource): Promise<SelectedModules> {
  const known = new Map<string, readonly string[] | 'built-in' | 'unavailable'>();
  const files = new Map<string, Buffer>();
  const complete = async (wanted: readonly string[]): Promise<readonly string[]> => {
    for (let pass = 0; pass < mostPasses; pass += 1) {
      const order = orderModules(wanted, known);
      if (order.kind === 'complete') return order.names;
      await learn(source, order.names, { known, files });
    }
    throw imageError(`the modules of the kernel ${source.version} depend on each other without an end`, 'give another kernel with --package');
  };
  const all = await complete([...neededModules, ...furtherModules]);
  const missing = reach(neededModules, known).filter((name) => known.get(name) === 'unavailable');
  if (missing.length > 0) throw imageError(`the kernel ${source.version} lacks the modules ${missing.join(', ')}`, 'give the generic kernel of the distribution with --package, not the one for clouds');
  const needed = await complete(neededModules);
  const further = all.filter((name) => !needed.includes(name) && reach([name], known).every((other) => known.get(other) !== 'unavailable'));
  const withBytes = (names: readonly string[]): readonly GuestModule[] => names.flatMap((name) => {
    const bytes = files.get(name);
    return bytes === undefined ? [] : [{ name, bytes }];
  });
  return { needed: withBytes(needed), further: withBytes(further) };
}

interface Learnt {
  readonly known: Map<string, readonly string[] | 'built-in' | 'unavailable'>;
  readonly files: Map<string, Buffer>;
}

async function learn(source: KernelSource, names: readonly string[], { known, files }: Learnt): Promise<void> {
  const read = await source.read(names.filter((name) => !source.builtIn.has(name)));
  for (const name of names) {
    const bytes = read.get(name);
    if (bytes === undefined) known.set(name, source.builtIn.has(name) ? 'built-in' : 'unavailable');
    else {
      known.set(name, checked(name, bytes, source));
      files.set(name, bytes);
    }
  }
}

function checked(name: string, bytes: Buffer, source: KernelSource): readonly string[] {
  const facts = moduleFacts(bytes);
  if (facts === undefined) throw imageError(`the module ${name} is damaged`, 'fetch the package again, or give another one with --package');
  if (facts.kernel !== source.version) throw imageError(`the module ${name} is for the kernel ${JSON.stringify(facts.kernel)}, not ${source.version}`, 'give the kernel and its modules in one package with --package');
  return facts.depends;
}

/** All that `names` depend on, and themselves. */
function reach(names: readonly string[], known: Learnt['known']): readonly string[] {
  const reached = new Set(names);
  for (const name of reached) {
    const depends = known.get(name);
    if (Array.isArray(depends)) for (const other of depends) reached.add(other);
  }
  return [...reached];
}
