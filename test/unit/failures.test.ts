import { expect, test } from 'vitest';
import { FailureCounts } from '#src/http/failures.ts';

const hour = 3_600_000;

test('a sender’s failures are counted for an hour from the first', () => {
  const failures = new FailureCounts();
  expect(failures.count('192.0.2.1', 0)).toEqual({ used: 1, secondsLeft: 3_600 });
  expect(failures.count('192.0.2.1', hour - 1)).toEqual({ used: 2, secondsLeft: 1 });
  expect(failures.count('192.0.2.2', hour - 1)).toEqual({ used: 1, secondsLeft: 3_600 });
  expect(failures.count('192.0.2.1', hour)).toEqual({ used: 1, secondsLeft: 3_600 });
});

test('nobody hides behind the endless addresses of one IPv6 network, or writes IPv4 as IPv6', () => {
  const failures = new FailureCounts();
  const used = (address: string) => failures.count(address, 0).used;
  expect(['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'].map(used)).toEqual([
    1, 2, 1,
  ]);
  expect(['198.51.100.7', '::ffff:198.51.100.7', '::'].map(used)).toEqual([1, 2, 1]);
});

test('a flood from everywhere takes no more memory than ten thousand senders', () => {
  const failures = new FailureCounts();
  failures.count('192.0.2.1', 0);
  for (let n = 0; n < 9_999; n += 1) failures.count(`10.0.${n >> 8}.${n & 255}`, 1);
  expect(failures.count('192.0.2.1', 2).used).toBe(2);
  failures.count('10.255.0.1', 3);
  expect(failures.count('192.0.2.1', 4).used).toBe(1);
});
