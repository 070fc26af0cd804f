/** A child for the supervisor's tests; its argument says how it behaves. */
import { appendFileSync } from 'node:fs';
import {
  callPart,
  exitWithParent,
  reportLeaving,
  reportReady,
  reportRefusal,
  stopWhenAsked,
} from '#src/process/lifecycle.ts';

const [behaviour, name, diary = ''] = process.argv.slice(2);
const note = (line: string) => appendFileSync(diary, `${name} ${line}\n`);

note(`started ${process.pid}`);
process.on('exit', () => note('ended'));
exitWithParent();
if (behaviour === 'hang') {
  console.log('starting');
  await new Promise((resolve) => setTimeout(resolve, 60_000));
}
if (behaviour === 'refuse') {
  await reportRefusal('Porten 3000 är upptagen. Ange en annan med PORT.');
  process.exit(1);
}
if (behaviour === 'die') process.exit(3);
if (behaviour === 'deaf') process.on('SIGTERM', () => {});
else stopWhenAsked(async () => note('stopping'));
if (behaviour === 'call') process.on('SIGUSR2', () => void callPart('mail'));
if (behaviour === 'leave') {
  process.on('SIGUSR2', async () => {
    await reportLeaving();
    process.exit(0);
  });
}
setInterval(() => {}, 60_000);
console.log('at work');
await reportReady(name === 'http' ? 'http://127.0.0.1:3000' : undefined);
