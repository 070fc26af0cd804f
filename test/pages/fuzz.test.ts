/** Odd values, a few for each page and form; more of them in test/slow. */
import { testFuzzing } from './fuzz.ts';

testFuzzing(2, 2);
