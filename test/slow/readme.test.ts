/** The blocks of README in the example company, on the last day of a short month. */
import { expect, it } from 'vitest';
import { blocksOf, expectStory, startOn } from '../process/readme.ts';

const DAY = '2028-02-29';

it('the blocks of README work in the example company too', { timeout: 400_000 }, async () => {
  const [, , ...blocks] = await blocksOf('README.md');
  const { service, paste } = await startOn(DAY, ['--demo']);
  await service.says(/[\s\S]*Börja om: /);
  const [, key = ''] = /^ {2}export HUVUDBOK_KEY=([\w-]+)$/m.exec(service.stdout) ?? [];
  expect(key).not.toBe('');
  expectStory(DAY, await paste(blocks, { HUVUDBOK_KEY: key }));
});
