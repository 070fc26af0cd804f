/**
 * Lines written together, at the end of the turn of the event loop they came in, or when the process ends: one write
 * for as many calls as were answered at once. `now` writes what has gathered.
 */
export function gatherLines(write: (lines: string) => void): {
  readonly add: (line: string) => void;
  readonly now: () => void;
} {
  let gathered = '';
  const now = (): void => {
    const lines = gathered;
    gathered = '';
    if (lines !== '') write(lines);
  };
  process.on('exit', now);
  return {
    add: (line) => {
      if (gathered === '') setImmediate(now);
      gathered += line;
    },
    now,
  };
}
