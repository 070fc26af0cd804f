/** Supervises children for the tests: `supervise.ts <diary> <name>=<behaviour> …`. */
import { join } from 'node:path';
import { stopWhenAsked } from '#src/process/lifecycle.ts';
import { supervise } from '#src/process/supervisor.ts';

const [diary = '', ...children] = process.argv.slice(2);
const specs = children.map((child) => {
  const [name = '', behaviour = ''] = child.split('=');
  return {
    name,
    command: [join(import.meta.dirname, 'child.ts'), behaviour, name, diary],
    env: process.env,
    isOnCall: behaviour === 'leave',
  };
});
const supervisor = supervise(specs, {
  write: (line) => console.log(line),
  log: (name, line) => console.log(`${name} | ${line}`),
  askMs: 500,
});
stopWhenAsked(() => supervisor.stop(3000));
void supervisor.ready.then((address) => console.log(`READY ${address}`));
void supervisor.failed.then(async (error) => {
  console.log(`FAILED ${error.message}`);
  await supervisor.stop(3000);
  process.exit(1);
});
