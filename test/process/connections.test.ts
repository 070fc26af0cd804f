/** The fewest connections that a process may be given are told; what they do with them is in test/slow. */
import { expect, it } from 'vitest';
import { startService } from './crash.ts';

it('says how many a process needs at least', async () => {
  await expect(startService({ DATABASE_CONNECTIONS: '3' })).rejects.toThrow(
    /DATABASE_CONNECTIONS är 3, men .+ behöver minst \d/,
  );
});
