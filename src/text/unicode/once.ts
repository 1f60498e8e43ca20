/** Made when it is first asked for: most runs of the command line never need the larger tables. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
