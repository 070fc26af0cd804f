/** Holds an embedded server for the process tests: `embedded-holder.ts <DATA_DIR> [shared]`. */
import { startEmbedded } from '#src/db/embedded.ts';
import { stopWhenAsked } from '#src/process/lifecycle.ts';

const [dataDir = '', mode] = process.argv.slice(2);
try {
  const server = await startEmbedded({
    dataDir,
    exclusive: mode !== 'shared',
    log: (line) => console.log(line),
  });
  stopWhenAsked(() => server.stop());
  setInterval(() => {}, 60_000);
  console.log(`UP ${server.url} ${server.adminUrl}`);
} catch (error) {
  console.log(`REFUSED ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}
