/** Each node changed in two of eight ways, and some changed at random; in every way, and more of them, in test/slow. */
import { testMutations } from './peppol-mutation.ts';

testMutations(100, (nth) => nth % 4 === 0);
