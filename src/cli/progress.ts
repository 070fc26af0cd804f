/** Progress on standard error, only where a person watches. */

/** Its program is loaded here: every command would wait for it. */
export async function progressBar(what: string, isQuiet: boolean | undefined) {
  const { Presets, SingleBar } = await import('cli-progress');
  const bar = new SingleBar(
    {
      format: `${what} {bar} {percentage} % {value}/{total}`,
      stream: process.stderr,
      noTTYOutput: false,
      hideCursor: true,
      clearOnComplete: true,
    },
    Presets.shades_classic,
  );
  const isShown = !isQuiet && process.stderr.isTTY === true;
  let isStarted = false;
  return {
    update: (done: number, all: number): void => {
      if (!isShown) return;
      if (!isStarted) bar.start(all, done);
      else bar.update(done);
      isStarted = true;
    },
    stop: (): void => {
      if (isStarted) bar.stop();
    },
  };
}
