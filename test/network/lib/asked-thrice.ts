/**
 * A script in which curl sends three requests, and prints the status and time of each. The test compares the shortest
 * time with a limit of Holdfast. A busy machine delays single requests, but the wait for a limit delays all three.
 */
export function askedThrice(url: string): string {
  return `for i in 1 2 3; do curl -sS -w '\\n%{http_code} %{time_total}\\n' '${url}'; done`;
}

/** Its result inside the box: the status, if all three are equal, and the shortest time in seconds. */
export function answerOf(stdout: string): { readonly status: string; readonly seconds: number } {
  const answers = [...stdout.matchAll(/^(\d{3}) (\d+\.\d+)$/gmu)];
  return {
    status: [...new Set(answers.map(([, status]) => status))].join(),
    seconds: Math.min(...answers.map(([, , seconds]) => Number(seconds))),
  };
}
