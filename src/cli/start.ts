/**
 * huvudbok start, which stays for as long as the service runs: neither the command line nor what reads the settings is
 * loaded for it, which would be 12 MB in memory.
 */
import { fileURLToPath } from 'node:url';
import { inheritedEnvironment } from '../config/environment.ts';
import { peekDataDir } from '../config/values.ts';
import { gatherLines } from '../process/gathered-lines.ts';
import { surviveLostLogs } from '../process/lifecycle.ts';
import { ownLine, partLine } from '../process/log-lines.ts';
import { startPreparing } from '../process/preparation.ts';
import { allParts, start } from '../process/start.ts';

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Runs the whole service until it is told to stop, filling an example company first if asked to. */
export async function runStart(isDemo: boolean): Promise<void> {
  surviveLostLogs();
  const isTerminal = process.stderr.isTTY;
  const write = (text: string) => void process.stderr.write(text);
  const lines = gatherLines(write);
  const stop = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => stop.abort());
  }
  await start({
    scripts: { command: script('./huvudbok.ts'), http: script('./http.ts') },
    env: inheritedEnvironment(),
    parts: allParts,
    folder: peekDataDir(inheritedEnvironment()),
    preparation: startPreparing(script('./preparing.ts'), isDemo ? ['--demo'] : []),
    write: (sentence) => {
      // What has been told before it stands before it.
      lines.now();
      const line = ownLine(sentence, isTerminal);
      if (line !== undefined) write(`${line}\n`);
    },
    log: (part, line) => lines.add(`${partLine(part, line, isTerminal)}\n`),
    stop: stop.signal,
  });
}
