/**
 * A script in which curl asks three times, and says each time the status and how long it took. It is the shortest that
 * is compared with a limit of Holdfast: a busy machine delays one or the other, and what waits for a limit is as late
 * each time.
 */
export function askedThrice(url: string): string {
  return `for i in 1 2 3; do curl -sS -w '\\n%{http_code} %{time_total}\\n' '${url}'; done`;
}

/** What it says: the status, if it is the same each time, and the shortest time in seconds, inside the box. */
export function answerOf(stdout: string): { readonly status: string; readonly seconds: number } {
  const answers = [...stdout.matchAll(/^(\d{3}) (\d+\.\d+)$/gmu)];
  return {
    status: [...new Set(answers.map(([, status]) => status))].join(),
    seconds: Math.min(...answers.map(([, , seconds]) => Number(seconds))),
  };
}
