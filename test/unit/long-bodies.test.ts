/**
 * No reader of what others send takes the square of its length in time: half a megabyte is tried here, two in
 * test/slow. The processor's time is counted, whatever else the machine does.
 */
import { testLongBodies } from './reading-time.ts';

testLongBodies(500_000);
