/** Odd values, many for each page and form. */
import { testFuzzing } from '../pages/fuzz.ts';

testFuzzing(6, 4);
