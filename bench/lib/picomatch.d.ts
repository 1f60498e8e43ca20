/** The part that the bench uses. The package has no types. */
declare module 'picomatch' {
  const picomatch: (pattern: string, options: { readonly dot: boolean }) => (path: string) => boolean;
  export default picomatch;
}
