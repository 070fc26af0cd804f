/** Readers of what others send, fed two megabytes of what is made to be slow to read; half of one in test/unit. */
import { testLongBodies } from '../unit/reading-time.ts';

testLongBodies(2_000_000);
