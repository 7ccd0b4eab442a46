const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Milliseconds → '12 ms', '3.4 s', '2 min 5 s'. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.round(ms)} ms`;
  if (ms < MINUTE) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  return `${Math.floor(ms / MINUTE)} min ${Math.floor((ms % MINUTE) / SECOND)} s`;
}
