/** How many pieces are joined at once: an engine's rope of millions of them takes a hundred times their memory. */
const mostLoose = 4096;

/** Collects a text from pieces. */
export function pieces(): { readonly add: (piece: string) => void; readonly joined: () => string } {
  const joined: string[] = [];
  let loose: string[] = [];
  const join = () => {
    joined.push(loose.join(''));
    loose = [];
  };
  return {
    add: (piece) => {
      if (loose.push(piece) >= mostLoose) join();
    },
    joined: () => {
      join();
      return joined.join('');
    },
  };
}
